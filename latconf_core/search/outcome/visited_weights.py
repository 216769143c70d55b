"""The weight of each edge and latent over the DAGs that a run has visited: a softmax of their p-ELBO.

This is no posterior over all graphs: a DAG that was not visited has no weight, and a search visits what it looks for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from latconf_core.graph.bits import bits
from latconf_core.model.bit_dag import BitDag
from latconf_core.phrases import counted
from latconf_core.search.outcome.history import History

LEAST_WEIGHT = 1e-12  # of a DAG that can make a difference to a share; a search visits thousands far below
LEAST_LISTED = 0.001
MEANING = (
    "These weights compare the DAGs that the search visited with each other (softmax of p-ELBO). They are no "
    "probabilities over all graphs: a DAG that was not visited has no weight."
)


@dataclass(frozen=True)
class VisitedWeights:
    """How much of the weight of all visited DAGs lies on those with an edge, a latent, or any latent.

    edges : (parent, child) → weight; those below a thousandth are left out
    latents : children → weight, whatever the number of states and the name; the same
    any_latent : of the DAGs with at least one latent
    """

    n_visits: int
    edges: Mapping[tuple[str, str], float]
    latents: Mapping[tuple[str, ...], float]
    any_latent: float

    def of_edge(self, parent: str, child: str) -> float:
        return self.edges.get((parent, child), 0.0)

    def of_latent(self, children: tuple[str, ...]) -> float:
        return self.latents.get(children, 0.0)

    def to_json(self) -> dict[str, Any]:
        """The heaviest first, with what it is."""
        edges = sorted(self.edges.items(), key=lambda one: -one[1])
        latents = sorted(self.latents.items(), key=lambda one: -one[1])
        return {
            "meaning": MEANING,
            "visits": self.n_visits,
            "any_latent": self.any_latent,
            "edges": [[*pair, weight] for pair, weight in edges],
            "latents": [{"children": list(children), "weight": weight} for children, weight in latents],
        }


def visited_weights(history: History) -> VisitedWeights:
    """The weights over the visits of a history; each DAG counts once, by its best score."""
    best: dict[BitDag, float] = {}
    for visit in history:
        if visit.p_elbo > best.get(visit.candidate, -np.inf):
            best[visit.candidate] = visit.p_elbo
    scores = np.fromiter(best.values(), dtype=np.float64, count=len(best))
    if not len(scores):
        return VisitedWeights(0, {}, {}, 0.0)
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    edges: dict[tuple[int, int], float] = {}
    latents: dict[int, float] = {}
    any_latent = 0.0
    for candidate, weight in zip(best, weights.tolist()):
        if weight < LEAST_WEIGHT:
            continue
        any_latent += weight if candidate.latents else 0.0
        for child, parents in enumerate(candidate.parents):
            if parents:
                edges[child, parents] = edges.get((child, parents), 0.0) + weight
        for children in {one.children for one in candidate.latents}:
            latents[children] = latents.get(children, 0.0) + weight
    return VisitedWeights(len(best), _by_edge(edges, history.nodes), _by_children(latents, history.nodes), any_latent)


def _by_edge(families: Mapping[tuple[int, int], float], nodes: tuple[str, ...]) -> dict[tuple[str, str], float]:
    """Edge → weight, of child and parents as bits → weight."""
    found: dict[tuple[str, str], float] = {}
    for (child, parents), weight in families.items():
        for parent in bits(parents):
            edge = nodes[parent], nodes[child]
            found[edge] = found.get(edge, 0.0) + weight
    return {edge: weight for edge, weight in found.items() if weight >= LEAST_LISTED}


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
    return f"{weight_text(weight)} of the weight of the {counted(n_visits, 'DAG')} visited has it"
