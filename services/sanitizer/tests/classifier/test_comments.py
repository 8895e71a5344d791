"""Sentences of comments, which go on from line to line."""

import pytest

from interpose_sanitizer.classifier.comments import without
from interpose_sanitizer.points import points_of, text_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# one\n# two\nx = 1", "# one\n  two\nx = 1"),
        ("// one\n// two\n// three", "// one\n   two\n   three"),
        ("/*\n * one\n * two\n */", "/*\n * one\n   two\n */"),
        ("# one\n\n# two", "# one\n\n# two"),
        ("# one\n// two", "# one\n// two"),
        ("# one\nx = 1\n# two", "# one\nx = 1\n# two"),
        ("* one\n* two", "* one\n* two"),
        ("#one\n#two", "#one\n#two"),
        ("", ""),
    ],
)
def test_marks_are_blank_where_the_same_stands_above(text, expected):
    """The first stays; so does what is no comment: a list, a heading, another language."""
    assert expected == text_of(without(points_of(text), text))
