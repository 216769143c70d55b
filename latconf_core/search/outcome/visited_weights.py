"""The weight of each edge and latent over the classes of DAGs that a run has visited: a softmax of their best scores.

This is no posterior over all graphs: what was not visited has no weight, and a search visits what it looks for. DAGs
that fit equally well are one class, so that an arrow weighs only where its direction is more than a choice of member.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from typing import Any

import numpy as np

from latconf_core.graph.bits import bits
from latconf_core.graph.mpdag import ClassKey, Mpdag, class_key
from latconf_core.model.bit_dag import BitDag, all_parents
from latconf_core.phrases import counted
from latconf_core.search.outcome.history import History

LEAST_WEIGHT = 1e-12  # of a DAG that can make a difference to a share; a search visits thousands far below
LEAST_LISTED = 0.001
MEANING = (
    "These weights compare the classes of equally good DAGs that the search visited (softmax of their best "
    "scores). They are not probabilities over all graphs: unvisited DAGs have no weight. A direction has "
    "weight only if every DAG of the class has it."
)


@dataclass(frozen=True)
class VisitedWeights:
    """How much of the weight of all visited classes lies on those with an edge, a latent, or any latent.

    n_visits : different DAGs, whose classes are `n_classes` where lighter ones than a trillionth are left out
    edges : (parent, child) → weight of the classes whose DAGs all have the arrow; below a thousandth is left out
    pairs : two variables in the order of the data → weight of the classes that join them; the same
    latents : children → weight, whatever the number of states and the name; the same
    any_latent : of the classes with at least one latent
    """

    n_visits: int
    edges: Mapping[tuple[str, str], float]
    latents: Mapping[tuple[str, ...], float]
    any_latent: float
    n_classes: int = 0
    pairs: Mapping[tuple[str, str], float] = field(default_factory=dict)

    def of_edge(self, parent: str, child: str) -> float:
        """The weight of the classes in which this direction is compelled."""
        return self.edges.get((parent, child), 0.0)

    def of_pair(self, name: str, other: str) -> float:
        """The weight of the classes that join the two, in either direction."""
        return self.pairs.get((name, other), self.pairs.get((other, name), 0.0))

    def of_latent(self, children: tuple[str, ...]) -> float:
        return self.latents.get(children, 0.0)

    def to_json(self) -> dict[str, Any]:
        """The heaviest first, with what it is."""
        edges = sorted(self.edges.items(), key=lambda item: -item[1])
        pairs = sorted(self.pairs.items(), key=lambda item: -item[1])
        latents = sorted(self.latents.items(), key=lambda item: -item[1])
        return {
            "meaning": MEANING,
            "visits": self.n_visits,
            "classes": self.n_classes,
            "any_latent": self.any_latent,
            "edges": [[*pair, weight] for pair, weight in edges],
            "pairs": [[*pair, weight] for pair, weight in pairs],
            "latents": [{"children": list(children), "weight": weight} for children, weight in latents],
        }


def visited_weights(history: History) -> VisitedWeights:
    """The weights over the classes that a history visited; each counts once, by the best score of its members."""
    best: dict[BitDag, float] = {}
    for visit in history:
        if visit.p_elbo > best.get(visit.candidate, -np.inf):
            best[visit.candidate] = visit.p_elbo
    if not best:
        return VisitedWeights(0, {}, {}, 0.0)
    least = max(best.values()) + log(LEAST_WEIGHT)
    classes: dict[ClassKey, tuple[float, BitDag]] = {}
    for candidate, score in best.items():
        if score >= least:
            key = class_key(all_parents(candidate), tuple(latent.n_states for latent in candidate.latents))
            if key not in classes or score > classes[key][0]:
                classes[key] = score, candidate
    members = [candidate for _, candidate in classes.values()]
    scores = np.fromiter((score for score, _ in classes.values()), dtype=np.float64, count=len(classes))
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    latents: dict[int, float] = {}
    any_latent = 0.0
    for candidate, weight in zip(members, weights.tolist()):
        any_latent += weight if candidate.latents else 0.0
        for children in {latent.children for latent in candidate.latents}:
            latents[children] = latents.get(children, 0.0) + weight
    edges, pairs = _edges_and_pairs(members, weights.tolist(), history.nodes)
    return VisitedWeights(
        len(best), edges, _by_children(latents, history.nodes), any_latent, n_classes=len(members), pairs=pairs
    )


def _edges_and_pairs(
    members: Sequence[BitDag], weights: Sequence[float], nodes: tuple[str, ...]
) -> tuple[dict[tuple[str, str], float], dict[tuple[str, str], float]]:
    """Arrow → the weight of the classes that compel it, and joined pair → weight, in the order of the nodes."""
    edges: dict[tuple[str, str], float] = {}
    pairs: dict[tuple[str, str], float] = {}
    counted_so_far = 0.0
    for index in sorted(range(len(members)), key=lambda k: -weights[k]):
        parents, weight, n = all_parents(members[index]), weights[index], len(nodes)
        is_light = counted_so_far > 1 - LEAST_LISTED / 10  # what is left changes no listed share
        counted_so_far += weight
        hidden = -1 << n
        compelled = parents if is_light else Mpdag.of_dag(parents, fixed=[above & hidden for above in parents]).parents
        for child in range(n):
            for parent in bits(parents[child] & ~hidden):
                pair = nodes[min(parent, child)], nodes[max(parent, child)]
                pairs[pair] = pairs.get(pair, 0.0) + weight
                if not is_light and compelled[child] >> parent & 1:
                    arrow = nodes[parent], nodes[child]
                    edges[arrow] = edges.get(arrow, 0.0) + weight
    return _listed(edges), _listed(pairs)


def _listed(shares: Mapping[tuple[str, str], float]) -> dict[tuple[str, str], float]:
    return {pair: weight for pair, weight in shares.items() if weight >= LEAST_LISTED}


def _by_children(latents: Mapping[int, float], nodes: tuple[str, ...]) -> dict[tuple[str, ...], float]:
    """Children → weight; a latent above other latents is left out, since their names differ from DAG to DAG."""
    observed = (1 << len(nodes)) - 1
    return {
        tuple(nodes[child] for child in bits(children)): weight
        for children, weight in latents.items()
        if children <= observed and weight >= LEAST_LISTED
    }


def weight_text(weight: float) -> str:
    """A weight as a person reads it: "93 %", "more than 99.9 %"."""
    if weight > 0.999:
        return "more than 99.9%"
    return "less than 0.1%" if weight < LEAST_LISTED else f"{weight:.1%}" if weight < 0.1 else f"{weight:.0%}"


def weight_sentence(weight: float, n_visits: int) -> str:
    """What the weight of something is, said for what it is."""
    return f"it has {weight_text(weight)} of the weight of the {counted(n_visits, 'visited DAG')}"
