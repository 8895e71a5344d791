"""How sentences stand in their text: in an item of a list, a comment, a field or a paragraph, and in what kind of
text."""

import numpy as np
import numpy.typing as npt

from interpose_sanitizer.classifier.sentences import LABEL, Cut, of_words
from interpose_sanitizer.points import Mask, Places, Points, is_digit, preceding, summed
from interpose_sanitizer.shadow import Shadow

MARKS = "-*\u2022+\u2013\u2014>#\"'`\u201e\u201c\u00ab(</;|{[%~_=:\\@"
"""What a line begins with, one after another; a digit and a word are behind them."""
ENDS = ".!?:;,\"')]}>`\u3002"
"""The same for what a sentence ends with."""
KINDS = '\n"<{|:#@/-'
"""Of what there is much in one kind of text, and little in another."""
LONGEST, MOST, FEWEST = 400, 60, 200
"""More characters of a line or sentence, and more lines or sentences, count as so many; of a text, fewer characters."""
_BREAK, _BLANK, _QUOTE, _COLON, _AT, _SLASH, _TICK = map(ord, '\n ":@/`')
_FOREIGN = 0x80
MARK, ENDS_WITH, BEGINS_LINE = range(3)
"""The first of the signs …"""
SIZE = 24 + len(KINDS)
"""… and how many there are."""
Forms = npt.NDArray[np.float64]


def forms(reading: Shadow, cut: Cut, some: Places) -> Forms:
    """A row of signs for some sentences: what their line begins with and they end with; whether they begin the line,
    close it, begin or end a paragraph, stand behind an odd mark of quotation or code; whether the line has a colon near
    its beginning; how long they and the line are and how far down; how many capitals, digits and addresses they hold;
    and what kind of text it is.

    A line ends where one does in the text, not where `\\n` is written; of a sentence that goes on in others it is all
    of these. In readings of what is disguised no capitals are known.
    """
    points, (begins, ends) = reading.points, (edge[some] for edge in cut.edges)
    lines = np.concatenate([[0], np.flatnonzero(points == _BREAK) + 1, [points.size + 1]])
    line, last = (np.searchsorted(lines, edge, "right") - 1 for edge in (begins, ends - 1))
    start, stop = lines[line], lines[last + 1] - 1
    said = np.append(np.flatnonzero(points > _BLANK), points.size)
    is_blank = said.take(np.searchsorted(said, lines), mode="clip") >= np.append(lines[1:], 0) - 1
    colons = np.append(np.flatnonzero(points == _COLON), points.size + LABEL)
    sums = {name: summed(mask) for name, mask in _counted(reading, points).items()}
    before, within, behind = (
        {name: of[edges[1]] - of[edges[0]] for name, of in sums.items()}
        for edges in ((start, begins), (begins, ends), (ends, stop))
    )
    rows = (
        _numbers(MARKS, points[said[np.searchsorted(said, start)]]),
        _numbers(ENDS, points[ends - 1]),
        before["letters"] == 0,
        behind["letters"] == 0,
        (line == 0) | is_blank[line - 1],
        is_blank[last + 1],
        before["quotes"] % 2,
        behind["quotes"] % 2,
        before["ticks"] % 2,
        sums["ticks"][begins] % 2,
        colons[np.searchsorted(colons, start)] - start < LABEL,
        *(np.minimum(length, LONGEST) for length in (stop - start, begins - start, ends - begins)),
        *(np.minimum(far, MOST) for far in (line, lines.size - 2 - last)),
        some / max(cut.sentences, 1),
        *(within[name] / (ends - begins) for name in ("capitals", "digits", "letters", "foreign")),
        within["at"],
        within["addresses"],
    )
    return np.column_stack([np.array(rows, np.float64).T, np.tile(_kind(points, cut), (some.size, 1))])


def _kind(points: Points, cut: Cut) -> list[float]:
    """What kind of text it is: how many sentences it has, and how much of it is of each sign that tells."""
    size = max(points.size, FEWEST)
    return [min(cut.sentences, MOST), *(np.count_nonzero(points == ord(sign)) / size for sign in KINDS)]


def _counted(reading: Shadow, points: Points) -> dict[str, Mask]:
    """What is counted in a sentence, or around it in its line."""
    slash = points == _SLASH
    return {
        "letters": of_words(points) & ~is_digit(points),
        "quotes": points == _QUOTE,
        "ticks": points == _TICK,
        "capitals": reading.is_capital,
        "digits": is_digit(points),
        "foreign": points >= _FOREIGN,
        "at": points == _AT,
        "addresses": slash & preceding(slash),
    }


def _numbers(signs: str, some: Points) -> npt.NDArray[np.int64]:
    """The number of each character among some signs; behind them a digit, and whatever else."""
    known = np.array([ord(sign) for sign in signs])
    found = (some[:, None] == known).argmax(axis=1)
    return np.where(known[found] == some, found, len(signs) + ~is_digit(some))
