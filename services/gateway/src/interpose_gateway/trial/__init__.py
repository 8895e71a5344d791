"""Trying rules: a call through the gateway's own core and real hooks, without a tool and without a record."""
