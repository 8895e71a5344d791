"""Loading a configuration: what is good, what refuses, and that every fault is told at once."""

import json
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpose.config.file import FILE_BYTES
from interpose.config.load import effective, load
from interpose.contracts.digest import digest
from interpose.errors import ConfigurationError

GOOD = {"name": "a", "service": "b"}
KEY = "a key begins with before: or after:, as in before:message.send"


def hooks(*listed, key="before:Bash") -> str:
    """A file with these hooks under one key, on one line."""
    return json.dumps({"hooks": {key: listed}})


def test_a_good_file_loads(loaded, tmp_path):
    """The configuration, where it came from, its digest, and nothing to warn of."""
    found = loaded(hooks(GOOD))

    assert ["a"] == [hook.name for hook in found.configuration.hooks["before:Bash"]]
    assert tmp_path / "interpose.json" == found.path
    assert found.digest.startswith("sha256:")
    assert () == found.warnings
    with pytest.raises(FrozenInstanceError):
        found.digest = ""


def test_a_relative_path_is_made_whole(write, monkeypatch, tmp_path):
    """Whoever reads the path later may stand in another folder."""
    write(hooks(GOOD))
    monkeypatch.chdir(tmp_path)

    assert tmp_path / "interpose.json" == load(Path("interpose.json")).path


def test_a_file_without_hooks_is_refused(refused):
    """Forgetting the hooks is not the same as wanting none."""
    message = 'a configuration has hooks: write "hooks": {} to enforce nothing on purpose'
    assert [(1, "$", message)] == refused('{"tools": {}}')


@pytest.mark.parametrize("text", ['{"hooks": {}}', '{"hooks": {"before:*": []}}'])
def test_no_hooks_load_with_a_warning(loaded, text):
    """It is a good revision, announced as enforcing nothing."""
    assert ("line 1: $.hooks: no hooks: this configuration enforces nothing",) == loaded(text).warnings


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("befor:message.send", f"did you mean before:message.send? {KEY}"),
        ("Before:Bash", f"did you mean before:Bash? {KEY}"),
        ("before :Bash", f"did you mean before:Bash? {KEY}"),
        ("befor:mcp:x", f"did you mean before:mcp:x? {KEY}"),
        ("aftr: web_fetch", f"did you mean after:web_fetch? {KEY}"),
        ("during:Bash", KEY),
        ("message.send", KEY),
        ("before", KEY),
        ("", KEY),
        ("before:", "a key names a tool behind the colon; before:* means every tool"),
        ("after: ", "a key names a tool behind the colon; after:* means every tool"),
        ("before:a*b", "a star stands alone or at the end, as in before:mcp__github__*"),
    ],
)
def test_a_key_that_is_no_key_refuses(refused, key, message):
    """A misspelt key would switch its rules off; the one that was meant is guessed."""
    ((line, _, told),) = refused(f'{{"hooks": {{\n\n{json.dumps(key)}: [{json.dumps(GOOD)}]}}}}')

    assert (3, message) == (line, told)


@pytest.mark.parametrize("listed", ["{}", "null", '"a"', json.dumps(GOOD)])
def test_hooks_stand_in_lists(refused, listed):
    """One hook is a list of one."""
    text = f'{{"hooks": {{\n"before:*": {listed}}}}}'

    assert [(2, '$.hooks["before:*"]', "must be a list of hooks, in [ and ]")] == refused(text)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("failMode", "rejct", "must be 'reject', 'warn' or 'transform'"),
        ("failMode", [], "must be 'reject', 'warn' or 'transform'"),
        ("onFailure", "ignore", "must be 'reject' or 'warn'"),
        ("mode", "off", "must be 'enforce' or 'shadow'"),
        ("name", "a b", "must match pattern '^[A-Za-z0-9_-]{1,64}$'"),
        ("name", "", "must match pattern '^[A-Za-z0-9_-]{1,64}$'"),
        ("timeout", 0, "must be greater than or equal to 1"),
        ("timeout", 600_001, "must be less than or equal to 600000"),
        ("timeout", "5000", "must be a valid integer"),
        ("timeout", 1.5, "must be a valid integer"),
        ("transform", "yes", "must be true or false"),
        ("script", "", "must have at least 1 character"),
        ("script", "./a.sh", "a hook has exactly one of service and script"),
        ("with", [], "must be an object"),
        ("repeatable", 1, "must be true or false"),
    ],
)
def test_a_wrong_field_refuses(refused, field, value, message):
    """With the line of the field, the path, and what would be right."""
    fields = ",\n".join(f"{json.dumps(name)}: {json.dumps(part)}" for name, part in (GOOD | {field: value}).items())
    line = 1 + list(GOOD | {field: value}).index(field)

    assert [(line, f'$.hooks["before:Bash"][0].{field}', message)] == refused(
        f'{{"hooks": {{"before:Bash": [{{{fields}}}]}}}}'
    )


