"""The characters without width, and the kinds of neighbours that give some of them a purpose, as ranges.

Sources: Unicode 16, Default_Ignorable_Code_Point; UAX 9 (bidirectional), UAX 31 (joiners), UTS 51 (emoji),
chapter 23 of the core specification (format characters).
"""

from collections.abc import Iterable

Ranges = tuple[tuple[int, int], ...]
"""Code points from the first to the last of each pair, both included."""


def points(ranges: Ranges) -> Iterable[int]:
    """Each of them."""
    return (point for first, last in ranges for point in range(first, last + 1))


SOFT_HYPHEN = ((0x00AD, 0x00AD),)
GRAPHEME_JOINER = ((0x034F, 0x034F),)
ZERO_WIDTH_SPACE = ((0x200B, 0x200B),)
NON_JOINER = ((0x200C, 0x200C),)
JOINER = ((0x200D, 0x200D),)
DIRECTION_MARKS = ((0x061C, 0x061C), (0x200E, 0x200F))
WORD_JOINERS = ((0x2060, 0x2064),)
"""The word joiner, and the operators that mathematics leaves unwritten."""
BYTE_ORDER_MARK = ((0xFEFF, 0xFEFF),)
OBJECT_REPLACEMENT = ((0xFFFC, 0xFFFC),)
EMOJI_SELECTORS = ((0xFE0E, 0xFE0F),)
SELECTORS = ((0xFE00, 0xFE0D),)
IDEOGRAPH_SELECTORS = ((0xE0100, 0xE01EF),)
TAGS = ((0xE0000, 0xE007F),)
ISOLATES, END_OF_ISOLATE = frozenset("\u2066\u2067\u2068"), "\u2069"
EMBEDDINGS, OVERRIDES, END_OF_EMBEDDING = frozenset("\u202a\u202b"), frozenset("\u202d\u202e"), "\u202c"
DIRECTION = ISOLATES | EMBEDDINGS | OVERRIDES | {END_OF_ISOLATE, END_OF_EMBEDDING}

WITHOUT_WIDTH: Ranges = (
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
    (0xFFF0, 0xFFFC),
    (0x1BCA0, 0x1BCA3),
    (0x1D159, 0x1D159),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
ZERO_WIDTH = frozenset(map(chr, points(WITHOUT_WIDTH)))

RIGHT_TO_LEFT: Ranges = (
    (0x0590, 0x08FF),
    (0xFB1D, 0xFDFF),
    (0xFE70, 0xFEFC),
    (0x10800, 0x10FFF),
    (0x1E800, 0x1EFFF),
)
JOINING: Ranges = (
    (0x0600, 0x08FF),
    (0x0900, 0x0DFF),
    (0x0F00, 0x109F),
    (0x1780, 0x18AF),
    (0x1900, 0x1AAF),
    (0x1B00, 0x1C4F),
    (0xA800, 0xA8FF),
    (0xA980, 0xAAFF),
    (0xABC0, 0xABFF),
    (0xFB50, 0xFDFF),
    (0xFE70, 0xFEFE),
    (0x10A00, 0x10D3F),
    (0x11000, 0x11FFF),
    (0x1E900, 0x1E95F),
)
"""Scripts whose letters take their form from their neighbours: Arabic and its kin, those of India and around it."""
WITHOUT_SPACES: Ranges = (
    (0x0E00, 0x109F),
    (0x1780, 0x17FF),
    (0x1950, 0x1AAF),
    (0x1B00, 0x1B7F),
    (0x2E80, 0x9FFF),
    (0xA980, 0xAAFF),
    (0xAC00, 0xD7AF),
    (0xF900, 0xFAFF),
    (0xFF00, 0xFF9F),
    (0x20000, 0x3FFFF),
)
"""Scripts that mark where a line may break, since they write no spaces between words."""
BREAKS: Ranges = tuple((ord(one), ord(one)) for one in "_/.-:=?&@#")
"""What stands between the parts of long names and addresses, behind which documentation lets a line break."""
IDEOGRAPH: Ranges = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))
PICTURE: Ranges = (
    *((point, point) for point in (0xA9, 0xAE, 0x203C, 0x2049, 0x2122, 0x2139, 0x3030, 0x303D, 0x3297, 0x3299)),
    (0x2190, 0x21FF),
    (0x2300, 0x23FF),
    (0x2460, 0x24FF),
    (0x25A0, 0x27BF),
    (0x2900, 0x297F),
    (0x2B00, 0x2BFF),
    (0x1F000, 0x1FAFF),
)
KEYCAP: Ranges = ((0x30, 0x39), (0x23, 0x23), (0x2A, 0x2A))
ZERO: Ranges = ((0x30, 0x30),)
BLACK_FLAG: Ranges = ((0x1F3F4, 0x1F3F4),)

NEIGHBOURS: tuple[tuple[Ranges, Ranges], ...] = (
    (((0x115F, 0x1160),), ((0x1100, 0x115E), (0x1161, 0x11FF), (0xA960, 0xA97F), (0xD7B0, 0xD7FF))),
    (((0x3164, 0x3164),), ((0x3131, 0x3163), (0x3165, 0x318E))),
    (((0x17B4, 0x17B5),), ((0x1780, 0x17FF),)),
    (((0x180B, 0x180F),), ((0x1800, 0x18AF),)),
    (((0x1BCA0, 0x1BCA3),), ((0x1BC00, 0x1BC9F),)),
    (((0x1D159, 0x1D159), (0x1D173, 0x1D17A)), ((0x1D100, 0x1D1FF),)),
)
"""Characters of one script or notation, and the neighbours of which one must be there."""
