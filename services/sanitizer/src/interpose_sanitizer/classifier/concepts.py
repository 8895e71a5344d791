"""Concepts: what some five hundred common words of English say, in other languages too. `concepts/*.toml` lists them.

What is learned of orders in English serves so wherever the same is said: a class tells that something is sent, a
concept that it is forwarded.
"""

from functools import cache

from interpose_sanitizer.classifier import classes, lists
from interpose_sanitizer.classifier.lists import Folder, Lists

FOLDER = Folder("concepts")
"""Those of all languages, numbered as English lists them."""


@cache
def known() -> Lists:
    """Classes, and concepts: the first and the second that a word says."""
    return lists.read((classes.FOLDER, FOLDER))