def test_a_hook_is_served_by_something(refused):
    """Neither service nor script is as wrong as both; the fault stands at the hook."""
    path = '$.hooks["before:Bash"][0].script'
    assert [(1, path, "a hook has exactly one of service and script")] == refused(hooks({"name": "a"}))


def test_a_hook_has_a_name(refused):
    """A missing field is told at the hook that misses it."""
    text = '{"hooks": {"before:*": [\n{"name": "a", "service": "b"},\n{"service": "b"}]}}'

    assert [(3, '$.hooks["before:*"][1].name', "is required")] == refused(text)


@pytest.mark.parametrize("hook", [None, "a", 3, []])
def test_a_hook_is_an_object(refused, hook):
    """Whatever else stands in the list is refused."""
    assert [(1, '$.hooks["before:Bash"][0]', "must be an object")] == refused(hooks(hook))


def test_an_advisory_hook_cannot_stop_on_failure(refused):
    """Two fields that contradict each other are not resolved in silence."""
    message = "a warn hook is advisory and cannot stop a call: use failMode reject, or drop onFailure"
    path = '$.hooks["before:Bash"][0].onFailure'
    assert [(1, path, message)] == refused(hooks(GOOD | {"failMode": "warn", "onFailure": "reject"}))


@pytest.mark.parametrize(
    ("text", "line", "path", "guess"),
    [
        ('{"hooks": {},\n"tool": {}}', 2, "$.tool", "did you mean tools? "),
        ('{"hooks": {},\n"$schema": ""}', 2, '$["$schema"]', ""),
        (
            '{"hooks": {"before:*": [\n{"name": "a", "service": "b",\n"failmode": "warn"}]}}',
            3,
            '$.hooks["before:*"][0].failmode',
            "did you mean failMode? ",
        ),
        (
            '{"hooks": {"before:*": [{"name": "a", "service": "b",\n"fail_mode": "warn"}]}}',
            2,
            '$.hooks["before:*"][0].fail_mode',
            "did you mean failMode? ",
        ),
        ('{"hooks": {}, "tools": {"t": {\n"time": 1}}}', 2, "$.tools.t.time", "did you mean timeout? "),
        ('{"hooks": {}, "tools": {"t": {"executor": {\n"nats": {}}}}}', 2, "$.tools.t.executor.nats", ""),
        ('{"hooks": {},\n"defaults": {"unknown": "allow"}}', 2, "$.defaults.unknown", "did you mean unknownTool? "),
        ('{"hooks": {}, "defaults": {\n"unknown_tool": "reject"}}', 2, "$.defaults.unknown_tool", "did you mean "),
    ],
)
def test_an_unknown_field_refuses_anywhere(refused, text, line, path, guess):
    """With the names that are known at that place, and the one that was probably meant."""
    found = [fault for fault in refused(text) if fault[2].startswith("unknown field")]

    assert [(line, path)] == [fault[:2] for fault in found]
    assert found[0][2].startswith(f"unknown field; {guess}")
    assert "known here: " in found[0][2]


@pytest.mark.parametrize(
    ("executor", "path", "message"),
    [
        ({}, "$.tools.t.executor.http", "an executor is exactly one of bus and http"),
        ({"bus": {"a": 1}}, "$.tools.t.executor.bus", "the bus executor takes no settings: write {}"),
        ({"bus": None}, "$.tools.t.executor.http", "an executor is exactly one of bus and http"),
    ],
)
def test_an_executor_is_one_thing(refused, executor, path, message):
    """And the bus takes no settings."""
    assert [(1, path, message)] == refused(json.dumps({"hooks": {}, "tools": {"t": {"executor": executor}}}))


