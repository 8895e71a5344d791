"""How much work markup can cause, counted in steps of the interpreter and in characters that are judged."""

import sys
from types import FrameType
from typing import Any

import pytest

from interpose_sanitizer.carried import Attack
from interpose_sanitizer.findings import Family
from interpose_sanitizer.markup.search import search
from interpose_sanitizer.matching import MOST_MATCHES

SHORT, LONG = 2_200, 4_400
MOST_GROWTH = 1.15
MOST_STEPS = 250
MOST_JUDGED = 4
"""How often each character of a text may be judged."""

UNITS = [
    "<", "<a", "<a ", "<a>", "<a b", '<a b="', "<a b=' ", '<a =">" ', "<a b=c ", '<a b="c">', "<!--", "<!-- -->",
    "<!", "<!x>", "<?x>",
    "</", "</!x>", "<![CDATA[", "<script>", "<script></script>", "<style>a{b:c}</style>", "<p hidden>", "<div hidden>",
    "<div hidden></b>", "<div hidden></div>", "<div hidden><b>x</b>", "<div hidden id=S:1>", "<b style=color:white>x",
    "<template>", "<svg a><text>", "<title>a</title>", '<a alt="some words of it">', "<iframe srcdoc='<b>'>",
    "<textarea>",
    "](", "![](", "![a][b]", "]: a\n", "[a]: b\n", "[a](b 'a title of it')", "([", "http", "http://a.b/{c} ",
    "https:", "javascript:",
    "javascript:a() ", "![a](http://b/?data={x})", "`http://a/{secrets}` ", "```\n", "``", "&#1", "&lt;",
    "&#99999999999;", "{", "=",
    '<img src="//a.b/?data={x}">', "<a onclick=x>", "<a href=javascript:b(c)>", "url(http://a", "<a style='b:url(http://a)'>",
    "<details>", "<details></details>", "<form action=//a.b/>", "<form action=//a.b/><input name=pin>",
    "<iframe src=//a.b/ width=0>", "<script>alert(1)</script>", "=IMAGE(", '=IMAGE("//a"&A1&B2', "=a|'b'!c", "=a|'",
    "{#", "{# a comment #}", "%%", "<%--", "\\iffalse",
    "\\color{white}{\\text{a comment", "\\item%a comment\n", "\\title\\phantom{",
    '<a b=\\"', '<a b=\\"c\\" ', '<a b=\\"c\\">', "<a b=\\", "[^a]: some words of it\n", "[^",
    "<a href=javascript:a('//b')>",
    '<img src="//a.b/?d=user_notes_here" width=1>', "<script>agent.run('a')</script>",
    "<iframe srcdoc='<script>fetch('>",
    ".. a remark\n===\n", "\x1b[8m", "\x1b]8;;http", "](//a.b/?w=1&w=", "![](//a.b/?d=((a",
]  # fmt: skip
PAIRS = [
    ("<script>", "a('b');", "</script>"), ("<script>", "/*", "</script>"),
    ("<script type=a/json>", '"a",', "</script>"),
    ("<style>", "a{display:none}", "</style>"), ("<style>", "a{", "</style>"), ("<!--", "<b>", "-->"),
    ("<a ", "b=c ", ">"),
    ('<div style="', "a:b;", '">'), ('<img src="//a?', "data=b&", '">'), ('<img src="//a?', "{data}", '">'),
    ("<div hidden>", "<b>", "</div>"), ("<div hidden>", "<p>some words", "</div>"), ('<b title="', "&lt;", '">'),
]  # fmt: skip
SHAPES = {unit.strip() or "line": ("", unit, "") for unit in UNITS} | {f"{a} {b}": (a, b, c) for a, b, c in PAIRS}


def names(length: int) -> str:
    """Elements of as many names, none of which is closed."""
    return "".join(f"<b{number} hidden>x</i>\n\n" for number in range(length // 20))


SHAPES["names"] = ("", "", "")


def work(shape: tuple[str, str, str], length: int, is_carried: bool) -> tuple[int, int]:
    """How many steps the interpreter takes to search a shape of this length, and how many characters are judged."""
    before, unit, after = shape
    text = f"{before}{(unit * length)[:length]}{after}" or names(length)
    steps = judged = 0

    def trace(frame: FrameType, event: str, _arg: Any) -> Any:
        nonlocal steps
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        steps += event == "opcode"
        return trace

    def carries(said: str) -> list[Attack]:
        nonlocal judged
        judged += len(said)
        words = range(0, len(said) - 3, 4) if is_carried else ()
        return [Attack((place, place + 1), Family.OVERRIDE, "any") for place in words[:MOST_MATCHES]]

    tracer = sys.gettrace()
    sys.settrace(trace)
    try:
        search(text, carries)
    finally:
        sys.settrace(tracer)
    return steps, judged


@pytest.mark.parametrize("is_carried", [False, True])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_work_grows_with_the_text_and_no_faster(shape: tuple[str, str, str], is_carried: bool) -> None:
    """Twice the text is twice the work, whether nothing is found or everything."""
    work(shape, SHORT, is_carried)  # so that both find the same remembered
    (short, _), (long, judged) = work(shape, SHORT, is_carried), work(shape, LONG, is_carried)

    assert long <= MOST_GROWTH * LONG / SHORT * short + 2_000
    assert long <= MOST_STEPS * LONG
    assert judged <= MOST_JUDGED * LONG


def _hide(said: str) -> list[Attack]:
    place = said.find("HIDE")
    return [Attack((place, place + 4), Family.OVERRIDE, "word")] if place >= 0 else []


def test_depth_costs_no_more_than_length() -> None:
    """A hundred thousand elements within each other are read without recursion, and the words in the last are found."""
    deep = 100_000
    text = "<div hidden>" * deep + "HIDE" * 3 + "</div>" * deep

    found = search(text, _hide)

    assert [] != found
    assert all(text.index("HIDE") in range(*span) for span, _, _ in found)


def test_a_text_without_markup_asks_nothing() -> None:
    """No words are judged twice where nothing hides."""
    judged = list[str]()

    def carries(said: str) -> list[Attack]:
        judged.append(said)
        return []

    assert [] == search("Plain words, 3 + 4 of them (or more), a@b.example. " * 50, carries)
    assert [] == judged
