"""The contracts: what crosses the bus, the HTTP API and the configuration file, and nothing that moves them.

This room knows neither broker nor telemetry. Source: docs/adr/0001-wire-format.md.
"""
