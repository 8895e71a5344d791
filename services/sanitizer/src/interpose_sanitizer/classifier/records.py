"""Lines that programs write for programs: of a log, a zone, a list of keys.

They have words enough to be scored, and none of them is said to anybody: names of hosts, of fields and of types of
records, numbers, keys.
"""

import re

LEAST_NUMBERS = 2
"""Parts with digits that a record has at least."""
LEAST_SAID = 2
"""Words, each standing free, that say something."""
_DIGIT = re.compile("[0-9]")
_FREE_WORD = re.compile(r"[\"'(\[{<*]{0,3}+[^\W\d_]{2,}+(?:['-][^\W\d_]++)*+[\"')\]}>*.,;:!?]{0,3}+")
"""A word with nothing but marks around it: no number, no option, no path and no name of a host."""
_OF_RECORDS = frozenset(("in", "txt", "ns", "soa", "mx", "cname", "ptr", "srv", "rrsig", "dnskey", "nsec"))
"""Words of zones, which nobody says."""
_COMMANDS = re.compile(r"[|&;$`]")
_KEY = "[a-z]{1,20}(?:_[a-z]{0,20})?"
"""A word or two: a longer one could say something."""
_NUMBER = rf"(?:(?-i:[A-Z])[a-z]{{1,20}}\()?{_KEY}=['\"]?(?:True|False|None|[0-9.:+-]{{1,40}})['\"]?"
_ARGUMENTS = re.compile(
    rf"(?i)['\"]?[)\]}}]{{0,4}},?\s?(?:{_NUMBER}(?:[)\]}}]{{1,4}},?\s?|,\s?|\Z)){{1,8}}+"
    rf"|,?\s?{_KEY}=['\"]?[\w.+]{{1,40}}@[\w.-]{{1,60}}['\"]?,?"
)
"""Arguments with names, as a program prints them, maybe behind the name of a class, and no other call: numbers and the
like, or one address; no words."""
_HOST = re.compile(r"[\w-]{1,63}+(?:\.[\w-]{1,63}+){1,8}+\.?")


def is_record(said: str) -> bool:
    """Whether what stands between two blanks is mostly no word, and is no command with another behind it. Only of ASCII
    can that be told by its blanks."""
    if not said.isascii() or _COMMANDS.search(said):
        return False
    if _HOST.fullmatch(said) or _ARGUMENTS.fullmatch(said):
        return True
    parts = said.split()
    numbers = sum(_DIGIT.search(part) is not None for part in parts)
    words = [part for part in parts if _FREE_WORD.fullmatch(part) and part.lower() not in _OF_RECORDS]
    return len(words) < LEAST_SAID and numbers >= LEAST_NUMBERS and parts[0] not in words