def test_two_tools_of_one_name_refuse(refused):
    """Names are compared without regard to case, so two entries would be two readings."""
    text = '{"hooks": {}, "tools": {\n"Bash": {},\n"bash": {}}}'

    message = "bash and Bash are one tool, since case does not count: keep one"
    assert [(3, "$.tools.bash", message)] == refused(text)


def test_the_same_name_is_the_same_hook(refused):
    """Under another key, or further down, a name may not mean something else."""
    text = """{"hooks": {
      "before:Bash": [{"name": "a", "service": "b"},
                      {"name": "c", "service": "b"}],
      "before:*": [{"name": "a", "service": "b", "failMode": "warn"},
                   {"name": "c", "service": "b", "timeout": 5000},
                   {"name": "a", "service": "z"}]}}"""

    message = 'a is another hook at $.hooks["before:Bash"][0] (line 2): give one of them another name'
    assert [(4, '$.hooks["before:*"][0]', message), (6, '$.hooks["before:*"][2]', message)] == refused(text)


def test_the_same_hook_may_stand_under_several_keys(loaded):
    """Defaults written out make no difference."""
    text = json.dumps({"hooks": {"before:Bash": [GOOD], "before:*": [GOOD | {"failMode": "reject"}]}})

    assert 2 == len(loaded(text).configuration.hooks)


def test_every_fault_is_told_at_once_in_the_files_order(refused):
    """Whatever kind of fault: nobody mends a file line by line, run by run."""
    text = """{
      "registration": "signed",
      "hooks": {
        "befor:Bash": [],
        "before:Bash": [
          {"name": "a", "failMode": "rejct"},
          {"name": "b", "service": "c", "when": "true"},
          {"name": "c", "service": "d e"}
        ],
        "before:*": {}
      },
      "records": {"a": 1},
      "tools": {"t": {"timeout": 0, "executor": {"http": {}}}},
      "odd": 1
    }"""

    assert [
        (2, "$.registration"),
        (4, '$.hooks["befor:Bash"]'),
        (6, '$.hooks["before:Bash"][0].script'),
        (6, '$.hooks["before:Bash"][0].failMode'),
        (7, '$.hooks["before:Bash"][1].when'),
        (8, '$.hooks["before:Bash"][2].service'),
        (10, '$.hooks["before:*"]'),
        (12, "$.records"),
        (13, "$.tools.t.timeout"),
        (13, "$.tools.t.executor.http"),
        (14, "$.odd"),
    ] == [(line, path) for line, path, _ in refused(text)]


