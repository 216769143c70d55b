"""Sets of variables that depend on each other too weakly for edges: what a hidden cause of many may leave.

Each pair of its effects may depend so little that no edge pays for its parameters, so that the best DAG has none and
the skeleton shows nothing; the hidden cause pays for all of them at once. What is left of such pairs is a dependence
given the parents of the later one, given which the DAG says that they are independent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import combinations
from math import log

from latconf_core.data.dataset import Dataset
from latconf_core.errors import DataError
from latconf_core.graph.bits import bits
from latconf_core.independence.base import IndependenceTest
from latconf_core.independence.contingency import ContingencyTest
from latconf_core.search.refining.soft_model import SoftModel
from latconf_core.structure.family_table import order_of

ALPHA = 0.05
MOST_OF_A_PAIR = 10.0  # what one pair may count, in nats: many weak links are looked for, not one that is strong
ADJACENT, APART = 1.0, -2.0  # what a pair with an edge counts, and one that is independent
MAX_CHILDREN = 6
MAX_SETS = 30
Links = Mapping[tuple[int, int], float]


class WeakLinks:
    """Tests on one dataset."""

    def __init__(self, dataset: Dataset) -> None:
        self._test: IndependenceTest | None = None
        with suppress(DataError):  # the table of two variables is too large to be counted
            self._test = ContingencyTest(dataset, ALPHA)

    def list_sets(self, model: SoftModel, checkpoint: Callable[[], None]) -> list[int]:
        """Sets of three and more with weak links among them, those with most in front."""
        if self._test is None:
            return []
        links = _weak_links(model, self._test, checkpoint)
        worth = _Worth(model, links)
        grown = {
            children for pair in links for children in _grow(1 << pair[0] | 1 << pair[1], worth, len(model.parents))
        }
        return sorted(grown, key=lambda children: (-worth.of_set(children), children))[:MAX_SETS]


class _Worth:
    def __init__(self, model: SoftModel, links: Links) -> None:
        self._near = model.adjacent()
        self._links = links

    def of_pair(self, a: int, b: int) -> float:
        if self._near[a] >> b & 1:
            return ADJACENT
        return self._links.get((min(a, b), max(a, b)), APART)

    def of_set(self, members: int) -> float:
        return sum(self.of_pair(a, b) for a, b in combinations(bits(members), 2))

    def of_joining(self, v: int, members: int) -> float:
        return sum(self.of_pair(u, v) for u in bits(members))


def _weak_links(model: SoftModel, test: IndependenceTest, checkpoint: Callable[[], None]) -> Links:
    """Of pairs without an edge or a latent in common that are dependent: −log p beyond what is taken for chance."""
    near, order = model.adjacent(), order_of(model.parents)
    weak_links = {}
    for index, later in enumerate(order):
        for earlier in order[:index]:
            if not near[later] >> earlier & 1:
                checkpoint()
                p = test.p_value(earlier, later, list(bits(model.parents[later])))
                if p < ALPHA:
                    worth = log(ALPHA) - log(max(p, 1e-300)) + 1.0
                    weak_links[min(earlier, later), max(earlier, later)] = min(worth, MOST_OF_A_PAIR)
    return weak_links


def _grow(members: int, worth: _Worth, n_variables: int) -> Iterator[int]:
    """Larger sets by the variable that links most, while that counts for the set."""
    while members.bit_count() < MAX_CHILDREN:
        others = [v for v in range(n_variables) if not members >> v & 1]
        best = max(others, key=lambda v: worth.of_joining(v, members), default=None)
        if best is None or worth.of_joining(best, members) <= 0:
            return
        members |= 1 << best
        yield members
