"""A call becomes one request: from the file, the environment and its parameters, and from nothing else."""

import pytest

from interpose.contracts.http_tool import HttpTool
from interpose.contracts.run import Run
from interpose_gateway.adapters.http_tools.request import NotSendable, build

URL = "https://api.example.com/items/{id}"


def request_of(parameters, environment=None, action=None, **http):
    """What the call becomes."""
    run = Run(tool="items", action=action, parameters=parameters, call_id="1")
    return build(run, HttpTool.model_validate({"url": URL} | http, by_name=False), environment or {})


def test_headers_take_their_values_from_the_environment():
    """And remember which values must never be shown."""
    made = request_of({"id": 1}, {"KEY": "s3cret-value"}, headers={"Authorization": "Bearer ${KEY}", "X-Team": "a"})

    assert {"authorization": "Bearer s3cret-value", "x-team": "a"} == made.headers
    assert {"KEY": "s3cret-value"} == made.secrets
    assert "s3cret-value" not in repr(made)


@pytest.mark.parametrize("value", [None, "", " ", "a\r\nb: c", "a\n", "ä", "a "])
def test_a_variable_that_no_header_can_hold_is_named_and_not_shown(value):
    """Missing, empty, with a line break: the request is not sent."""
    environment = {} if value is None else {"KEY": value}

    with pytest.raises(NotSendable) as error:
        request_of({"id": 1}, environment, headers={"Authorization": "${KEY}"})

    told = "the gateway's environment has no KEY that a header can hold: set it and restart the gateway"
    assert told == str(error.value)


def test_the_body_is_what_stands_nowhere_else():
    """By default every parameter that is neither in the URL nor in the query."""
    made = request_of({"id": 1, "q": "x", "a": [1], "b": None}, method="POST", body="json", query=["q"])

    assert b'{"a":[1],"b":null}' == made.body
    assert "/items/1?q=x" == made.url.target
    assert "application/json; charset=utf-8" == made.headers["content-type"]


def test_the_body_can_be_chosen_field_by_field():
    """By pointers into the parameters; what is not there is left out."""
    fields = {"to": "/who/name", "id": "/id", "gone": "/gone"}
    made = request_of({"id": 1, "who": {"name": "a"}, "token": "x"}, method="POST", body="json", bodyFields=fields)

    assert b'{"to":"a","id":1}' == made.body


def test_a_form_repeats_the_name_for_each_value_of_a_list():
    """Encoded as browsers do."""
    made = request_of({"id": 1, "a": ["x y", 2], "b": True}, method="POST", body="form")

    assert b"a=x+y&a=2&b=true" == made.body
    assert "application/x-www-form-urlencoded" == made.headers["content-type"]


def test_an_object_has_no_place_in_a_form_or_a_query():
    """The parameter is named."""
    with pytest.raises(NotSendable, match="parameter a must be text"):
        request_of({"id": 1, "a": {"b": 1}}, method="POST", body="form")
    with pytest.raises(NotSendable, match="parameter q must be text"):
        request_of({"id": 1, "q": [[1]]}, query=["q"])


def test_query_parameters_cannot_add_others():
    """They stand behind those of the URL, encoded; those that are absent or null are left out."""
    made = request_of({"id": 1, "q": "a&admin=1", "p": None}, url=URL + "?v=1", query=["q", "p", "gone"])

    assert "/items/1?v=1&q=a%26admin%3D1" == made.url.target


@pytest.mark.parametrize("action", [None, "delete", ""])
def test_an_upstream_does_its_actions_only(action):
    """A call of another action, or of none, is not sent."""
    with pytest.raises(NotSendable, match="it does send only"):
        request_of({"id": 1}, action=action, actions=["send"])


def test_an_action_is_compared_as_names_are():
    """Without regard to case."""
    assert "GET" == request_of({"id": 1}, action="Send", actions=["send"]).method


def test_the_trace_goes_no_further_by_itself(monkeypatch):
    """`traceparent` is sent where the file says so."""
    monkeypatch.setattr("interpose.telemetry.spans.inject", lambda headers: headers | {"traceparent": "00-x"})

    assert "traceparent" not in request_of({"id": 1}).headers
    assert "00-x" == request_of({"id": 1}, propagateTrace=True).headers["traceparent"]


@pytest.mark.parametrize(
    ("http", "word"),
    [
        ({"headers": {"Host": "a"}}, "the gateway itself writes Host"),
        ({"headers": {"content-length": "1"}}, "the gateway itself writes content-length"),
        ({"headers": {"A b": "1"}}, "pattern"),
        ({"headers": {"A": "1\r\nB: 2"}}, "pattern"),
        ({"headers": {"A": "1", "a": "2"}}, "differ only in case"),
        ({"headers": {"A": "${KEY"}}, "close it"),
        ({"headers": {"A": "${INTERPOSE_NATS_SEED}"}}, "is not handed on"),
        ({"body": "json"}, "GET has no body"),
        ({"method": "POST", "bodyFields": {"a": "/a"}}, "without a body"),
        ({"response": {"body": "text", "okPointer": "/ok"}}, "okPointer asks for JSON"),
        ({"response": {"body": "text", "fields": {"a": "body/a"}}}, "points into JSON"),
        ({"response": {"fields": {"a": "cookie"}}}, "pattern"),
        ({"response": {"success": ["1xx"]}}, "pattern"),
        ({"response": {"maxBytes": 2**21 + 1}}, "less than or equal"),
        ({"redirects": 6}, "less than or equal"),
        ({"retries": 1}, "Extra inputs"),
    ],
)
def test_what_cannot_be_meant_refuses_the_file(http, word):
    """At load, not at the first call."""
    with pytest.raises(ValueError, match=word):
        HttpTool.model_validate({"url": URL} | http, by_name=False)
