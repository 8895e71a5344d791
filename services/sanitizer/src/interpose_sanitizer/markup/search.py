"""Finding what hides in markup, what its addresses carry away, and its programs, as spans of the text.

What goes is the inside: of a comment, of an element, of an attribute's value, or the address. Marks stay, so that the
rest is read as before.
"""

import re
from collections.abc import Iterable, Iterator, Set
from itertools import chain, islice

from interpose_sanitizer.carried import Attack, Carries, carried
from interpose_sanitizer.findings import Family, Hit
from interpose_sanitizer.markup import formulas, markdown, names, programs, reaching, remarks
from interpose_sanitizer.markup.addresses import Fetch, carries_away
from interpose_sanitizer.markup.evidence import counts
from interpose_sanitizer.markup.pairs import pairs_in
from interpose_sanitizer.markup.places import LONGEST_NAME, SHORTEST, Place, Unshown
from interpose_sanitizer.markup.quoting import Code
from interpose_sanitizer.markup.shapes import Shapes
from interpose_sanitizer.markup.strangers import Strangers
from interpose_sanitizer.markup.tags import TWICE, Page, Tag, attributes, read
from interpose_sanitizer.markup.tame import Calls
from interpose_sanitizer.markup.words import decoded
from interpose_sanitizer.matching import MOST_MATCHES
from interpose_sanitizer.settings import Quoted

MOST_FOUND = MOST_MATCHES
"""Of one sort in a text, which goes whole then: nobody needs to know of more."""
MOST_NAMED = 200
"""Attacks that a text may speak of without making one."""
MOST_AT_ONCE = 100_000
"""Characters of places that are judged together."""

HANDLER = "handler"
"""Goes with its name: what it is called for is part of it."""

_BEGINS = programs.BEGINS | set("hH/\\")
_SLASHES = frozenset("/\\\t\n\r")
"""What makes an address of its own host one of another, behind a slash; browsers drop tabulators and line breaks."""
_MARKED = "[sanitizer: "
_STYLE_ADDRESS = re.compile(r"url\(\s{0,8}[\"']?([^\"'()\s]{8,4000})", re.IGNORECASE)
_GUESSING = re.compile(
    r"\[[^\[\]{}]{0,60}[\^$*~|]=[^\[\]{}]{1,60}\][^{}]{0,200}\{[^{}]{0,300}url\(\s{0,8}[\"']?(https?:|//)"
)
_REFRESH = re.compile(r"url\s{0,8}=\s{0,8}[\"']?", re.IGNORECASE)


def search(text: str, carries: Carries, quoted: Quoted = Quoted.SPARE) -> list[Hit]:
    """All of it, in no order; spans of one kind may lie within another's. Linear: each part is judged twice at most.

    Addresses and programs in code (`quoting`) stay. With `quoted` so does what a text only speaks of.
    """
    pairs = pairs_in(text)
    code, hidden, others = Code(text, pairs), list[Hit](), list[Hit]()
    if "<" in text:
        page = read(text)
        strangers = Strangers(text, page)
        hidden += islice(_carrying(text, Unshown(text, page).places(), carries), MOST_FOUND)
        others += islice(chain(_in_tags(text, page, strangers), _in_raw(text, page, strangers)), MOST_FOUND)
    if "](" in pairs or "]:" in pairs or "![" in pairs:
        hidden += islice(_carrying(text, markdown.places(text, pairs), carries), MOST_FOUND)
    hidden += islice(_carrying(text, remarks.places(text, pairs), carries), MOST_FOUND)
    if ":" in text or "//" in pairs:
        others += islice(_in_markdown(text, pairs), MOST_FOUND)
    if "(" in text or "|" in text:
        others += islice(formulas.search(text), MOST_FOUND)
    found = hidden + [hit for hit in others if code.around(hit[0]) is None]
    if quoted is Quoted.SPARE and len(found) <= MOST_NAMED and all(code.is_only_named(hit[0]) for hit in found):
        return []  # a text that makes an attack mentions none (ADR-0024)
    return found


