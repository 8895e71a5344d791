"""Records kept for questions: the schema of the audit store, writing it, and asking it.

The audit logger writes the store and the command line reads it; what both know of its tables stands in this room.
"""
