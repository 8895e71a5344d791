"""Cursor's results: JSON in a string, whose text stands under another key in the editor than in the CLI."""

import orjson

from interpose.platforms.text import text_of


def text_in(text: str) -> str:
    """The text that the JSON holds; the string itself where it is no JSON or holds none. What is shown, not judged."""
    try:
        value = orjson.loads(text)
    except ValueError:
        return text
    found = text_of(value)
    return text if found is None else found
