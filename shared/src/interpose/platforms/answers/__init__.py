"""Decisions in each platform's own words: what its hook writes, and with which code it ends.

Where a platform cannot say something, the stricter thing is said: a question becomes a no with the question as its
reason, and a response that cannot be replaced gets a note beside it (docs/agents/platforms.md lists the cells).
"""
