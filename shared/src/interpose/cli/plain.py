"""Text of others on a terminal: reasons, tool names and logs may hold escape sequences, and none gets through."""

REPLACED = "\N{REPLACEMENT CHARACTER}"


def plain(text: str, *, lines: bool = False) -> str:
    """The text with everything unprintable replaced; line ends and tabs stay where `lines` allows them."""
    kept = "\n\t" if lines else ""
    return "".join(char if char.isprintable() or char in kept else REPLACED for char in text)


def shorten(text: str, width: int) -> str:
    """One line of at most `width` characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"
