"""The answer that a text puts into a model's mouth: right behind what gives it the turn, somebody agrees.

"<|im_start|>assistant" and "Sure, I am sending it." below: who goes on from there has agreed. What agrees are words of
`frames.toml`; whatever else stands below such a token may be the honest rest of the text.
"""

import re
from collections.abc import Iterator, Sequence
from operator import itemgetter

from interpose_sanitizer.findings import Family, Hit, Span
from interpose_sanitizer.frames import named
from interpose_sanitizer.shadow import fold_text

FAMILY, RULE_ID = Family.FAKE_TURN, "answer-to-an-attack"
"""What its findings are called."""
_GIVES = re.compile(
    r"(?:(?<![a-z])(?:assistant|model|chatbot|bot|gpt|ai|response)(?:_[a-z]{1,8})?|\[/inst\])"
    r"(?P<closes>[^\w\s<]{0,4}(?:<\|[a-z_]{3,20}\|>[a-z]{0,12}){0,2})",
    re.IGNORECASE,
)
"""Whose turn it is, what closes that token, and tokens that begin the message; or what ends a prompt."""
_ANSWER = re.compile(r"[ \t]{0,8}(?:(?:\n|\\{1,2}n)[ \t>]{0,8}){0,2}([^\n\\\"<]{2,300})")
"""What stands behind it in its line, or in the next that is not empty, as far as its string goes."""


def search(text: str, attacks: Sequence[Span]) -> Iterator[Hit]:
    """The lines that answer in a turn which the end of one of some attacks has given to a model."""
    ends = set(map(itemgetter(1), attacks))
    for gives in _GIVES.finditer(text) if ends else ():
        last = next((end for end in range(gives.end(), gives.start("closes") - 1, -1) if end in ends), None)
        answer = _ANSWER.match(text, last) if last is not None else None
        if answer and named("agreements").match(fold_text(answer[1])):
            yield (answer.start(1), answer.start(1) + len(answer[1].rstrip())), FAMILY, RULE_ID
