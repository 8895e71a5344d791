"""Letters that stand apart: i g n o r e, i.g.n.o.r.e, one in each line. Where the words were is lost with them."""

import numpy as np

from interpose_sanitizer.points import Mask, Places, Points, following, preceding, summed, united

FEWEST = 4
"""Links between letters that make it no accident: an initial or two stand apart in honest text."""
FARTHEST = 6
_APART = np.zeros(0x81, np.bool_)
_APART[[ord(sign) for sign in " \t\n._*-/|,~+:;'\"`()[]^=&%#{}<>?\\"]] = True
FEWEST_JOINS = 5
"""Links that make a chain of words a sentence: names of files and functions have fewer."""
_IS_DIGIT = np.isin(np.arange(0x81), [ord(sign) for sign in "0123456789"])
_IS_JOIN, _IS_PATH = (np.isin(np.arange(0x81), [ord(sign) for sign in signs]) for signs in ("_.+-~", "/=\\"))
_UNDERSCORE = ord("_")
_SPACE = 0x20
_GENERAL_PUNCTUATION = (0x2000, 0x206F)
_KOREAN_TAILS = (0x1160, 0x11FF)
_DOTS = (0xB7, 0x2219, 0x22C5, 0x30FB)


def separators(points: Points, plain: Points) -> Places:
    """The places of what stands between letters that stand apart, in a folded text.

    `plain` is it before digits became letters: half of them have to be letters there, or they are a list of numbers.
    """
    apart = _APART.take(np.minimum(points, 0x80).astype(np.uint8)) | _is_mark(points)
    tails = _tails(points)
    singles = np.flatnonzero(_alone(_letters(points) & ~tails, tails))
    if singles.size <= FEWEST:
        return np.zeros(0, np.int64)
    others = np.cumsum(~(apart | tails), dtype=np.int32)
    # Between two of them nothing but what separates: only the second one itself is counted.
    linked = (np.diff(singles) <= FARTHEST) & (np.diff(others[singles]) == 1)
    first, last = _runs(linked)
    told = summed(~_IS_DIGIT.take(np.minimum(plain.take(singles), 0x80)))
    is_told = 2 * (told[last + 1] - told[first]) > last - first
    first, last = first[is_told], last[is_told]
    inside = np.zeros(points.size + 1, np.int8)
    inside[singles[first]] += 1
    inside[singles[last]] -= 1
    return np.flatnonzero((np.cumsum(inside[:-1], dtype=np.int8) > 0) & apart)


def chains(points: Points) -> Places:
    """The places of what joins many words without a space, as_in_this_one_for_once, where it is no path; and
    of the marks around words that are emphasised."""
    small = np.minimum(points, 0x80).astype(np.uint8)
    joins, paths = np.flatnonzero(_IS_JOIN.take(small)), np.flatnonzero(_IS_PATH.take(small))
    words = np.cumsum(points <= _SPACE, dtype=np.int32)
    word = words.take(joins)
    links = np.bincount(word, minlength=int(words[-1]) + 1 if words.size else 1)
    chained = links >= FEWEST_JOINS
    chained[words.take(paths)] = False
    marks = points == _UNDERSCORE
    letters = _letters(points)
    at_edges = np.flatnonzero(marks & (preceding(letters) ^ following(letters)))
    return united(joins[chained.take(word)], at_edges)


def _alone(letters: Mask, tails: Mask) -> Mask:
    """Letters, or syllables of a letter and one or two tails, beside which no other stands."""
    behind = following(letters, 2) | (following(tails, 2) & following(letters, 3))
    beside = preceding(letters | tails) | following(letters) | (following(tails) & behind)
    return letters & ~beside


def _tails(points: Points) -> Mask:
    """What folded Korean writes behind the first letter of a syllable: its vowel, and the consonant that ends it."""
    found: Mask = (points >= _KOREAN_TAILS[0]) & (points <= _KOREAN_TAILS[1])
    return found


def _letters(points: Points) -> Mask:
    ascii_letters = (points >= ord("a")) & (points <= ord("z")) | ((points >= ord("0")) & (points <= ord("9")))
    found: Mask = ascii_letters | ((points > 0xBF) & ~_is_mark(points))
    return found


def _is_mark(points: Points) -> Mask:
    """Dashes and dots beyond ASCII."""
    found: Mask = (points >= _GENERAL_PUNCTUATION[0]) & (points <= _GENERAL_PUNCTUATION[1])
    for dot in _DOTS:
        found |= points == dot
    return found


def _runs(linked: Mask) -> tuple[Places, Places]:
    """The first and the last letter of each run of links that is long enough."""
    edges = np.flatnonzero(np.diff(linked.astype(np.int8), prepend=0, append=0))
    begins, ends = edges[::2], edges[1::2]
    long = ends - begins >= FEWEST
    return begins[long], ends[long]
