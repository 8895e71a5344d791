"""Concepts: what some five hundred common words of English say, in other languages too. `concepts/*.toml` lists them.

What is learned of orders in English serves so wherever the same is said: a class tells that something is sent, a
concept that it is forwarded.
"""

from functools import cache

from interpose_sanitizer.classifier import lists
from interpose_sanitizer.classifier.lists import Lists


@cache
def known() -> Lists:
    """Those of all languages, numbered as English lists them."""
    return lists.read("concepts")
