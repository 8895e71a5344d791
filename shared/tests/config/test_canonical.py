"""What a file may say about the canonical form of calls: further names, and who makes the form."""

import json

import pytest


def text(**fields):
    """A file without hooks."""
    return json.dumps({"hooks": {}, **fields})


def test_aliases_and_the_canonicalizer(loaded):
    """Are read; silence means the service, with 5 seconds."""
    said = loaded(text(toolAliases={"sh": "Bash"}, gateway={"canonicalizer": "inline", "canonicalizerTimeout": 1}))
    silent = loaded(text())

    assert ({"sh": "Bash"}, "inline", 1) == (
        said.configuration.tool_aliases,
        said.configuration.gateway.canonicalizer,
        said.configuration.gateway.canonicalizer_timeout,
    )
    assert ("service", 5000) == (
        silent.configuration.gateway.canonicalizer,
        silent.configuration.gateway.canonicalizer_timeout,
    )


@pytest.mark.parametrize(
    ("fields", "path", "message"),
    [
        (
            {"toolAliases": {"Bash": "Read"}},
            "$.toolAliases.Bash",
            "Bash is known as Bash: as Read it would pass the rules for Bash",
        ),
        ({"toolAliases": {"a": "a"}}, "$.toolAliases.a", "a leads back to itself: an alias ends at a tool"),
        (
            {"toolAliases": {"a": "Bash"}, "tools": {"A": {}}},
            "$.toolAliases.a",
            "A is a tool of this file: a name stands for one tool",
        ),
    ],
)
def test_an_alias_that_would_hide_a_tool_refuses(refused, fields, path, message):
    """With its place and its reason."""
    assert [(1, path, message)] == refused(text(**fields))


@pytest.mark.parametrize("gateway", [{"canonicalizer": "off"}, {"canonicalizerTimeout": 0}, {"port": 1}])
def test_nothing_else_stands_in_the_gateways_section(refused, gateway):
    """The canonicalizer cannot be switched off."""
    ((_, path, _),) = refused(text(gateway=gateway))

    assert f"$.gateway.{next(iter(gateway))}" == path


def test_no_hook_takes_the_canonicalizers_name(refused):
    """It would stand for it in answers and records."""
    hook = {"name": "canonicalizer", "service": "mine"}

    assert [
        (
            1,
            '$.hooks["before:*"][0].name',
            "canonicalizer is the first hook of every call and always there: give this hook another name",
        )
    ] == refused(json.dumps({"hooks": {"before:*": [hook]}}))


def test_a_key_for_an_alias_can_match(loaded):
    """A rule may be written with a further name, and one that nobody has is still told of."""
    hooks = {f"before:{name}": [{"name": name, "service": "b"}] for name in ("sh", "sch")}
    warnings = loaded(text(hooks=hooks, toolAliases={"sh": "Bash"}, tools={"t": {}})).warnings

    assert ['$.hooks["before:sch"]'] == [warning.split(": ")[1] for warning in warnings if "no known tool" in warning]
