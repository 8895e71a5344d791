"""The platforms that agents run on: their hook events, their tools' arguments, and the answers that they understand.

One module a platform; what they have in common stands in `event`, `domain` and `ruling`. Facts only, each read from the
platform's documents or its code: nothing here decides, asks or records.
"""
