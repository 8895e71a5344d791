"""Ending the calls that nobody ended: reports that never came, and calls whose gateway was killed under them."""