def test_the_refusal_reads_as_a_list(write):
    """The file, then a line for each fault."""
    path = write('{"hooks": {\n"befor:*": []}}')

    with pytest.raises(ConfigurationError) as caught:
        load(path)

    line = f'  line 2: $.hooks["befor:*"]: did you mean before:*? {KEY}'
    assert f"{path} is refused\n{line}" == str(caught.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("interpose.toml", "is neither JSON nor YAML by its name: end it with .json, .yaml or .yml"),
        ("interpose", "is neither JSON nor YAML by its name: end it with .json, .yaml or .yml"),
        ("gone.json", "cannot be read: No such file or directory; check its name and rights"),
        (".json", "is neither JSON nor YAML by its name: end it with .json, .yaml or .yml"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path, name, message):
    """The name of the file and the remedy."""
    path = tmp_path / name
    if name != "gone.json":
        path.write_text('{"hooks": {}}')

    with pytest.raises(ConfigurationError) as caught:
        load(path)

    assert f"{path} {message}" == str(caught.value)


def test_a_folder_is_no_file(tmp_path):
    """Even when it is named like one."""
    (tmp_path / "a.json").mkdir()

    with pytest.raises(ConfigurationError, match="cannot be read: Is a directory"):
        load(tmp_path / "a.json")


def test_a_file_may_be_as_large_as_the_limit(loaded, refused, write):
    """A mebibyte is read, one byte more is not."""
    text = '{"hooks": {}}'.ljust(FILE_BYTES)

    assert {} == loaded(text).configuration.hooks
    path = write(text + " ")
    with pytest.raises(ConfigurationError, match=f"larger than {FILE_BYTES} bytes"):
        load(path)


def test_relative_scripts_stand_beside_the_file(loaded, tmp_path):
    """Wherever the process was started, the script is the one that the author meant."""
    listed = [
        {"name": "a", "script": "./a.sh"},
        {"name": "b", "script": "sub/b.sh"},
        {"name": "c", "script": "/opt/c.sh"},
        {"name": "d", "script": "../d.sh"},
    ]

    scripts = [hook.script for hook in loaded(hooks(*listed)).configuration.hooks["before:Bash"]]
    assert [f"{tmp_path}/a.sh", f"{tmp_path}/sub/b.sh", "/opt/c.sh", f"{tmp_path}/../d.sh"] == scripts


def test_two_spellings_of_one_script_are_one_hook(loaded, tmp_path):
    """Scripts are compared by where they are."""
    text = json.dumps(
        {
            "hooks": {
                "before:Bash": [{"name": "a", "script": "./a.sh"}],
                "before:*": [{"name": "a", "script": f"{tmp_path}/a.sh"}],
            }
        }
    )

    assert 2 == len(loaded(text).configuration.hooks)


def test_the_effective_configuration_has_every_default(loaded):
    """What is in force, with nothing left to guess; loading it again changes nothing."""
    found = loaded(hooks(GOOD))
    document = effective(found.configuration)

    assert {
        "hooks": {
            "before:Bash": [
                {
                    "name": "a",
                    "service": "b",
                    "script": None,
                    "failMode": "reject",
                    "onFailure": None,
                    "timeout": 5000,
                    "transform": False,
                    "when": None,
                    "needs": [],
                    "mode": "enforce",
                    "repeatable": True,
                    "native": False,
                    "sandbox": None,
                    "network": None,
                    "read": None,
                    "write": None,
                    "with": {},
                }
            ]
        },
        "tools": {},
        "toolAliases": {},
        "defaults": {"unknownTool": "allow", "approvalTimeout": 120_000},
        "records": {},
        "registration": "open",
        "gateway": {},
    } == document


@pytest.mark.parametrize(("tool", "told"), [({}, False), ({"actionFrom": None}, True), ({"actionFrom": "/a"}, True)])
def test_silence_about_the_action_stays_silence(loaded, tool, told):
    """An explicit null overrides what is shipped for the tool; silence does not."""
    found = loaded(json.dumps({"hooks": {}, "tools": {"message": tool}}))

    assert told is ("actionFrom" in effective(found.configuration)["tools"]["message"])


def test_the_digest_is_over_the_keys_in_their_order(loaded):
    """Whoever has the effective configuration can compute it."""
    found = loaded(json.dumps({"hooks": {"before:b": [GOOD], "before:a": [GOOD]}}))
    document = effective(found.configuration)

    assert (
        digest(document | {"hooks": [[key, document["hooks"][key]] for key in ("before:b", "before:a")]})
        == found.digest
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"hooks": {"before:*": [GOOD]}}, {"hooks": {"before:*": [GOOD | {"timeout": 5000}]}}),
        ({"hooks": {}, "tools": {"a": {}, "b": {}}}, {"tools": {"b": {}, "a": {}}, "hooks": {}}),
    ],
)
def test_the_same_rules_have_the_same_digest(loaded, one, other):
    """Defaults written out and the order of fields change nothing."""
    assert loaded(json.dumps(one)).digest == loaded(json.dumps(other)).digest


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"hooks": {"before:*": [GOOD]}}, {"hooks": {"before:*": [GOOD | {"timeout": 5001}]}}),
        ({"hooks": {"before:*": [GOOD]}}, {"hooks": {"after:*": [GOOD]}}),
        (
            {"hooks": {"before:Bash": [GOOD], "before:exec": [GOOD | {"name": "c"}]}},
            {"hooks": {"before:exec": [GOOD | {"name": "c"}], "before:Bash": [GOOD]}},
        ),
        ({"hooks": {}, "tools": {"message": {}}}, {"hooks": {}, "tools": {"message": {"actionFrom": None}}}),
    ],
)
def test_other_rules_have_another_digest(loaded, one, other):
    """The order of keys decides who is asked first, and an explicit null pointer is not silence."""
    assert loaded(json.dumps(one)).digest != loaded(json.dumps(other)).digest


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
    """Whatever the file holds: a configuration that loads to itself, or faults with lines, and nothing else."""
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

    assert found.configuration == load(path.with_name("again.json")).configuration
