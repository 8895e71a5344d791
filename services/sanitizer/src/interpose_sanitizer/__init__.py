"""The sanitizer: `value.sanitize` takes the teeth out of prompt injection in a JSON value, `text.sanitize` in a text.

Both are pure: they know no broker, open no file and remember no call; the rules are data, read once. Only `service`,
`command` and `__main__` meet the world. What is caught, and what is not, stands in docs/sanitizer.md.
"""
