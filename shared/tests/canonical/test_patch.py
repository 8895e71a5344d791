"""What a patch touches, and whose rules it meets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpose.canonical.canonicalize import canonicalize
from interpose.canonical.patch import MOST_FILES, parse
from interpose.errors import InvalidInput


def text(*lines, end="\n"):
    """A framed patch."""
    return "\n".join(["*** Begin Patch", *lines, "*** End Patch"]) + end


def told(patch):
    """Its targets in short."""
    return [(target.operation.value, target.path) for target in patch.targets]


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (text("*** Add File: a", "+x"), [("add", "a")]),
        (text("*** Add File: a b.txt"), [("add", "a b.txt")]),
        (text("*** Add File: a", "+x", end=""), [("add", "a")]),
        (text("*** Add File: a", "+x").replace("\n", "\r\n"), [("add", "a")]),
        (text("*** Environment ID: e", "*** Delete File: a"), [("delete", "a")]),
        (text("*** Update File: a", "@@ def f():", "-1", "+2", " 3", "", "*** End of File"), [("update", "a")]),
        (text("*** Update File: a", "*** Move to: b", "@@", "-1", "+2"), [("move", "a"), ("move", "b")]),
        (text("*** Add File: a", "+*** Delete File: z", "*** Delete File: b"), [("add", "a"), ("delete", "b")]),
        (text("*** Update File: a", "-*** Add File: z", " *** Add File: y", "+*** End Patch"), [("update", "a")]),
    ],
)
def test_a_patch_that_parses_whole(patch, expected):
    """A header counts only where the grammar has one; what stands in a file's lines is content."""
    read = parse(patch)

    assert expected == told(read)
    assert read.is_whole


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ("", []),
        (None, []),
        (["*** Add File: a"], []),
        (text(), []),
        ("*** Begin Patch\n*** Add File: a\n+x", [("add", "a")]),
        (" *** Begin Patch\n*** Add File: a\n*** End Patch", [("add", "a")]),
        (text("*** Add File: a", "x"), [("add", "a")]),
        (text("*** Add File: "), [("add", "")]),
        (text("*** Add File: a\x00b"), [("add", "a\x00b")]),
        (text("*** add file: a"), [("add", "a")]),
        (text("*** Add File: a", "+x", " *** Delete File: b"), [("add", "a"), ("delete", "b")]),
        (text("*** Delete File: a", "*** Move to: b"), [("delete", "a"), ("move", "b")]),
        (text("*** Update File: a", "@@", "*** Move to: b"), [("update", "a"), ("move", "b")]),
        (text("*** Delete File: a", "+x"), [("delete", "a")]),
        (text("*** Add File: a", "*** End Patch", "*** Delete File: b"), [("add", "a"), ("delete", "b")]),
        (text("*** Update File: a") + text("*** Delete File: b"), [("update", "a"), ("delete", "b")]),
        ("<<EOF\n" + text("*** Add File: a") + "EOF", [("add", "a")]),
    ],
)
def test_a_patch_that_does_not(patch, expected):
    """Is marked, and every line that could be a header to somebody names a target."""
    read = parse(patch)

    assert expected == told(read)
    assert not read.is_whole


@pytest.mark.parametrize(
    ("lines", "names", "operations"),
    [
        (["*** Add File: a", "+x"], {"edit", "apply_patch", "write"}, ["add"]),
        (["*** Update File: a", "@@", "+x"], {"edit", "apply_patch"}, ["update"]),
        (["*** Delete File: a"], {"edit", "apply_patch", "write"}, ["delete"]),
        (["*** Update File: a", "*** Move to: b"], {"edit", "apply_patch", "write"}, ["move", "move"]),
        (["*** Add File: a", "x"], {"edit", "apply_patch", "write"}, ["unparsed", "add"]),
        (["?"], {"edit", "apply_patch", "write"}, ["unparsed"]),
    ],
)
@pytest.mark.parametrize(
    ("platform", "argument"),
    [("codex", "command"), ("openclaw", "input"), ("opencode", "patchText"), (None, "raw"), ("copilot", "patch")],
)
def test_whose_rules_a_patch_meets(lines, names, operations, platform, argument):
    """Wherever its text stands: those for `Edit`, and for `Write` as well when a file may appear or go."""
    patch = text(*lines)
    found = canonicalize("apply_patch", None, {argument: patch}, platform=platform)

    assert ("Edit", "FilePatch", {"patch": patch}) == (found.identity.canonical, found.identity.kind, found.parameters)
    assert names == found.identity.names.tools
    assert operations == [target.operation for target in found.identity.targets]


def test_a_patch_of_too_many_files():
    """Is refused: no hook is asked about a list that was cut."""
    with pytest.raises(InvalidInput, match="at most 1000 files"):
        parse(text(*["*** Delete File: a"] * (MOST_FILES + 1)))


@given(st.lists(st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"])), max_size=5))
def test_content_is_never_a_header(lines):
    """Whatever a new file holds, the patch adds that one file."""
    read = parse(text("*** Add File: a", *(f"+{line}" for line in lines)))

    assert ([("add", "a")], True) == (told(read), read.is_whole)


@given(st.text(st.sampled_from("*+- @\n"), max_size=10), st.sampled_from(["*** Add File: b", "*** Delete File: b"]))
def test_a_header_is_never_lost(before, header):
    """A line of its own that is a header names its target, whatever stands before it."""
    read = parse(text("*** Update File: a", before, header))

    assert "b" in [target.path for target in read.targets]
