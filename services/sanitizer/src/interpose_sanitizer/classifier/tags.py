"""Tags of a page that say nothing: sentences are read without them, and go on through those that leave no gap.

A tag says nothing if HTML knows its name, or XML its language, and no attribute holds as many words as a sentence. Any
other is read as it stands: whoever reads the source of a page reads its attributes as well.
"""

import re

import numpy as np

from interpose_sanitizer.markup.names import INLINE, TECHNICAL, listed
from interpose_sanitizer.points import Mask, Points, blanked

_BREAKING = listed(
    "address article aside blockquote body br button caption center col colgroup dd details dialog div dl dt fieldset"
    " figcaption figure footer form g h1 h2 h3 h4 h5 h6 head header hgroup hr html img input label legend li link main"
    " menu meta nav noscript ol optgroup option p path picture pre search script section select source style summary"
    " svg table tbody td template tfoot th thead title tr ul video"
)
_SWITCHES = listed("async checked controls defer disabled hidden inert itemscope loop multiple muted open required")
_QUIET, _ON = ("|".join(sorted(some, reverse=True)) for some in (TECHNICAL - {"action", "name", "for"}, _SWITCHES))
_NAMES = _BREAKING | INLINE
_VALUE = r""""[^\s"<>]*+"|'[^\s'<>]*+'|[^\s"'<>]++"""
_ATTRIBUTE = (
    rf"""(?:[a-z][a-z0-9:._-]{{0,40}}+=(?:{_VALUE})|(?:{_QUIET})\s?=\s?(?:"[^"<>]*+"|'[^'<>]*+')"""
    rf"""|(?:{_ON})(?=[\s/>]))"""
)
# Names are looked up: to try each of them at each sign took most of the time that a page took.
_TAG = re.compile(rf"</?+([a-z][a-z0-9]*+)(?=[\s/>])(?:\s++{_ATTRIBUTE})*+\s*+/?+>")
_IN_LANGUAGE = " xml:lang="
MOST_WORDS = 4
"""Of an attribute that says nothing: names of classes are words, too, and most of them have signs in them."""
_BLANK_WORD = re.compile(r"(?<![^\s\"'])[a-z]{2,80}+(?![^\s\"'])")


def without(points: Points, text: str) -> tuple[Points, Mask]:
    """A shadow, as code points and as the text that they are, with spaces for its tags; and behind which of its
    characters a sentence ends because of one."""
    ends = np.zeros(points.size, np.bool_)
    tags = _TAG.finditer(text) if "<" in text else ()
    known = (tag for tag in tags if _is_known(tag) and ("=" not in tag[0] or _says_nothing(tag[0])))
    found = [(tag.start(), tag.end(), tag[1] not in INLINE) for tag in known]
    if not found:
        return points, ends
    begins, behind, breaks = (np.array(some) for some in zip(*found, strict=True))
    ends[np.maximum(begins[breaks] - 1, 0)] = True
    return blanked(points, begins, behind), ends


def _is_known(tag: re.Match[str]) -> bool:
    """Whether HTML knows its name, or XML what language it is in: "da", "ia" and "se" are words as well."""
    return tag[1] in _NAMES or _IN_LANGUAGE in tag[0]


def _says_nothing(tag: str) -> bool:
    """Whether no attribute of a tag holds a sentence."""
    return tag.isascii() and len(_BLANK_WORD.findall(tag)) <= MOST_WORDS
