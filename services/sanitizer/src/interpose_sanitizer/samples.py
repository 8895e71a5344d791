"""Rows of a data set in which models are trained, as pages about it show them: headings of an instruction and of its
answer, below prose that says what they are.

Each instruction has its answer and asks for a piece of writing about nothing that a model holds or can reach: such
verbs and subjects are known, and what is not known to be so harmless is none.
"""

import re

from interpose_sanitizer import orders, rendered
from interpose_sanitizer.findings import Span

ABOVE, LONGEST = 400, 3_000
"""How far above the first heading prose says what stands there, and how long all of it is, in characters."""
_HEADING = re.compile(r"(?m)^#{2,4} ?(instruction|input|response|output):?[ \t]{0,8}$")
_SET = re.compile(
    r"\b(?:rows?|samples?|examples?|records?|entr(?:y|ies)|excerpts?)\b[^.!?\n]{0,60}"
    r"\b(?:(?:training |test |validation )split|data ?sets?|train(?:ing)? (?:set|data|file)|corpus"
    r"|instruction[- ]tuning|fine[- ]?tuning|alpaca)\b"
    r"|\b(?:alpaca|vicuna|instruction[- ]tuning) (?:layout|format|style|schema)\b"
    r"|\b(?:data ?sets?|training data|alpaca format)\b[^.!?\n]{0,60}\b(?:rows?|samples?|examples?|records?|looks?)\b"
)
_ASKED = re.compile(
    r"(?:(?:re)?write|name|list|give|describe|explain|summari[sz]e|translate|classify|convert|compare|define|identify|edit"
    r"|paraphrase|correct|calculate|compute|create|generate|suggest|find|tell|compose|sort|count|complete|choose|select)\b"
)
"""How an instruction begins that asks for a piece of writing."""
_RISKY = re.compile(
    r"://|[@/\\$`<>{}]|[^\x00-\x7f]|[0-9]{4}|\b(?:you|your|yours|my|me|our|us|users?|systems?|prompts?|instructions?|rules?|passwords?"
    r"|keys?|secrets?|tokens?|credentials?|e-?mails?|mails?|inbox|contacts?|accounts?|files?|folders?|database|tables?"
    r"|conversations?|chats?|history|sessions?|context|above|previous|earlier|memory|tools?|functions?|commands?|links?"
    r"|url|money|payments?|invoices?|orders?|approv\w{0,5}|confirm\w{0,6}|now|instead|must|always|never|ignore|answers?"
    r"|repl(?:y|ies)|respond|assistant|model|ai|confidential|private|personal|data)\b"
)
"""What a model holds, can reach, or is told of itself."""
_DOES = re.compile(
    r"\b(?:i|we)(?:'| (?:have|will|am|can|shall)\b)|\b(?:sent|deleted|transferred|forwarded|granted|paid)\b"
)
"""What an answer says that tells of deeds."""
_FENCED = re.compile(rf"{rendered.FENCE}[a-z]{{0,12}}[ \t\r]{{0,4}}\n$")
_SENTENCES = re.compile(r"(?<=[.!?])\s|\n")


def holds(text: str, span: Span) -> bool:
    """Whether the headings at a span of a shadow are those of such rows."""
    if "#" not in text[slice(*span)]:
        return False
    begin, end = max(span[0] - LONGEST, 0), min(span[1] + LONGEST, len(text))
    headings = list(_HEADING.finditer(text, begin, end))
    if not headings or not headings[0].start() <= span[1] or not _are_pairs([one[1] for one in headings]):
        return False
    above = text[max(headings[0].start() - ABOVE, 0) : headings[0].start()]
    if _SET.search(above) is None:
        return False
    ends = [one.start() for one in headings[1:]]
    last = text[headings[-1].end() : end]
    if _FENCED.search(above) and rendered.FENCE in last:
        last = last.partition(rendered.FENCE)[0]  # What stands behind a block is no part of its rows.
    said = [text[one.end() : stop] for one, stop in zip(headings, ends, strict=False)]
    said.append(last.strip().partition("\n\n")[0])
    rest = last.strip().partition("\n\n")[2]
    return (
        all(map(_is_harmless, (one[1] for one in headings), said))
        and not orders.begin_any(_SENTENCES.split(rest))
        and not _DOES.search(rest)
    )


def _are_pairs(names: list[str]) -> bool:
    """Whether each instruction is followed by its answer, with an input between them at most."""
    shown = "".join({"instruction": "q", "input": "i"}.get(name, "a") for name in names)
    return re.fullmatch(r"(?:qi?a){1,40}", shown) is not None


def _is_harmless(kind: str, said: str) -> bool:
    """Whether what stands below a heading is not empty, and asks for nothing but a piece of writing."""
    parts = [part for part in (one.strip() for one in _SENTENCES.split(said)) if part]
    if not parts or _RISKY.search(said):
        return False
    if kind == "instruction":
        return all(_ASKED.match(part) or rendered.asks(part) for part in parts)
    return not _DOES.search(said) and not orders.begin_any(parts)
