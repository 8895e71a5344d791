"""Calls that agents run themselves: judged before, reported afterwards, closed when nobody reports."""
