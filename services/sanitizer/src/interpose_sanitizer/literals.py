"""Where the strings of data end that a program printed: of Python, and of calls with names ("subject='…', date='…'").

What stands in one of them somebody else may have written than the next. Prose that lists words in single quotation
marks ('yes', 'no') is cut there as well: each is a value by itself.
"""

import re
from collections.abc import Iterator

_GAP = r",\s{1,8}"
_ARGUMENT = r"(?:\w{1,40}\()?\w{1,40}="
ENDS = rf"'(?<=[^\s\\'(\[{{,]')(?=[)\]}}]{{0,4}}{_GAP}(?:['\"({{\[]|{_ARGUMENT})|\s?:\s{{1,2}}['\"({{\[])"
"""The mark behind one, before the next of its record. None that stands before a word of prose: "the boys', who"."""
_VALUE_ENDS = r",(?<=[\w\])}],)(?=\s{1,8}\w{1,40}=['\"\w({\[])"
BEGINS = r"(?<=\w)=[\"'](?=\w)"
"""What stands before one that has a name."""
BETWEEN = rf"'[)\]}}]{{0,4}}{_GAP}(?:['\"({{\[]|{_ARGUMENT}'?)|{_GAP}{_ARGUMENT}'"
"""The same for RE2, with the beginning of the next."""
_MARKS = re.compile(f"{ENDS}|{_VALUE_ENDS}")
"""Both begin with their sign, not with what stands before it: so a text is searched for the signs alone."""


def ends(text: str) -> Iterator[int]:
    """The places of the marks behind them, and behind other values with names, in order."""
    return (found.start() for found in _MARKS.finditer(text))
