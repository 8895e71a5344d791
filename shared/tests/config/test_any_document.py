"""Any document whatever loads, or refuses with places."""

import json

from hypothesis import given
from hypothesis import strategies as st

from interpose.config.load import effective, load
from interpose.errors import ConfigurationError

FIELDS = sorted(
    {"hooks", "tools", "executor", "bus", "http", "defaults", "unknownTool", "records", "registration", "odd"}
    | {"before:*", "before:Bash", "after:mcp__x", "befor:x", "token", "t"}
    | {"name", "service", "script", "failMode", "onFailure", "timeout", "transform", "when", "needs", "mode", "with"}
)
words = st.sampled_from(["a", "b", "reject", "warn", "transform", "open", "ask", "./x", "", "\ud83d\ude00"])
parts = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=4),
    max_leaves=12,
)
listed = st.fixed_dictionaries(
    {"name": st.sampled_from("ab"), "service": words}, optional=dict.fromkeys(("failMode", "mode", "with"), parts)
)
documents = st.fixed_dictionaries(
    {"hooks": st.dictionaries(st.sampled_from(["before:*", "after:*"]), st.lists(listed, max_size=3)) | parts},
    optional=dict.fromkeys(("tools", "defaults", "registration"), parts),
)


@given(documents | parts, st.sampled_from(["interpose.json", "interpose.yaml", "openclaw.json"]))
def test_any_document_loads_or_has_placed_faults(tmp_path_factory, document, name):
    """Whatever the file holds: a configuration whose effective form means the same, or faults with lines."""
    path = tmp_path_factory.getbasetemp() / name
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False), encoding="utf-8", errors="replace")
    try:
        found = load(path)
    except ConfigurationError as error:
        places = [(fault.line, fault.column) for fault in error.faults]
        assert places
        assert places == sorted(places)
        assert all(line and column for line, column in places)
        return
    path.with_name("again.json").write_text(json.dumps(effective(found.configuration)))

    again = load(path.with_name("again.json"))
    assert (effective(found.configuration), found.digest) == (effective(again.configuration), again.digest)
