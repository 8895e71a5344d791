"""Tools that ship with their request: `{}` is enough for them, and for no other."""

import json

import pytest

from interpose.config.load import effective
from interpose.config.shipped import shipped_tools
from interpose.contracts.http_tool import VARIABLE, HttpTool


def tools(**executors) -> str:
    """A file with these tools behind HTTP."""
    return json.dumps({"hooks": {}, "tools": {name: {"executor": {"http": http}} for name, http in executors.items()}})


@pytest.mark.parametrize("name", shipped_tools())
def test_what_ships_is_a_good_tool(name):
    """By the same model as what a file says."""
    http = HttpTool.model_validate(shipped_tools()[name], by_name=False)

    assert http.url is not None
    assert not http.allow_hosts


def test_slack_is_given_no_more_than_a_message():
    """The token is the gateway's own: none that stands in the parameters is passed on."""
    slack = HttpTool.model_validate(shipped_tools()["slack_post_message"], by_name=False)

    assert ["SLACK_BOT_TOKEN"] == VARIABLE.findall(slack.headers["Authorization"])
    assert slack.body_fields is not None
    assert "token" not in slack.body_fields


@pytest.mark.parametrize("name", ["web_fetch", "Web_Fetch", "WebFetch", "slack_post_message"])
def test_an_empty_object_is_written_out_as_what_ships(loaded, name):
    """So that a revision says whole what it does; names are compared without regard to case."""
    found = effective(loaded(tools(**{name: {}})).configuration)["tools"][name]["executor"]["http"]

    shipped = shipped_tools()[{"Web_Fetch": "web_fetch"}.get(name, name)]
    assert (shipped["url"], shipped["headers"]) == (found["url"], found["headers"])


def test_a_field_of_the_file_takes_the_place_of_the_shipped(loaded):
    """The others stay."""
    http = loaded(tools(web_fetch={"allowHosts": ["wiki.example"], "headers": {}})).configuration.tools["web_fetch"]

    assert http.executor.http is not None
    assert ("{url}", {}, ["wiki.example"], "text") == (
        http.executor.http.url,
        http.executor.http.headers,
        http.executor.http.allow_hosts,
        http.executor.http.response.body,
    )


def test_a_tool_with_a_url_of_its_own_is_all_its_own(loaded):
    """Nothing shipped is added: no header, no mapping."""
    http = (
        loaded(tools(web_fetch={"url": "https://fetch.example/{url}"})).configuration.tools["web_fetch"].executor.http
    )

    assert HttpTool(url="https://fetch.example/{url}") == http


@pytest.mark.parametrize("http", [{}, {"url": None}, {"method": "POST"}])
def test_any_other_tool_says_its_url(refused, http):
    """Or refuses the file, with the names of those that ship."""
    sentence = (
        "says no url, and only these ship with one: slack_post_message, web_fetch, WebFetch;"
        " say url, or serve the tool on the bus"
    )

    assert [(1, "$.tools.fetch.executor.http", sentence)] == refused(tools(fetch=http))


@pytest.mark.parametrize("name", ["web_fetch", "other"])
def test_a_fault_stands_where_the_file_has_it(refused, name):
    """Also beside what was filled in."""
    text = '{"hooks": {}, "tools": {"NAME": {"executor": {"http": {"url": "{url}",\n"retries": 1}}}}}'

    assert [(2, f"$.tools.{name}.executor.http.retries")] == [
        fault[:2] for fault in refused(text.replace("NAME", name))
    ]
