"""The embedded default: one machine, a real broker with generated users, every installed service its own process.

Everything it writes stands in one folder, `.interpose/`. The same services run against a cluster with other settings.
"""
