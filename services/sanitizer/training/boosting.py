"""Boosted trees that are learned by scikit-learn and kept as arrays."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import HistGradientBoostingClassifier

from interpose_sanitizer.classifier.trees import MOST_LEAVES, Rows, Trees

TREES, LEAVES, RATE = 500, MOST_LEAVES - 1, 0.04
"""How many, of how many leaves at most, and how much of what each says counts."""
FEWEST, ASKED = 60, 0.2
"""Rows in a leaf at least; and the share of the signs about which each node may ask, drawn by chance: many tell the
same."""


def fitted(rows: Rows, is_order: npt.NDArray[np.bool_]) -> Trees:
    """What tells rows of orders from others: in sum the logarithm of how much likelier it is one than not."""
    machine = HistGradientBoostingClassifier(
        max_iter=TREES,
        max_leaf_nodes=LEAVES,
        learning_rate=RATE,
        min_samples_leaf=FEWEST,
        max_features=ASKED,
        early_stopping=False,
        random_state=7,
    )
    machine.fit(rows, is_order)
    # Private names: no other way leads to its nodes. So what comes of them is compared with what the machine says.
    made = _of(
        [tree.nodes for (tree,) in machine._predictors], rows.shape[1], float(machine._baseline_prediction.item())
    )
    np.testing.assert_allclose(made.sums(rows), machine.decision_function(rows), atol=1e-9)
    return made


def _of(trees: Sequence[np.ndarray], width: int, bias: float) -> Trees:
    signs, limits, lower = (np.zeros((len(trees), LEAVES - 1), kind) for kind in (np.int16, np.float64, np.uint16))
    values = np.zeros((len(trees), LEAVES))
    for number, nodes in enumerate(trees):
        below: dict[int, list[int]] = {}
        leaves = list(_leaves(nodes, 0, below))
        values[number, : len(leaves)] = nodes["value"][leaves]
        for place, (node, some) in enumerate(below.items()):
            signs[number, place], limits[number, place] = nodes["feature_idx"][node], nodes["num_threshold"][node]
            lower[number, place] = sum(1 << leaves.index(leaf) for leaf in some)
    return Trees(width, signs, limits, lower, values, bias)


def _leaves(nodes: np.ndarray, node: int, below: dict[int, list[int]]) -> Iterator[int]:
    """The leaves below a node, from the lowest on; and of each inner node those that are on its lower side."""
    if nodes["is_leaf"][node]:
        yield node
    else:
        below[node] = list(_leaves(nodes, int(nodes["left"][node]), below))
        yield from below[node]
        yield from _leaves(nodes, int(nodes["right"][node]), below)
