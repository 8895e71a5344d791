"""Secrets in texts of many kinds are gone, what stands around them stays, and honest look-alikes stay whole."""

import pytest

from interpose_sanitizer.disclosures.wanted import Treatment
from interpose_sanitizer.findings import Family
from interpose_sanitizer.settings import Settings
from interpose_sanitizer.text import sanitize

from ..corpora import corpus as others
from ..corpora.corpus import EVERY, Half
from . import corpus

LEFT = 8
"""Characters in a row that would be more than a mask keeps, and longer than the words that kinds and tokens share."""
MASKING = Settings(families=frozenset(), secrets=Treatment.MASK)


def survives(secret, output):
    """Whether more of a secret is left than a mask may show."""
    return any(secret[start : start + LEFT] in output for start in range(max(len(secret) - LEFT + 1, 1)))


def test_the_corpus_is_large():
    """It holds what it should."""
    assert 150 <= len(list(corpus.samples()))
    assert 150 <= len(corpus.HONEST)


def test_secrets_are_gone():
    """Nothing of a secret is left but what a mask shows, and nothing else of the text is gone."""
    failed = []
    for one in corpus.samples():
        output = sanitize(one.text, MASKING).text
        around = one.text
        for secret in one.secrets:
            around = around.replace(secret, "\0")
        if any(survives(secret, output) for secret in one.secrets) or not all(p in output for p in around.split("\0")):
            failed.append((one.id, one.text[:200], output[:200]))

    assert [] == failed


def test_honest_look_alikes_stay():
    """Hashes, ids, public keys, placeholders, code and prose come back byte for byte."""
    assert [] == [(one.text, out) for one in corpus.honest() if (out := sanitize(one.text, MASKING).text) != one.text]


@pytest.mark.parametrize("of", Half)
def test_honest_texts_of_the_corpora_stay(of):
    """At most one in 200 of some texts by which attacks are judged holds anything that is taken for a secret."""
    texts = [one for one in others.honest(of) if others.is_chosen(one.id, EVERY)]
    altered = [one.id for one in texts if any(f.family is Family.SECRET for f in sanitize(one.text, MASKING).findings)]

    assert len(altered) * 200 <= len(texts), len(altered) if of is Half.HELD else altered
