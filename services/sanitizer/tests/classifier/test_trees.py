"""Trees as arrays, against a plain walk from node to node."""

import numpy as np
import pytest

from interpose_sanitizer.classifier.trees import AT_ONCE, MOST_LEAVES, Trees

from .stumps import always, where

SIGNS = 5


def grown(dice, leaves):
    """A tree of so many leaves, by chance: a leaf is its value, a node a sign, a limit and what it leads to."""
    if leaves == 1:
        return float(dice.normal())
    below = int(dice.integers(1, leaves))
    sign, limit = int(dice.integers(SIGNS)), float(dice.normal())
    return sign, limit, grown(dice, below), grown(dice, leaves - below)


def flat(tree, begin=0):
    """The nodes of a tree, each with the bits of the leaves on its lower side; and its leaves, the lowest first."""
    if isinstance(tree, float):
        return [], [tree]
    sign, limit, lower, higher = tree
    nodes, leaves = flat(lower, begin)
    others, more = flat(higher, begin + len(leaves))
    here = sign, limit, ((1 << len(leaves)) - 1) << begin
    return [*nodes, *others, here], [*leaves, *more]


def made(dice, plain, bias):
    """Plain trees as arrays; their nodes stand in any order."""
    nodes, leaves = zip(*map(flat, plain), strict=True)
    inner, most = max(1, *map(len, nodes)), max(map(len, leaves))
    rows = [
        [*dice.permutation(np.array(some or [(0, 0.0, 0)])), *[(0, 0.0, 0)] * (inner - max(len(some), 1))]
        for some in nodes
    ]
    signs, limits, lower = np.moveaxis(np.array(rows, np.float64), 2, 0)
    values = np.array([some + [0.0] * (most - len(some)) for some in leaves])
    return Trees(SIGNS, signs.astype(np.int16), limits, lower.astype(np.uint16), values, bias)


def walked(tree, row):
    """The value of the leaf that a row of signs comes to."""
    while not isinstance(tree, float):
        sign, limit, lower, higher = tree
        tree = lower if row[sign] <= limit else higher
    return tree


def some_trees(seed, count, leaves=MOST_LEAVES, bias=0.5):
    """So many trees by chance, as arrays, and plain."""
    dice = np.random.default_rng(seed)
    plain = [grown(dice, int(dice.integers(1, leaves + 1))) for _ in range(count)]
    return made(dice, plain, bias), plain


@pytest.mark.parametrize("count", [1, 7, 250])
@pytest.mark.parametrize("rows", [0, 1, AT_ONCE, AT_ONCE + 3])
def test_every_row_comes_to_the_leaf_that_it_is_led_to(count, rows):
    """In every tree, however deep it is beside others; and however many rows go at once."""
    trees, plain = some_trees(count * 1_000 + rows, count)
    asked = np.random.default_rng(rows).normal(size=(rows, SIGNS))
    expected = [sum(walked(tree, row) for tree in plain) + 0.5 for row in asked]

    np.testing.assert_allclose(trees.sums(asked), expected)


def test_a_tree_of_all_leaves_comes_to_each():
    """Whether it is deep on its higher or on its lower side."""
    rows = np.tile(np.arange(MOST_LEAVES)[:, None] - 0.5, SIGNS)
    higher, lower = float(MOST_LEAVES - 1), 0.0
    for leaf in range(MOST_LEAVES - 1):
        back = MOST_LEAVES - 2 - leaf
        higher, lower = (0, back, float(back), higher), (0, leaf, lower, float(leaf + 1))
    for tree in (higher, lower):
        assert list(range(MOST_LEAVES)) == made(np.random.default_rng(1), [tree], 0.0).sums(rows).tolist()


def test_up_to_its_limit_a_sign_leads_lower():
    """The limit itself as well."""
    assert [-1.0, -1.0, 1.0] == where(0, -1.0, 1.0, width=1).sums(np.array([[0.4], [0.5], [0.6]])).tolist()


def test_what_a_row_is_told_does_not_hang_on_the_others():
    """Not by the last bit: a text is judged alike wherever it stands."""
    trees, _ = some_trees(11, 300)
    rows = np.random.default_rng(12).normal(size=(AT_ONCE + 40, SIGNS))

    assert trees.sums(rows).tolist() == [float(trees.sums(row[None])[0]) for row in rows]


def test_other_signs_are_refused():
    """Nobody is asked about what stands in another's place."""
    with pytest.raises(ValueError, match="4 signs, and these trees ask about 5"):
        always(1.0, width=5).sums(np.zeros((1, 4)))


def test_they_are_kept_under_a_name():
    """All of them, beside others."""
    trees, _ = some_trees(3, 4)
    kept = trees.named("some") | Trees.none().named("none")
    rows = np.random.default_rng(4).normal(size=(5, SIGNS))

    assert trees.sums(rows).tolist() == Trees.of(kept, "some").sums(rows).tolist()
    assert [-np.inf] * 5 == Trees.of(kept, "none").sums(rows).tolist()
