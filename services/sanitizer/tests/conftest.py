"""What the tests of the corpora share: every fourth text of each half, sanitised once.

`make sanitizer-score` takes all of them.
"""

import pytest

from .corpora import score
from .corpora.corpus import EVERY, Half
from .corpora.score import Handling, Outcome


@pytest.fixture(scope="session")
def outcomes() -> dict[Half, list[Outcome]]:
    """What became of attacks of each half."""
    return {of: score.outcomes(of, EVERY) for of in Half}


@pytest.fixture(scope="session")
def handlings() -> dict[Half, list[Handling]]:
    """What became of honest texts of each half."""
    return {of: score.handlings(of, EVERY) for of in Half}
