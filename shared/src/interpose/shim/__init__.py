"""`interpose hook <platform>`: what an agent starts at each tool call. A pipe to the gateway that fails closed.

It has to start fast, so only the standard library and `interpose.report` are loaded; the gateway reads the event and
writes the answer. What is loaded besides is loaded when something went wrong.
"""
