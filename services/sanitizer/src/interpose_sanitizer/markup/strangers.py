"""What a stranger put into a text that is neither a page nor a source: scripts, frames and forms of other hosts.

A page's own scripts and frames are its author's business, and a source is what a coding agent works on (ADR-0025). But
a review, a mail or a field of a record brings none along that its reader needs, besides players and widgets of hosts
that are everywhere.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping
from functools import cached_property
from itertools import islice

from interpose_sanitizer.markup.addresses import HOST, is_listed
from interpose_sanitizer.markup.giveaways import tells_of_reader
from interpose_sanitizer.markup.reaching import leaves_frame, orders_agent, orders_around, reads
from interpose_sanitizer.markup.styles import hides
from interpose_sanitizer.markup.tags import Page, Tag
from interpose_sanitizer.markup.words import plain_address

_PAGE = re.compile(r"<(?:head|!doctype|frameset)\b|<html\b[^<>]{0,400}>(?!\s{0,80}<body)|<\?php|<%", re.IGNORECASE)
"""What begins with a body and has no head is a mail, whose readers run nothing."""
_SOURCE = re.compile(
    r"^[ \t+\-]{0,40}(?:import [\w{*'\"][^\n]{0,200}(?:;| from ['\"])|import [\w.]{1,200}(?: as \w{1,100})?$"
    r"|from \S{1,200} import "
    r"|def \w{1,100}\(|class \w{1,100}[:({]|export [a-z]{1,20} "
    r"|function \w{1,100}\(|(?:const|let|var) [\w{\[][^\n=]{0,80}="
    r"|package [\w.]{1,200};?$"
    r"|using [\w.]{1,200};|#include|#!|(?:public|private|protected) \w{1,100} \w{1,100}"
    r"|(?:fn|func) \w{1,100}[(<]"
    r"|(?:describe|it|test|expect|assert\w{0,30}|print|echo)\(|assert [^\n]{1,200}(?:==| in | not )"
    r"|return [^\n]{0,200}[;({\[]|@\w{1,100}\(|(?:self|this|res|app)\.\w{1,100})"
    r"|\{%|\{\{|className=|\b[vx]-[a-z]{2,12}=|\*ng[A-Z]|\) ?=> ?[{(]|^diff --git|^@@ ",
    re.MULTILINE,
)
_CONSENT = re.compile(
    r"cookie|consent|gdpr|rgpd|dsgvo|ciasteczk|\bkakor\b|evästee|\bsüti|çerez|\bkuki|\b\u043a\u0443\u043a\u0438"
    r"|クッキー|쿠키|informasjonskaps|galetes",
    re.IGNORECASE,
)
_CHOICE = re.compile(r"<button\b|<input\b|\bdata-(?:cookie|consent|category)|\btype=[\"']?text/plain", re.IGNORECASE)
"""What a banner says, and by what its reader chooses: the scripts that it runs then, its author meant to."""
NEAR = 1_500
"""Characters between such a banner and its script."""
_SMALL = re.compile(r"[01](?:px|%)?")
_TAG_MANAGER = re.compile(
    r"\s{0,8}(?:https:)?//[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}/ns\.html\?id=[A-Z]{2,4}-[A-Z0-9]{4,8}\s{0,8}"
)
_WITHOUT_SCRIPTS = re.compile(r"<noscript>\s{0,40}\Z", re.IGNORECASE)
_RUNNING = re.compile(r"flash|java|silverlight|director|x-ms|/html", re.IGNORECASE)
_RUNS = re.compile(r"\.(?:swf|jar|class|xap|dcr|hta|jnlp|htc)\b", re.IGNORECASE)
_PROBE = re.compile(
    r"\b(?:alert|confirm|prompt)\s{0,4}[(`]\s{0,4}(?:[0-9]{1,9}|document\.|window\.|origin|['\"]?xss)", re.IGNORECASE
)
_ASSEMBLED = re.compile(
    r"[\"'`](?:https?:)?//([^/\"'`\s]{3,200})[^\"'`\n]{0,400}(?:[\"']\s{0,4}\+|\$\{|`\s{0,4}\+)", re.IGNORECASE
)
_CALLS = re.compile(
    r"(?:\b(?:fetch|sendBeacon|WebSocket|EventSource|import|importScripts|getScript|open|replace|assign|load|get|post|ajax)\s{0,4}\("
    r"[^()\"'`]{0,40}|\b(?:src|href|action|location)\s{0,4}=\s{0,4}|\bfrom\s{0,4}|\bimport\s{0,4})"
    r"[\"'`](?:https?:|wss?:)?//([^/\"'`\s]{3,200})",
    re.IGNORECASE,
)
_UNPACKS = re.compile(
    r"\b(?:eval|Function|execScript)\s{0,4}\(|\bset(?:Timeout|Interval)\s{0,4}\(\s{0,4}[\"'`]|\bwhile\s{0,4}\(\s{0,4}(?:1|true)\s{0,4}\)"
)
_TOLD = re.compile(
    r"\s{0,40}(?:\w{1,10}\.)?(?:alert|confirm|prompt)\s{0,4}[(`][^{}]{0,400}[)`]\s{0,8};?\s{0,40}", re.IGNORECASE
)
_MEDIA = re.compile(r"\.(?:pdf|png|jpe?g|gif|webp|avif|mp4|webm|mov|mp3|m4a|ogg|wav|midi?)(?:[?#]|\Z)", re.IGNORECASE)
_ONE_CALL = re.compile(r"\s{0,40}[\w$.]{0,60}\([^{}()]{0,200}(?:\([^{}()]{0,200}\)){0,3}\)\s{0,8};?\s{0,40}")
_ASKED = re.compile(
    r"<input\b[^<>]{0,400}\b(?:type\s{0,4}=\s{0,4}[\\\"']{0,4}password|name\s{0,4}=\s{0,4}[\\\"']{0,4}[\w-]{0,20}"
    r"(?:passw|pwd|pin\b|otp|cvv|cvc|card|iban|ssn|token|secret|seed|2fa))",
    re.IGNORECASE,
)
_SUBMITS = re.compile(r"\.\s{0,4}(?:requestSubmit|submit)\s{0,4}\(\s{0,4}\)")
_END_OF_FORM = re.compile("</form", re.IGNORECASE)
LONGEST_FORM = 8_000
_SCRIPTED = re.compile(r"<script|\bon[a-z]{3,20}\s{0,4}=", re.IGNORECASE)
LONGEST_FRAME = 4_000
"""Notebooks keep whole drawings with their programs in frames."""
_SHOWN = re.compile(r"</(?:p|h[1-6]|div|ul|ol|li|table|section|article)\b", re.IGNORECASE)
_SAYS = re.compile(r"</(?:p|h[1-6]|li|td)\b", re.IGNORECASE)
FEWEST_SAID = 3
"""A page that only sends its reader on has fewer headings, paragraphs and items."""

_FRAMES = frozenset({"iframe", "frame", "object", "embed", "applet"})
_SOURCES = {
    "script": ("src", "href", "xlink:href"),
    "iframe": ("src",),
    "frame": ("src",),
    "embed": ("src",),
    "object": ("data", "classid", "codebase"),
    "applet": ("archive", "codebase", "code"),
    "base": ("href",),
    "link": ("href",),
    "form": ("action",),
    "button": ("formaction",),
    "input": ("formaction",),
}
"""In which attributes elements name what they bring along, or where they send what is put in."""


class Strangers:
    """Who, in one text, is a stranger. Nothing is, in a page or in a source."""

    def __init__(self, text: str, page: Page) -> None:
        self._text, self._page = text, page

    @cached_property
    def _is_open(self) -> bool:
        """Whether the text is neither. Most are never asked."""
        return not self._is_page and _SOURCE.search(_outside(self._text, self._page)) is None

    @cached_property
    def _is_page(self) -> bool:
        return _PAGE.search(self._text, 0, 4_000) is not None

    @cached_property
    def _is_record(self) -> bool:
        return self._text.lstrip()[:1] in {"{", "["}

    def rule_of(self, tag: Tag, name: str, value: str) -> str | None:
        """By which rule the address goes that an attribute of a tag holds."""
        if name not in _SOURCES.get(tag.name, ()) or tag.values.get("rel", "").lower() == "stylesheet":
            return None
        if tag.name == "link":
            return "foreign-import" if tag.values.get("rel", "").lower() == "import" and _is_foreign(value) else None
        if self._is_page or not _is_foreign(value) or not self._is_open or self._runs_by_consent(tag):
            return None
        if tag.name in _FRAMES:
            is_odd = _is_odd_frame(tag, value) and not self._is_tag_manager(tag, value)
            return "foreign-frame" if is_odd else None
        if tag.name == "form":
            return "foreign-form" if self._asks_for_secrets(tag.end) or self._submits else None
        return f"foreign-{tag.name}"

    def _is_tag_manager(self, tag: Tag, value: str) -> bool:
        """Whether a frame is what a tag manager has readers without scripts fetch, from a host that the page's author
        named for it: it gives that host the number of an account, and nothing else."""
        return bool(
            _TAG_MANAGER.fullmatch(value) and _WITHOUT_SCRIPTS.search(self._text, max(tag.start - 60, 0), tag.start)
        )

    def _asks_for_secrets(self, place: int) -> bool:
        """Whether the form that begins there has a field for what nobody should give away."""
        asked, ends = bisect_left(self._asked, place), bisect_left(self._ends_of_forms, place)
        end = self._ends_of_forms[ends] if ends < len(self._ends_of_forms) else len(self._text)
        return asked < len(self._asked) and self._asked[asked] < min(end, place + LONGEST_FORM)

    @cached_property
    def _submits(self) -> bool:
        """Whether some script or handler sends a form off."""
        scripts = any(_SUBMITS.search(self._text, *raw.content) for raw in self._page.raws)
        return scripts or any(
            name.startswith("on") and _SUBMITS.search(value)
            for tag in self._page.tags
            for name, value in tag.values.items()
        )

    @cached_property
    def _has_foreign_form(self) -> bool:
        return any(tag.name == "form" and _is_foreign(tag.values.get("action", "")) for tag in self._page.tags)

    @cached_property
    def _asked(self) -> list[int]:
        return [found.start() for found in _ASKED.finditer(self._text)]

    @cached_property
    def _ends_of_forms(self) -> list[int]:
        return [found.start() for found in _END_OF_FORM.finditer(self._text)]

    def is_strange(self, code: str) -> bool:
        """Whether a handler tries whether it runs, or gives another host what it puts together."""
        if self._is_page:
            return False
        is_strange = _PROBE.search(code) is not None or reads(code) or orders_agent(code) or _calls_stranger(code)
        return is_strange and self._is_open

    def is_strange_frame(self, code: str) -> bool:
        """Whether what a frame brings along itself runs something that turns to the page around it, or reads."""
        if self.is_strange_script(code):
            return True
        is_strange = len(code) < LONGEST_FRAME and _SCRIPTED.search(code) is not None and leaves_frame(code)
        return is_strange and (orders_around(code) or _calls_stranger(code) or self._is_open)

    def tell_of_reader(self, tag: Tag, address: str) -> bool:
        """Whether an image or a frame that nobody sees gives another host what its reader holds, in a page as well."""
        return (
            "?" in address
            and tells_of_reader(address, tag.name in _FRAMES)
            and _is_unseen(tag.values)
            and _is_foreign(address)
        )

    def turns_away(self, tag: Tag, address: str) -> bool:
        """Whether a tag in the midst of a text, where no page has it, or before one that says something sends its
        reader to another host."""
        if self._is_page or tag.values.get("http-equiv", "").lower() != "refresh" or not _is_foreign(address):
            return False
        is_behind = self._body is not None and self._body < tag.start
        return (is_behind or self._says_something) and self._is_open

    @cached_property
    def _body(self) -> int | None:
        """Where the first element of what is shown ends."""
        found = _SHOWN.search(self._text)
        return found.start() if found else None

    @cached_property
    def _says_something(self) -> bool:
        return len(list(islice(_SAYS.finditer(self._text), FEWEST_SAID))) == FEWEST_SAID

    def is_strange_script(self, code: str, tag: Tag | None = None) -> bool:
        """The same of a script; in a field of a record one call is enough: nothing there defines what it calls."""
        if self._is_page:
            return False
        is_strange = (
            _calls_stranger(code)
            or orders_agent(code)
            or _PROBE.search(code) is not None
            or _UNPACKS.search(code) is not None
            or (_SUBMITS.search(code) is not None and self._has_foreign_form)
            or _TOLD.fullmatch(code) is not None
            or (self._is_record and _ONE_CALL.fullmatch(code) is not None)
        )
        return is_strange and self._is_open and not (tag and self._runs_by_consent(tag))

    def _runs_by_consent(self, tag: Tag) -> bool:
        """Whether a script is run by nobody, or stands near what asks its reader for consent to be counted."""
        if tag.name != "script" or tag.values.get("type", "").lower() == "text/plain":
            return tag.name == "script"
        near = max(tag.start - NEAR, 0), tag.end + NEAR
        return bool(_CONSENT.search(self._text, *near) and _CHOICE.search(self._text, *near))


def _calls_stranger(code: str) -> bool:
    called = _CALLS.search(code) or _ASSEMBLED.search(code)
    return called is not None and not is_listed(called[1], "embedding")


def _outside(text: str, page: Page) -> str:
    """The text without its scripts and styles, whose code tells nothing of what they stand in."""
    if not page.raws:
        return text
    kept, behind = list[str](), 0
    for raw in page.raws:
        kept.append(text[behind : raw.content[0]])
        behind = max(raw.content[1], behind)
    return "".join([*kept, text[behind:]])


def _is_foreign(address: str) -> bool:
    host = HOST.match(plain_address(address.strip()))
    return host is not None and not is_listed(host[1], "embedding")


def _is_odd_frame(tag: Tag, value: str) -> bool:
    """One that nobody sees, or that holds a program."""
    given = tag.values
    if (
        tag.name == "applet"
        or _RUNS.search(value)
        or _RUNNING.search(given.get("type", ""))
        or "allowscriptaccess" in given
    ):
        return True
    if tag.name in {"object", "embed"}:
        return _MEDIA.search(value) is None
    return _is_unseen(given)


def _is_unseen(given: Mapping[str, str]) -> bool:
    """Whether nobody sees a frame or an image with these attributes."""
    return (
        "hidden" in given
        or any(_SMALL.fullmatch(given.get(name, "")) for name in ("width", "height"))
        or hides(given.get("style", ""))
    )
