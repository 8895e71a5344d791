"""What was learned, and from what."""

import pytest

from interpose_sanitizer.classifier import model, telling

from ..corpora import corpus
from ..corpora.corpus import Half


@pytest.fixture
def sources(monkeypatch):
    """The module that reads what is learned from, which is no part of the service."""
    root = corpus.CORPORA.parents[1]
    monkeypatch.syspath_prepend(str(root))
    monkeypatch.syspath_prepend(str(root / "tests"))
    from training import sources

    return sources


def test_the_weights_are_those_of_the_examples(sources):
    """They were learned from the examples as they are: after a change of these, `make sanitizer-train`."""
    assert model.shipped().learned_from == sources.digest(sources.close())
    assert telling.shipped().learned_from == sources.digest(sources.telling())


def test_nothing_held_is_learned_from(sources):
    """No text of the held half, and none of its attacks' words."""
    learned = {one.text for one in (*sources.close(), *sources.telling())}
    held = {one.text for one in (*corpus.attacks(Half.HELD), *corpus.honest(Half.HELD))}
    said = {part for one in corpus.attacks(Half.HELD) for part in one.gone}

    assert len(learned) > len(held)
    assert not learned & (held | said)


def test_what_goes_and_what_stays_stands_in_each_text(sources):
    """Word for word: of a fragment that does not, nothing would be learned."""
    texts = [*sources.documents(), *sources.documents("telling")]
    lost = [part for one in texts for part in (*one.gone, *one.kept, *one.may_go) if part not in one.text]

    assert [] == lost
