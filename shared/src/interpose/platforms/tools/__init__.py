"""The tools that each platform has, with their arguments by the platform's own names, as its documents give them.

They describe and never decide: a call whose arguments fit no model is still a call, judged as it came, and marked.
"""
