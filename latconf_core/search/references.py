"""The best DAG without latents (P*): found once per data set and seed, and shared by the runs on it."""

from __future__ import annotations

from collections.abc import Iterator

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.families.objectives import JUDGING
from latconf_core.knowledge.bound import BoundKnowledge
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.score.scorer import Scorer
from latconf_core.structure.best_dag import FoundDag, reach_best_by

MAX_KNOWN = 16  # data sets, priors and seeds
Key = tuple[str, int, str, str, float, BoundKnowledge | None]


class References:
    """What the searches for the best DAG without latents reached, in the order in which they reached it.

    Only whole searches are kept: one that was stopped is begun anew by the next run.
    """

    def __init__(self) -> None:
        self._known: dict[Key, tuple[FoundDag, ...]] = {}

    def reach(
        self, scorer: Scorer, options: SearchOptions, *, control: RunControl, known: BoundKnowledge | None = None
    ) -> Iterator[FoundDag]:
        """The DAGs that the search under the scorer's objective reaches; remembered where it was made before.

        known : what binds
        """
        key = _key(scorer.dataset, options.seed, scorer.options, known)
        remembered = self._known.get(key)
        if remembered is not None:
            yield from remembered
            return
        reached = []
        for dag in reach_best_by(scorer, seed=options.seed, checkpoint=control.checkpoint, known=known):
            reached.append(dag)
            yield dag
        self._remember(key, tuple(reached))

    def remember(
        self,
        dataset: Dataset,
        options: SearchOptions,
        found_dags: tuple[FoundDag, ...],
        *,
        known: BoundKnowledge | None = None,
    ) -> None:
        """Keep what a whole search for the DAG that judging compares with has reached elsewhere."""
        self._remember(_judging_key(dataset, options, known), found_dags)

    def _remember(self, key: Key, found_dags: tuple[FoundDag, ...]) -> None:
        while len(self._known) >= MAX_KNOWN:
            self._known.pop(next(iter(self._known)))
        self._known[key] = found_dags

    def recall(
        self, dataset: Dataset, options: SearchOptions, *, known: BoundKnowledge | None = None
    ) -> tuple[FoundDag, ...] | None:
        """What a whole search has reached; None where none was made."""
        return self._known.get(_judging_key(dataset, options, known))

    def knows(self, dataset: Dataset, options: SearchOptions, *, known: BoundKnowledge | None = None) -> bool:
        """Whether the search need not be made again."""
        return _judging_key(dataset, options, known) in self._known


def _judging_key(dataset: Dataset, options: SearchOptions, known: BoundKnowledge | None) -> Key:
    return _key(dataset, options.seed, JUDGING.apply(options.vbem), known)


def _key(dataset: Dataset, seed: int, scored: VbemOptions, known: BoundKnowledge | None) -> Key:
    bound = known if known is not None and known.binds else None
    return dataset.digest, seed, scored.prior, scored.prices, scored.ess, bound
