"""Honest lines that lead somewhere: a newsletter, a shop or a bank writes an address with a long query behind them.

Addresses stand in most attacks that carry something away, and in few honest lines of our own. What tells one from the
other is what is said before them.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence

from training.sources import Example

SHARE, LONGEST = 24, 100
"""Of 256 lines so many are given an address, none that is longer than this, in characters."""
_FORMS = (
    "{said}: {address}",
    "{said} {address}",
    "{said} \u2192 {address}",
    "{said}\n{address}",
    "[{said}]({address})",
)
_TAG = '<a href="{address}">{said}</a>'
_FIRST = ("click", "t", "go", "news", "c", "link", "r", "klik", "mail", "track", "e", "m", "info", "my")
_NAMES = (
    "ashdown",
    "belmora",
    "corvalo",
    "dunmere",
    "estrel",
    "falkow",
    "grenoa",
    "hostira",
    "ilmari",
    "jadwin",
    "koriba",
)
_MORE = ("shop", "post", "bank", "care", "news", "club", "reise", "haus", "web", "-online", "-mail")
_PATHS = ("c", "r/{n}", "view", "o/{n}", "unsubscribe", "u/{h}", "confirm", "t/{h}/{n}", "reset", "e/{n}/{h}", "list")
_QUERIES = (
    *("u={n}&m={k}&l=photos", "id={h}&k={k}", "uid={{{{uid}}}}", "token={h}", "utm_source=letter&utm_medium=email"),
    *("e={h}&t={n}", "lang=en&ref={k}", "mail=a.b%40post.example", "session={h}", "k={h}&next=%2Fhome", ""),
)


def linked(some: Iterable[Example]) -> Iterator[Example]:
    """Those of some honest lines that are given an address; by chance that is always the same."""
    for one in some:
        dice = hashlib.sha256(f"address {one.text}".encode()).digest()
        if one.is_whole or one.orders or len(one.text) > LONGEST or "\n" in one.text or dice[0] >= SHARE:
            continue
        form = _chosen((*_FORMS, _TAG), dice[1])
        yield Example(form.format(said=one.text.rstrip(".:"), address=_address(dice)), is_close=False)


def _address(dice: bytes) -> str:
    known = {"n": int.from_bytes(dice[10:12], "big"), "k": dice[12], "h": dice[13 : 13 + 4 + dice[20] % 8].hex()}
    host = f"{_chosen(_FIRST, dice[2])}.{_chosen(_NAMES, dice[3])}{_chosen(_MORE, dice[4])}.example"
    path, query = (_chosen(some, number).format(**known) for some, number in ((_PATHS, dice[5]), (_QUERIES, dice[6])))
    return f"https://{host}/{path}?{query}".rstrip("?")


def _chosen(some: Sequence[str], number: int) -> str:
    return some[number % len(some)]
