"""Domain models: every kind is itself when it is read back, whatever it holds, and a patch's views."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpose.canonical.table import table
from interpose.platforms.domain import DOMAIN, KINDS, domain_of, views
from interpose.platforms.kinds import Domain, FileEdit, FilePatch, FileWrite
from interpose.platforms.mapping import canonical_names
from interpose.platforms.normal import NormalForm
from interpose.platforms.normalise import normalise
from interpose.platforms.read import read

FOLDER = Path(__file__).parents[3] / "tests" / "fixtures" / "platforms"
PAIRS = sorted(FOLDER.glob("*/*.expected.json"))
NAMES = sorted(
    {name for row in table().rows for name in canonical_names(row.canonical or "")} | {"kind", "tool", "extra"}
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
    max_leaves=5,
)
ARGUMENTS = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=6)


def again(model: Domain) -> Domain:
    """Written as JSON and read back by the discriminator."""
    return DOMAIN.validate_json(model.model_dump_json(by_alias=True, exclude_unset=False))


@given(kind=st.sampled_from(sorted(KINDS)), canonical=ARGUMENTS, extra=ARGUMENTS)
def test_reading_back_never_changes_the_kind(kind, canonical, extra):
    """Nor anything else: a name or a kind among the arguments is an argument."""
    model = domain_of(NormalForm("codex", "pre", "its own", "Any", kind, canonical, extra, call_id="c\n1"))

    assert type(model) is KINDS[kind]
    assert model == again(model)
    assert (kind, "its own", "c\n1", extra) == (model.model_dump()["kind"], model.tool, model.call_id, model.extra)


@given(kind=st.sampled_from(sorted(KINDS)), canonical=ARGUMENTS)
def test_no_argument_is_lost(kind, canonical):
    """Each stands in its field, or beside the fields as it came."""
    model = domain_of(NormalForm("codex", "pre", "t", "Any", kind, canonical, {}))

    told = json.loads(model.model_dump_json(by_alias=True))
    assert canonical == {name: (model.arguments if name in model.arguments else told)[name] for name in canonical}


@pytest.mark.parametrize("path", PAIRS, ids=lambda path: f"{path.parent.name}/{path.name.split('.')[0]}")
def test_every_argument_of_a_pair_has_its_field(path):
    """But for kinds whose arguments are somebody else's."""
    wanted = json.loads(path.read_text())
    event = read(path.parent.name, path.with_name(path.name.replace(".expected", "")).read_bytes())

    model = domain_of(normalise(event, servers=wanted.get("known_servers", ())))

    assert wanted["domain_kind"] == model.model_dump()["kind"]
    assert model == again(model)
    if wanted["domain_kind"] not in ("Mcp", "Message"):
        assert {} == model.arguments


def test_there_is_a_model_for_every_kind_of_the_table():
    """And for what only an event can be."""
    assert {row.kind for row in table().rows} | {"Install"} == set(KINDS)


def test_a_patch_is_a_write_and_an_edit_beside_itself():
    """Each file with the whole patch as its text, and with the tool and the call that it belongs to."""
    text = (
        "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n@@\n-x\n+y\n*** Delete File: c\n"
        "*** Update File: d\n*** Move to: e\n@@\n-x\n+y\n*** End Patch"
    )
    payload = json.loads((FOLDER / "codex" / "pre_apply_patch_add.json").read_text()) | {
        "tool_input": {"command": text}
    }
    patch = domain_of(normalise(read("codex", payload)))
    assert isinstance(patch, FilePatch)

    found = views(patch)

    assert [(FileWrite, "a"), (FileEdit, "b"), (FileEdit, "d"), (FileWrite, "e")] == [
        (type(view), view.file_path) for view in found
    ]
    assert {("apply_patch", "call_Zk3nq0b1vR8s2TtY")} == {(view.tool, view.call_id) for view in found}
    written, edited = found[0], found[1]
    assert isinstance(written, FileWrite)
    assert isinstance(edited, FileEdit)
    assert (text, "", text, False) == (written.content, edited.old_string, edited.new_string, edited.replace_all)
