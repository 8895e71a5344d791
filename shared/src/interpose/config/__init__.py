"""The configuration file: found, read with the place of every value, checked whole, told with every fault at once.

What is right is said by the models of `interpose.contracts.config`; this room turns a file into one of them or into
faults, each with line, JSON path and remedy. It knows neither broker nor telemetry.
"""
