"""JSON paths as people read them."""

import pytest

from interpose.contracts.paths import SHOWN_CHARACTERS, json_path


@pytest.mark.parametrize(
    ("steps", "path"),
    [
        ((), "$"),
        (("parameters", "text"), "$.parameters.text"),
        (("odd key",), '$["odd key"]'),
        (("a", 3, "b"), "$.a[3].b"),
        (("_a1",), "$._a1"),
        (("1a",), '$["1a"]'),
        (("a-b",), '$["a-b"]'),
        (("",), '$[""]'),
        (('say "x"\n',), '$["say \\"x\\"\\n"]'),
        (("é\ud800",), '$["\\u00e9\\ud800"]'),
        (("hooks", "before:*", 0), '$.hooks["before:*"][0]'),
    ],
)
def test_a_path_is_spelled_as_rfc_9535_does(steps, path):
    """Names that allow it stand behind a dot, all others quoted in ASCII."""
    assert path == json_path(steps)


def test_a_path_may_begin_elsewhere():
    """A part of a document keeps its place in the whole."""
    assert "$.with.schema" == json_path(["schema"], root="$.with")


def test_long_keys_are_cut():
    """A key of 64 characters is shown whole, a longer one is cut there."""
    whole = "k" * SHOWN_CHARACTERS

    assert f"$.{whole}" == json_path([whole])
    assert f'$["{whole}\\u2026"]' == json_path([whole + "k"])
