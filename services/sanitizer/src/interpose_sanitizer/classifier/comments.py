"""Comments of code: a sentence goes on from line to line, though each begins with the mark of a comment."""

import re
from itertools import pairwise

import numpy as np

from interpose_sanitizer.findings import Span
from interpose_sanitizer.points import Points, blanked

_MARK = re.compile(r"(?m:^)(?:[ \t]{0,40}+(#|//|///|;|;;|--|>|%)|[ \t]{1,40}+(\*))[ \t]++(?=\S)")


def without(points: Points, text: str) -> Points:
    """A shadow, as code points and as the text that they are, with spaces for the marks of comments that go on in the
    next line; the first mark stays."""
    marks = [
        other[1]
        for one, other in pairwise((found, found.span(found.lastindex or 0)) for found in _MARK.finditer(text))
        if _goes_on(text, one[1], *other)
    ]
    return blanked(points, *np.array(marks).T) if marks else points


def _goes_on(text: str, mark: Span, line: "re.Match[str]", also: Span) -> bool:
    """Whether a line right below that of a mark begins with the same."""
    return text[slice(*mark)] == text[slice(*also)] and text.find("\n", mark[1], line.start()) == line.start() - 1