def _carrying(text: str, places: Iterable[Place], carries: Carries) -> Iterator[Hit]:
    """The places that carry something."""
    waiting: dict[str, list[Place]] = {}
    size = 0
    for place in places:
        if len(place.text) < SHORTEST:
            continue
        alike = waiting.setdefault(place.text, [])
        size += 0 if alike else len(place.text)
        alike.append(place)
        if size > MOST_AT_ONCE:
            yield from _judged(text, waiting, carries)
            waiting, size = {}, 0
    yield from _judged(text, waiting, carries)


def _judged(text: str, waiting: dict[str, list[Place]], carries: Carries) -> Iterator[Hit]:
    """What pages say in many places, by place: it is asked about once."""
    alike = list(waiting.values())
    first: dict[tuple[int, int], Attack] = {}
    for index, attack in carried(list(waiting), carries):
        for number, place in enumerate(alike[index]):
            if (index, number) not in first and counts(place, attack):
                first[index, number] = attack
    for (index, number), attack in sorted(first.items()):
        place = alike[index][number]
        yield place.inside(text), Family.HIDDEN_MARKUP, f"{place.what[:LONGEST_NAME]}/{attack.rule}"


def _in_tags(text: str, page: Page, strangers: Strangers) -> Iterator[Hit]:
    telling: dict[tuple[str, int], bool] = {}
    shapes = Shapes()
    for tag in page.tags:
        active = shapes.of(tag.values).active
        if not active:
            continue
        known = tag.name, id(tag.values) if tag.name != "form" else tag.start  # what a form asks for stands in it
        is_telling = telling.get(known)
        if is_telling is None:
            is_telling = telling[known] = any(_is_telling(tag, name, tag.values[name], strangers) for name in active)
        if is_telling:
            for one in attributes(text, tag):
                if rule := _rule_of(tag, one.name, text[one.start : one.end], strangers):
                    yield one.span if rule[1] == HANDLER else (one.start, one.end), *rule


def _is_telling(tag: Tag, name: str, value: str, strangers: Strangers) -> bool:
    """Most are not; of these few the places are of interest."""
    if (
        name in names.ADDRESSES
        and "attributename" not in tag.values
        and (value[:1] not in _BEGINS or (value[:1] == "/" and value[1:2] not in _SLASHES))
    ):
        return False
    return name == TWICE or _rule_of(tag, name, value, strangers) is not None


def _rule_of(tag: Tag, name: str, value: str, strangers: Strangers) -> tuple[Family, str] | None:
    """By which rule an attribute goes; None where it stays."""
    if not value or value.startswith(_MARKED):
        return None
    if name in names.ADDRESSES:
        return _rule_of_address(tag, name, value, strangers)
    if name == "style":
        return _rule_of_style(value) if "(" in value else None
    if name == "content":
        address = _REFRESH.split(value, maxsplit=1) if tag.name == "meta" else []
        return _rule_of_refresh(tag, address[1], strangers) if len(address) > 1 else None
    return _rule_of_code(name, value, strangers)


def _rule_of_address(tag: Tag, name: str, value: str, strangers: Strangers) -> tuple[Family, str] | None:
    if name in {"to", "values", "from"} and tag.values.get("attributename", "").lower().startswith("on"):
        return Family.ACTIVE_CONTENT, HANDLER
    fetch = Fetch.AT_ONCE if tag.name in names.FETCHED else Fetch.ON_CLICK
    calls = Calls.OWN if tag.name in names.CALLS and name in names.FOLLOWED else Calls.NONE
    if rule := _judge(value, fetch, tag.name in names.OPENS, calls):
        return rule
    if fetch is Fetch.AT_ONCE and strangers.tell_of_reader(tag, value):
        return Family.EXFILTRATION, "image-unseen"
    stranger = strangers.rule_of(tag, name, value)
    return (Family.ACTIVE_CONTENT, stranger) if stranger else None


