"""`make sanitizer-train`: learn the classifier's weights anew and write them where the service reads them."""

import argparse
import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sklearn.svm import LinearSVC

from interpose_sanitizer import classifier
from interpose_sanitizer.classifier import model
from interpose_sanitizer.classifier.model import Model
from interpose_sanitizer.classifier.sentences import cut
from interpose_sanitizer.shadow import Shadow
from training import sources
from training.rows import PARTS, Learned, part, rows_of
from training.sources import Example

HARDNESS = 0.07
"""How much an error costs against large weights."""
RATES = {"seed": 0.01, "beside": 0.04}
"""Shares of the honest texts that were written to look like orders, of which some sentence may be taken."""
LARGEST = 127
FEW_LARGER = 0.9999
"""This share of the weights is told apart; the others count as the largest of these."""


def main() -> None:
    """Train, choose the lines by what was held back in turn, and write the file."""
    arguments = argparse.ArgumentParser(prog="make sanitizer-train", description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path(classifier.__file__).parent / model.FILE)
    given = arguments.parse_args()
    some = list(sources.examples())
    learned = rows_of(some)
    print(f"{learned.orders.size} sentences, {np.count_nonzero(learned.orders)} of them orders", flush=True)
    honest, orders = _best(some, learned)
    lines = {name: float(np.quantile(honest, 1 - rate)) for name, rate in RATES.items()}
    for name, line in lines.items():
        told = f"{RATES[name]:.1%} of the honest texts are above and {np.mean(orders > line):.1%} of the orders"
        print(f"{name}: {line:.3f}, {told}")
    digest = hashlib.sha256("\0".join(one.text for one in some if one.is_close).encode()).hexdigest()
    _write(given.out, replace(fitted(learned, np.ones(learned.orders.size, np.bool_)), learned_from=digest, **lines))
    print(f"{given.out}: {given.out.stat().st_size} bytes")


def _best(some: Sequence[Example], learned: Learned) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The best score of each honest text and of each attack, by what was learned from other parts."""
    found: tuple[list[float], list[float]] = ([], [])
    for number in range(PARTS):
        learnt = fitted(learned, learned.parts != number)
        for example in some:
            if example.is_close and part(example.text) == number:
                scores = learnt.scores(cut(Shadow(example.text)))
                found[bool(example.orders)].append(float(scores.max(initial=-np.inf)))
        print(f"part {number + 1} of {PARTS} is judged", flush=True)
    return np.array(found[False]), np.array(found[True])


def fitted(learned: Learned, inside: npt.NDArray[np.bool_]) -> Model:
    """What a linear support vector machine (squared hinge loss) learns from some sentences; without lines."""
    machine = LinearSVC(C=HARDNESS, random_state=7, max_iter=3000)
    machine.fit(learned.features[inside], learned.orders[inside], sample_weight=learned.costs[inside])
    weights = machine.coef_[0]
    scale = float(np.quantile(np.abs(weights), FEW_LARGER)) / LARGEST
    small = np.clip(np.round(weights / scale), -LARGEST, LARGEST).astype(np.int8)
    return Model(small, scale, float(machine.intercept_[0]), np.inf, np.inf, "")


def _write(file: Path, made: Model) -> None:
    numbers = {name: getattr(made, name) for name in ("scale", "bias", *RATES)}
    np.savez_compressed(file, weights=made.weights, learned_from=made.learned_from, **numbers)


if __name__ == "__main__":
    main()
