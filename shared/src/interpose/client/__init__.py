"""Calling the gateway from Python and from the command line, with the standard library alone."""