def _rule_of_refresh(tag: Tag, address: str, strangers: Strangers) -> tuple[Family, str] | None:
    if rule := _judge(address, Fetch.ON_CLICK, calls=Calls.NONE):
        return rule
    return (Family.ACTIVE_CONTENT, "foreign-refresh") if strangers.turns_away(tag, address) else None


def _rule_of_style(css: str) -> tuple[Family, str] | None:
    if programs.runs_in_style(css):
        return Family.ACTIVE_CONTENT, "style-runs"
    return next((hit[1:] for hit in _in_style(css, 0)), None)


def _rule_of_code(name: str, value: str, strangers: Strangers) -> tuple[Family, str] | None:
    if name == "srcdoc" and (reaching.sends_away(plain := decoded(value)) or strangers.is_strange_frame(plain)):
        return Family.ACTIVE_CONTENT, "inner-page"
    if name.startswith("on") and (programs.is_armed(name, value) or strangers.is_strange(value)):
        return Family.ACTIVE_CONTENT, HANDLER
    return None


def _judge(address: str, fetch: Fetch, opens_data: bool = True, calls: Calls = Calls.OWN) -> tuple[Family, str] | None:
    if programs.is_program(address, opens_data, calls):
        return Family.ACTIVE_CONTENT, "program-address"
    rule = carries_away(address, fetch)
    return (Family.EXFILTRATION, rule) if rule else None


def _in_style(css: str, base: int) -> Iterator[Hit]:
    for found in _STYLE_ADDRESS.finditer(css):
        if rule := _judge(found[1], Fetch.AT_ONCE, opens_data=False):
            yield (base + found.start(1), base + found.end(1)), *rule


def _in_raw(text: str, page: Page, strangers: Strangers) -> Iterator[Hit]:
    known: dict[str, bool] = {}
    for raw in page.raws:
        content = text[slice(*raw.content)]
        if not content.strip() or content.startswith(_MARKED):
            continue
        if raw.tag.name == "script" and content not in known:
            known[content] = reaching.sends_away(content) or (
                _is_code(raw.tag) and strangers.is_strange_script(content, raw.tag)
            )
        if raw.tag.name == "script" and (known[content] or _is_split(text, raw.tag.start)):
            yield raw.content, Family.ACTIVE_CONTENT, "script"
        elif raw.tag.name == "style":
            if programs.runs_in_style(content):
                yield raw.content, Family.ACTIVE_CONTENT, "style-runs"
                continue
            yield from _in_style(content, raw.content[0])
            if _GUESSING.search(content):
                yield raw.content, Family.EXFILTRATION, "style-guesses"


def _is_code(tag: Tag) -> bool:
    """Whether a script is run: many hold data, or templates."""
    kind = tag.values.get("type", "").lower()
    return not kind or "javascript" in kind or kind in {"module", "text/babel", "text/ecmascript"}


def _is_split(text: str, start: int) -> bool:
    """Whether a tag stands within another's name: whoever takes the inner one out puts the outer one together."""
    before = text[max(start - 12, 0) : start].rpartition("<")
    return before[1] != "" and before[2].isalnum()


def _in_markdown(text: str, pairs: Set[str]) -> Iterator[Hit]:
    known: dict[tuple[str, Fetch], tuple[Family, str] | None] = {}
    for one in markdown.addresses(text, pairs):
        address = text[one.span[0] : one.span[1]].strip()
        if (address, one.fetch) not in known:
            calls = Calls.NONE if one.fetch is Fetch.AT_ONCE else Calls.MOVING
            known[address, one.fetch] = _judge(_bare(address), one.fetch, calls=calls)
        rule = known[address, one.fetch]
        if rule and not (one.is_bare and rule[0] is Family.ACTIVE_CONTENT and "(" not in address):
            yield one.span, *rule


def _bare(address: str) -> str:
    return address[1:].partition(">")[0] if address.startswith("<") else address
