"""One module for each format of a log: what of a record is a call, and what is a result.

A format has the name of its platform, the endings of its files and `read(record, state)`, which yields what stands in
one record and keeps in `state` what later records lean on. It reads what it knows and passes over the rest: logs hold
many kinds of records that are about no tool.
"""
