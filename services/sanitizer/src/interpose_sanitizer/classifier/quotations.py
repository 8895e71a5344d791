"""Sentences that quote an order: an article says where it was found, and that stays."""

import re
from collections.abc import Sequence

import numpy as np

from interpose_sanitizer.classifier import parts
from interpose_sanitizer.classifier.model import Model
from interpose_sanitizer.findings import Span
from interpose_sanitizer.quoted import JOINED

_QUOTATION = re.compile(
    r"\"([^\"\n]{16,400}+)(?:\"|\Z)"
    rf"|(?:(?<!\w)|(?<={JOINED}))\u201c([^\u201c\u201d\n]{{6,400}}+)(?:\u201d|\Z)"
    r"|\u201e([^\u201c\u201d\n]{16,400}+)(?:[\u201c\u201d]|\Z)"
    r"|\u00ab([^\u00ab\u00bb\n]{16,400}+)(?:\u00bb|\Z)"
    r"|[\u300c\u300e]([^\u300c-\u300f\n]{6,400}+)(?:[\u300d\u300f]|\Z)"
)
"""As many words in quotation marks as can be an order, in one line; a stop before the closing one ends the sentence."""
HONEST = 0.5
"""So much less than nearly a score has what stands around a quotation if it only tells of it."""


def narrowed(model: Model, text: str, spans: Sequence[Span]) -> list[Span]:
    """These sentences of a shadow; of one in which a quotation nearly scores, and all around it is honest, that."""
    quoting = [
        (number, found.span(found.lastindex or 0))
        for number, span in enumerate(spans)
        for found in _QUOTATION.finditer(text, *span)
    ]
    inside = [text[begin:end] for _, (begin, end) in quoting]
    around = [text[spans[of][0] : begin] + text[end : spans[of][1]] for of, (begin, end) in quoting]
    told = list(spans)
    if quoting:
        scores = parts.best(model, [*inside, *around]).reshape(2, -1)
        for place in np.flatnonzero((scores[0] >= model.beside) & (scores[1] < model.beside - HONEST))[::-1].tolist():
            of, quotation = quoting[place]
            told[of] = quotation
    return told
