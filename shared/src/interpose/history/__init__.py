"""History: calls that agents made before anybody asked us, read from the logs that their platforms keep.

They are evidence and never a decision: nothing here judges, and nothing of it is read on the way of a live call.
"""
