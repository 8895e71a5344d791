"""The audit logger: every record of the stream `TOOL_CALLS` in a store of its own, exactly once.

`keeping` takes records from the stream and acknowledges them once they are on disk, `hook` answers asks, and
`__main__` puts both into one process. The store itself is `interpose.records`, which the command line reads.
"""
