"""The characters without width, and the kinds of neighbours that give some of them a purpose.

Sources: Unicode 16, Default_Ignorable_Code_Point; UAX 9 (bidirectional), UAX 31 (joiners), UTS 51 (emoji),
chapter 23 of the core specification (format characters).
"""

import re


def _points(*ranges: tuple[int, int]) -> frozenset[str]:
    return frozenset(chr(point) for first, last in ranges for point in range(first, last + 1))


SOFT_HYPHEN = "\u00ad"
GRAPHEME_JOINER = "\u034f"
ZERO_WIDTH_SPACE = "\u200b"
JOINERS = frozenset("\u200c\u200d")
ZWJ = "\u200d"
DIRECTION_MARKS = frozenset("\u200e\u200f\u061c")
WORD_JOINERS = _points((0x2060, 0x2064))
"""The word joiner, and the operators that mathematics leaves unwritten."""
BYTE_ORDER_MARK = "\ufeff"
EMOJI_SELECTORS = frozenset("\ufe0e\ufe0f")
SELECTORS = _points((0xFE00, 0xFE0F))
IDEOGRAPH_SELECTORS = _points((0xE0100, 0xE01EF))
TAGS = _points((0xE0000, 0xE007F))
ISOLATES, END_OF_ISOLATE = frozenset("\u2066\u2067\u2068"), "\u2069"
EMBEDDINGS, OVERRIDES, END_OF_EMBEDDING = frozenset("\u202a\u202b"), frozenset("\u202d\u202e"), "\u202c"
DIRECTION = ISOLATES | EMBEDDINGS | OVERRIDES | {END_OF_ISOLATE, END_OF_EMBEDDING}
TURN = re.compile(f"[{''.join(sorted(DIRECTION))}]")

_WITHOUT_WIDTH = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
ZERO_WIDTH = _points(*_WITHOUT_WIDTH)
# Spelled as ranges: `re` tries characters beyond the first plane one by one.
RUN = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in _WITHOUT_WIDTH) + "]+")

LETTER = re.compile(r"[^\W\d_]")
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
JOINING = re.compile(
    "[\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\u1900-\u1aaf\u1b00-\u1c4f\ua800-\ua8ff\ua980-\uaaff\uabc0-\uabff"
    "\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00010d3f\U00011000-\U00011fff\U0001e900-\U0001e95f]"
)
"""Scripts whose letters take their form from their neighbours: Arabic and its kin, those of India and around it."""
WITHOUT_SPACES = re.compile(
    "[\u0e00-\u109f\u1780-\u17ff\u1950-\u1aaf\u1b00-\u1b7f\u2e80-\u9fff\ua980-\uaaff\uac00-\ud7af\uf900-\ufaff\uff00-\uff9f"
    "\U00020000-\U0003ffff]"
)
"""Scripts that mark where a line may break, since they write no spaces between words."""
IDEOGRAPH = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
PICTURE = re.compile(
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
KEYCAP = re.compile("[0-9#*]")
FLAG = "\U0001f3f4"
REGIONS = re.compile(r"gb(?:eng|sct|wls)|us[a-z]{2}|ca[a-z]{2}")
"""Flags of parts of countries that are in use, as the tags behind a black flag spell them."""

NEIGHBOURS = {
    re.compile("[\u115f\u1160]"): re.compile("[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]"),
    re.compile("\u3164"): re.compile("[\u3131-\u318e]"),
    re.compile("[\u17b4\u17b5]"): re.compile("[\u1780-\u17ff]"),
    re.compile("[\u180b-\u180f]"): re.compile("[\u1800-\u18af]"),
    re.compile("[\U0001bca0-\U0001bca3]"): re.compile("[\U0001bc00-\U0001bc9f]"),
    re.compile("[\U0001d173-\U0001d17a]"): re.compile("[\U0001d100-\U0001d1ff]"),
}
"""Characters of one script or notation, and the neighbours of which one must be there."""
