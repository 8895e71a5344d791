"""Interpose in the configuration of an agent's platform: written there, taken out again, and tried with a canary."""
