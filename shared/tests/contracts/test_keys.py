"""Hook keys: what they say and what they meet."""

import pytest

from interpose.contracts.keys import Key, Names, Rank
from interpose.contracts.names import fold, token
from interpose.contracts.words import Phase


@pytest.mark.parametrize(
    ("text", "phase", "pattern"),
    [
        ("before:*", Phase.BEFORE, "*"),
        ("after:Bash", Phase.AFTER, "bash"),
        ("before:message.send", Phase.BEFORE, "message.send"),
        ("before:mcp__GitHub__*", Phase.BEFORE, "mcp__github__*"),
        ("before: Bash ", Phase.BEFORE, "bash"),
        ("before:urn:tool", Phase.BEFORE, "urn:tool"),
    ],
)
def test_a_key_is_a_phase_and_a_pattern(text, phase, pattern):
    """Read at the first colon, folded as names are."""
    assert Key(text, phase, pattern) == Key.parse(text)


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("Bash", "a key begins with before: or after:"),
        ("befor:Bash", "a key begins with before: or after:"),
        ("Before:Bash", "a key begins with before: or after:"),
        (":Bash", "a key begins with before: or after:"),
        ("before:", r"before:\* means every tool"),
        ("after: ", r"after:\* means every tool"),
        ("before:*x", "a star stands alone or at the end"),
        ("before:a*b*", "a star stands alone or at the end"),
        ("before:**", "a star stands alone or at the end"),
    ],
)
def test_what_is_no_key_is_refused(text, remedy):
    """With what to write instead."""
    with pytest.raises(ValueError, match=remedy):
        Key.parse(text)


MESSAGE = ({"message"}, "send")
UNTOLD = ({"message"}, None)


@pytest.mark.parametrize(
    ("pattern", "called", "rank"),
    [
        ("*", MESSAGE, Rank.EVERYTHING),
        ("*", UNTOLD, Rank.EVERYTHING),
        ("message", MESSAGE, Rank.TOOL),
        ("message", UNTOLD, Rank.TOOL),
        ("MESSAGE", MESSAGE, Rank.TOOL),
        ("other", MESSAGE, None),
        ("messages", MESSAGE, None),
        ("mess*", MESSAGE, Rank.PREFIX),
        ("message*", MESSAGE, Rank.PREFIX),
        ("messages*", MESSAGE, None),
        ("message.*", MESSAGE, Rank.PREFIX),
        ("message.*", UNTOLD, Rank.PREFIX),
        ("message.se*", MESSAGE, Rank.PREFIX),
        ("message.se*", UNTOLD, Rank.PREFIX),
        ("message.de*", MESSAGE, None),
        ("message.de*", UNTOLD, Rank.PREFIX),
        ("messages.de*", UNTOLD, None),
        ("message.send", MESSAGE, Rank.TOOL_ACTION),
        ("Message.SEND", MESSAGE, Rank.TOOL_ACTION),
        ("message.send", UNTOLD, Rank.TOOL_ACTION),
        ("message.delete", MESSAGE, None),
        ("message.delete", UNTOLD, Rank.TOOL_ACTION),
        ("other.send", MESSAGE, None),
        ("other.send", UNTOLD, None),
        ("message.send", ({"message.send"}, None), Rank.TOOL),
        ("message", ({"message.send"}, None), None),
        ("a.b.c", ({"a.b"}, "c"), Rank.TOOL_ACTION),
        ("a.b.c", ({"a"}, "b.c"), Rank.TOOL_ACTION),
        ("a.b.c", ({"a"}, None), None),
        ("a.b.c", ({"a.b"}, None), Rank.TOOL_ACTION),
        ("edit", ({"edit", "apply_patch"}, None), Rank.TOOL),
        ("apply_patch", ({"edit", "apply_patch"}, None), Rank.TOOL),
    ],
)
def test_what_a_key_meets(pattern, called, rank):
    """The name whole first, then `tool.action`; where no action is told, every action's key."""
    assert rank == Key.parse(f"before:{pattern}").match(Names.of(*called))


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Bash", "bash"),
        (" Bash\n", "bash"),
        ("\uff22ASH", "bash"),
        ("STRASSE", "strasse"),
        ("straße", "strasse"),
        ("ﬁle", "file"),
    ],
)
def test_names_are_compared_folded(name, folded):
    """Width, case, ligatures and white space around make no other tool."""
    assert folded == fold(name)


@pytest.mark.parametrize("name", ["Bash", "web_fetch", "a-b", "x" * 64, "x" + "g" * 32, "x" + "A" * 32])
def test_plain_names_are_their_own_tokens(name):
    """Letters, digits, dash and underscore, up to 64."""
    assert name == token(name)


@pytest.mark.parametrize("name", ["", "a.b", "a b", "*", ">", "ä", "x" * 65, "x" + "0" * 32, "a\n", "\ud800"])
def test_all_other_names_are_hashed(name):
    """Also a plain one that looks hashed, so that no two names share a token."""
    hashed = token(name)

    assert hashed != name
    assert hashed == token(hashed[:0] + name)
    assert (33, "x", hashed) == (len(hashed), hashed[0], hashed.lower())
    assert hashed.isalnum()
