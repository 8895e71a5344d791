"""`make sanitizer-train`: learn the classifier's weights anew and write them where the service reads them."""

import argparse
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt
import sklearn
from scipy.sparse import csr_matrix, diags
from sklearn.svm import LinearSVC

from interpose_sanitizer import classifier
from interpose_sanitizer.classifier import model, telling
from interpose_sanitizer.classifier.model import Model
from interpose_sanitizer.classifier.trees import Trees
from training import companies, contexts, pools, sources, tellings
from training.contexts import Best
from training.linked import linked
from training.rows import PARTS, Learned, part, rows_of
from training.sources import Example

GROUPS = 4
"""In how many the features are learned from, each group as if there were no others: what two features tell alike is
learned of both, and one of them is enough where the other is missing (random subspaces, Ho 1998)."""
HARDNESS = 0.3
"""How much an error costs against large weights."""
SPREAD, RAISED = 2.85, 0.2
"""What the sum of the groups is divided by, and what is added, so that scores spread as those of one machine do: some
lines of the sanitizer are numbers (`edges.HONEST`, `search.GOES_ON`)."""
TOLD = 0.25
"""How much more may be learned of a feature that is common among orders and rare elsewhere, or the other way round."""
SEED, AMID, BESIDE = 0.034, 0.02, 0.048
"""In which share of the honest texts and lines some sentence may be taken, if nothing is known of what stands around;
in which of the whole texts, where that is known; and in which of all beside one that is taken."""
LARGEST = 127
FEW_LARGER = 0.9999
"""This share of the weights is told apart; the others count as the largest of these."""


def main() -> None:
    """Train, choose the lines by what was held back in turn, and write the files."""
    arguments = argparse.ArgumentParser(prog="make sanitizer-train", description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path(classifier.__file__).parent / model.FILE)
    arguments.add_argument(
        "--machines",
        type=Path,
        default=Path(__file__).parents[3] / ".training" / "machines",
        help="a folder that keeps each machine as soon as it has learned: begun anew, the training goes on from there",
    )
    arguments.add_argument(
        "--at-once", type=int, default=1, help="how many machines learn at once: each takes up to 16 GB (default 1)"
    )
    given = arguments.parse_args()
    some = list(sources.examples())
    some += linked(some)
    learned = rows_of(some)
    print(f"{learned.orders.size} sentences, {np.count_nonzero(learned.orders)} of them orders", flush=True)
    *learnt, made = _in_turn(learned, given.machines, given.at_once)
    judged = list(_judged(some, learnt))
    lines = _lines(judged)
    subject, without = contexts.fitted(judged, lines["seed"], AMID)
    learnt = [replace(one, subject=trees, **lines) for one, trees in zip(learnt, without, strict=True)]
    company = companies.fitted(list(companies.found(learnt)))
    telling_of = list(sources.telling())
    told = tellings.fitted(tellings.recognised(learnt, list(tellings.looked_at(some, telling_of))))
    digest = sources.digest(one for one in some if one.is_close)
    replace(made, learned_from=digest, subject=subject, company=company, **lines).write(given.out)
    told = replace(told, learned_from=sources.digest(telling_of))
    np.savez_compressed(given.out.with_name(telling.FILE), **asdict(told))
    print(f"{given.out}: {given.out.stat().st_size} bytes")


def _lines(judged: Sequence[Best]) -> dict[str, float]:
    """From which score on a sentence is taken of which nothing else is known, and how much is enough beside one that
    is."""
    honest, orders = (np.array([one.score for one in judged if one.is_order is kind]) for kind in (False, True))
    return {"seed": _line("seed", SEED, honest, orders), "beside": _line("beside", BESIDE, honest, orders)}


def _line(name: str, rate: float, honest: npt.NDArray[np.float64], orders: npt.NDArray[np.float64]) -> float:
    line = float(np.quantile(honest, 1 - rate))
    print(f"{name}: {line:.3f}, {rate:.1%} of the honest are above and {np.mean(orders > line):.1%} of the orders")
    return line


def _in_turn(learned: Learned, folder: Path, at_once: int) -> Iterator[Model]:
    """For each part what was learned from the others, and at last what was learned from all.

    Each in a process of its own: machines in threads share their dice.
    """
    name = _digest(learned)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.npz"):
        if not old.name.startswith(name):
            old.unlink()

    def learn(number: int) -> Model:
        return _kept(learned, number, folder / f"{name}-{number}.npz")

    turns = pools.mapped(learn, range(PARTS + 1), at_once=1, processes=at_once)
    for number, made in enumerate(turns, 1):
        yield made
        print(f"{number} of {PARTS + 1} machines have learned", flush=True)


def _digest(learned: Learned) -> str:
    """What sentences are known by, together with how is learned from them."""
    features = learned.features
    found = hashlib.sha256(f"{sklearn.__version__} {Path(__file__).read_text('utf-8')}".encode())
    for some in (features.data, features.indices, features.indptr, learned.orders, learned.costs, learned.parts):
        found.update(np.ascontiguousarray(some).data)
    return found.hexdigest()[:16]


def _kept(learned: Learned, number: int, file: Path) -> Model:
    """What was learned from all parts but one, from an earlier time if it was kept."""
    if not file.exists():
        made = fitted(learned, learned.parts != number)
        # Whole or not at all: whoever breaks off has no half of one.
        whole = file.with_suffix(".new.npz")
        made.write(whole)
        whole.replace(file)
    return Model.read(file)


def _judged(some: Sequence[Example], learnt: Sequence[Model]) -> Iterator[Best]:
    """What was written to be told apart, judged by what was learned from other parts."""
    close = [example for example in some if example.is_close]
    found = pools.mapped(lambda example: list(contexts.best(learnt[part(example.text)], example)), close)
    return chain.from_iterable(found)


def fitted(learned: Learned, inside: npt.NDArray[np.bool_]) -> Model:
    """What linear support vector machines (squared hinge loss) learn from some sentences; without lines."""
    features, orders, costs = learned.features[inside], learned.orders[inside], learned.costs[inside]
    telling = _telling(features, orders)
    counted = (features @ diags(telling)).tocsc()
    weights, bias = np.zeros(telling.size), RAISED
    for group in range(GROUPS):
        machine = LinearSVC(C=HARDNESS, random_state=7, max_iter=3000)
        machine.fit(counted[:, group::GROUPS].tocsr(), orders, sample_weight=costs)
        weights[group::GROUPS] = machine.coef_[0] / SPREAD
        bias += float(machine.intercept_[0]) / SPREAD
    weights *= telling
    scale = float(np.quantile(np.abs(weights), FEW_LARGER)) / LARGEST
    small = np.clip(np.round(weights / scale), -LARGEST, LARGEST).astype(np.int8)
    lines = dict.fromkeys(model.LINES, np.inf)
    return Model(small, scale, bias, subject=Trees.none(), company=Trees.none(), learned_from="", **lines)


def _telling(features: csr_matrix, orders: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """How much each feature counts while it is learned, about 1: more, if the logarithms of its shares among the
    features of orders and of others differ (Wang and Manning 2012)."""
    seen = [np.bincount(some.indices, minlength=some.shape[1]) for some in (features[orders], features[~orders])]
    shares = [np.log((count + 1) / (count + 1).sum()) for count in seen]
    differs = np.abs(shares[0] - shares[1])
    return np.asarray(1 + TOLD * (differs / differs[seen[0] + seen[1] > 0].mean() - 1))


if __name__ == "__main__":
    main()
