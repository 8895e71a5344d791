"""Agents' own hooks: a platform's event in, its own answer out. What cannot be decided is a no that it heeds."""
