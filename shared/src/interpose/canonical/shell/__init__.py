"""What a shell command does, as far as its text tells: every command in it, what they touch, and what nobody can tell.

Nothing is run or expanded. Whatever stands in no table, in a variable or behind an interpreter is said to be so: a rule
can refuse what it cannot see, and nothing here ever makes a command look more harmless than it is.
"""
