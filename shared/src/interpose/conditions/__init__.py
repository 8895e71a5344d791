"""Conditions of hooks (`when`), in the Common Expression Language: what may be asked of an ask before it is sent."""
