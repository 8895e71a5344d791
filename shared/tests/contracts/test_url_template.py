"""A parameter fills its place in a URL and reaches no further."""

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpose.contracts.url_template import UrlTemplate

ITEM = UrlTemplate.parse("https://api.example.com/v1/items/{id}/parts?as={as}&all=1")
WHOLE = UrlTemplate.parse("{url}")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a b", "a%20b"),
        ("group/project", "group%2Fproject"),
        ("a?b#c", "a%3Fb%23c"),
        ("%2e%2e", "%252e%252e"),
        ("@evil.example:80", "%40evil.example%3A80"),
        ("ä", "%C3%A4"),
        (7, "7"),
        (1.5, "1.5"),
        (True, "true"),
    ],
)
def test_a_value_is_percent_encoded_in_its_place(value, text):
    """In the path and in the query alike."""
    url = ITEM.fill({"id": value, "as": value})

    assert f"/v1/items/{text}/parts?as={text}&all=1" == url.target


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("", "empty"),
        (".", "another path"),
        ("..", "another path"),
        ("../../admin", "another path"),
        ("a\\..\\b", "another path"),
        (None, "missing"),
        (["a"], "must be text"),
        ({"a": 1}, "must be text"),
    ],
)
def test_a_value_that_could_lead_elsewhere_is_refused(value, word):
    """Servers differ in how they read dots and slashes; the parameter is named, its value is not."""
    with pytest.raises(ValueError, match=f"parameter id .*{word}"):
        ITEM.fill({"id": value, "as": "x"})


@given(st.text(st.characters(exclude_categories=("Cs",))), st.text(st.characters(exclude_categories=("Cs",))))
def test_no_value_changes_host_path_or_query(path_value, query_value):
    """Whatever is filled in, the URL has the template's origin, its segments and its pairs."""
    try:
        url = ITEM.fill({"id": path_value, "as": query_value})
    except ValueError:
        return

    path, _, query = url.target.partition("?")
    segments, pairs = path.split("/"), [pair.split("=") for pair in query.split("&")]
    assert "https://api.example.com" == str(url.origin)
    assert ["", "v1", "items", path_value, "parts"] == [unquote(segment) for segment in segments]
    assert [["as", query_value], ["all", "1"]] == [[unquote(part) for part in pair] for pair in pairs]


def test_two_values_cannot_make_dots_together():
    """What counts is the whole segment."""
    template = UrlTemplate.parse("http://a.example/{x}{y}")

    with pytest.raises(ValueError, match="another path"):
        template.fill({"x": ".", "y": "."})


def test_one_parameter_alone_is_the_whole_url():
    """It says host and all, and there is no origin that the operator chose."""
    assert "http://example.com:81/a?b" == str(WHOLE.fill({"url": "http://example.com:81/a?b"}))
    assert (None, frozenset({"url"})) == (WHOLE.origin, WHOLE.names)


@pytest.mark.parametrize("value", [None, 5, ["http://a.example"]])
def test_the_whole_url_is_text(value):
    """Anything else is told by the parameter's name."""
    with pytest.raises(ValueError, match="parameter url must be the URL"):
        WHOLE.fill({"url": value})


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("https://{host}.example.com/", "fixed"),
        ("https://{host}/a", "fixed"),
        ("{scheme}://a.example/", "fixed"),
        ("https://a.example:{port}/", "fixed"),
        ("{base}/a", "fixed"),
        ("/a", "fixed"),
        ("ftp://a.example/", "http://"),
        ("https://a.example/#{part}", "fragment"),
        ("https://a.example/../b", r"\. or \.\."),
        ("https://a.example/{a b}", "brace"),
        ("https://a.example/{id", "brace"),
        ("https://me@a.example/", "user"),
    ],
)
def test_a_template_that_leaves_the_host_open_is_refused(text, word):
    """And one that nobody could read."""
    with pytest.raises(ValueError, match=word):
        UrlTemplate.parse(text)
