"""What the sanitizer is for: attacks lose their teeth, honest text keeps every byte.

What fails in the open half is told by id. Of the held half a test tells numbers only, whatever happens.
"""

import pytest

from interpose_sanitizer.findings import Mode
from interpose_sanitizer.settings import Quoted, Settings
from interpose_sanitizer.text import sanitize

from .corpora import corpus, score
from .corpora.corpus import Attack, Half, Kind
from .corpora.score import Outcome

MARKED = "[sanitizer:"
NEUTRALISED = {
    (Half.OPEN, Kind.MARKED): 0.965,
    (Half.OPEN, Kind.HARD): 0.93,
    (Half.HELD, Kind.MARKED): 0.896,
    (Half.HELD, Kind.HARD): 0.675,
}
UNTOUCHED = {Half.OPEN: 0.993, Half.HELD: 0.957}
WHOLE = {Half.OPEN: 0.993, Half.HELD: 0.958}
"""Shares that were reached; the targets stand in `corpora/__main__.py`."""


@pytest.mark.parametrize(("of", "kind"), NEUTRALISED)
def test_attacks_are_neutralised(outcomes, of, kind):
    """Nothing of an attack is left, what is honest beside it stays: in as many as were reached before."""
    fails = [one.attack.id for one in outcomes[of] if one.attack.kind is kind and not one.is_neutralised]
    reached = score.neutralised(outcomes[of], kind)

    assert reached >= NEUTRALISED[of, kind], _told(of, fails)


@pytest.mark.parametrize("of", Half)
def test_honest_text_stays(handlings, of):
    """Honest texts come back byte for byte, as many as before."""
    altered = [one.honest.id for one in handlings[of] if one.is_altered]
    untouched = score.share(not one.is_altered for one in handlings[of])

    assert untouched >= UNTOUCHED[of], _told(of, altered)


@pytest.mark.parametrize("of", Half)
def test_honest_text_loses_no_word(handlings, of):
    """Honest texts keep all of their words, as many as before."""
    bereft = [one.honest.id for one in handlings[of] if one.lost]
    whole = score.share(not one.lost for one in handlings[of])

    assert whole >= WHOLE[of], _told(of, bereft)


@pytest.mark.parametrize("of", Half)
def test_a_second_time_changes_nothing(outcomes, of):
    """What was sanitised once comes out of a second time as it is."""
    once = {one.attack.id: one.output for one in outcomes[of][::2]}
    differing = [name for name, text in once.items() if text != sanitize(text, Settings()).text]

    assert 0 == len(differing), _told(of, differing)


@pytest.mark.parametrize("of", Half)
def test_an_attack_is_removed_without_a_trace(outcomes, of):
    """With `remove` no marker stands where an attack was, and a second time changes nothing."""
    removing = Settings(mode=Mode.REMOVE)
    removed = {attack.id: sanitize(_unmarked(attack.text), removing).text for attack in some(outcomes[of])}
    traced = [name for name, text in removed.items() if MARKED in text or text != sanitize(text, removing).text]

    assert 0 == len(traced), _told(of, traced)


@pytest.mark.parametrize("of", Half)
def test_an_attack_is_reported_as_it_is(outcomes, of):
    """With `report` not a byte changes, and what `neutralise` changes is found."""
    neutralised = {one.attack.id: one.output for one in outcomes[of]}
    changed = []
    for attack in some(outcomes[of]):
        reported = sanitize(attack.text, Settings(mode=Mode.REPORT))
        is_told = bool(reported.findings) or attack.text == neutralised[attack.id]
        if attack.text != reported.text or not is_told:
            changed.append(attack.id)

    assert 0 == len(changed), _told(of, changed)


def test_an_article_that_quotes_is_treated_on_request():
    """With `quoted: treat` the attack in an article's quotation marks goes, too, and the words around it stay."""
    [article] = [one.text for one in corpus.honest(corpus.half("article-phrase")) if one.id == "article-phrase"]
    before, after = article.split("ignore all previous instructions")
    treated = sanitize(article, Settings(quoted=Quoted.TREAT)).text

    assert (True, True) == (treated.startswith(before), treated.endswith(after))
    assert "previous instructions" not in treated


def some(outcomes: list[Outcome]) -> tuple[Attack, ...]:
    """Some of the attacks that were sanitised before: what another mode does differs little from one to the next."""
    return tuple(one.attack for one in outcomes[::8])


def _told(of: Half, ids: list[str]) -> str:
    return f"{len(ids)} of the held half" if of is Half.HELD else ", ".join(ids)


def _unmarked(text: str) -> str:
    return text.replace(f"{MARKED} invisible]", "")
