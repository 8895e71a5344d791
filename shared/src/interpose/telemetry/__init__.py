"""Telemetry: one trace per call through every process. Names stand in `names`, spans in `spans`, set-up in `setup`."""
