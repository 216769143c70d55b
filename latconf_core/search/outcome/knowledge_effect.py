"""What knowledge did to a search: MAGs that it ruled out, and what the best DAG without it says otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from latconf_core.graph.bits import bits
from latconf_core.graph.mpdag import Mpdag
from latconf_core.json_form import KEY
from latconf_core.structure.best_dag import FoundDag

LEAST_GAIN = 1e-6  # nats; below, both fit equally well


class MagCount(NamedTuple):
    """How many of the MAGs of a PAG, as far as they were listed, knowledge leaves."""

    n_remaining: int
    n_all: int


@dataclass(frozen=True)
class KnowledgeEffect:
    """How the best DAG without latents changes where the knowledge does not bind, and it is of another Markov class.

    gain : by how many nats it is better
    pairs : those that the two classes join otherwise
    is_exact : whether both are the best of all
    """

    gain: float
    pairs: tuple[tuple[str, str], ...]
    is_exact: bool = field(default=False, metadata={KEY: "exact"})


def effect_of(bound: FoundDag, free: FoundDag, names: Sequence[str]) -> KnowledgeEffect | None:
    """What the best DAG without knowledge says otherwise; None where both are of one Markov class or fit alike."""
    gain = free.score - bound.score
    bound_class, other = Mpdag.of_dag(bound.parents), Mpdag.of_dag(free.parents)
    pairs = tuple(
        (names[a], names[b])
        for a in range(len(names))
        for b in bits((bound_class.adjacent[a] | other.adjacent[a]) & -(2 << a))
        if _edge(bound_class, a, b) != _edge(other, a, b)
    )
    if not pairs or gain < LEAST_GAIN:
        return None
    return KnowledgeEffect(gain, pairs, bound.is_exact and free.is_exact)


def _edge(graph: Mpdag, a: int, b: int) -> tuple[bool, bool, bool]:
    return bool(graph.parents[b] >> a & 1), bool(graph.parents[a] >> b & 1), bool(graph.undirected[a] >> b & 1)
