"""Reconciling on the broker: the stream in batches, the lease and the marks as keys, and the loops."""
