"""The validator: `judge.judge` finds what is wrong with a value, `sentence.sentence` says it to people.

The judgement is pure functions: it knows no broker, opens no file and remembers no call. Only `service` and `__main__`
meet the bus. What is judged and why stands in docs/validator.md.
"""
