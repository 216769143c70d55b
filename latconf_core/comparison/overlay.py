"""Two graphs laid over each other: what both have, what one alone has, and the latents that stand for each other."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from latconf_core.comparison.differences import EdgeDifference, find_edge_differences
from latconf_core.comparison.latent_matching import LatentPair, match_latents
from latconf_core.comparison.subject import Subject, View, check_same_variables, lay_side_by_side
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph

NO_NAMES: Mapping[tuple[str, ...], str] = MappingProxyType({})


@dataclass(frozen=True)
class OverlayLatent:
    """One ellipse of the overlay: the latents of A and B that it stands for, under a name that no other node has."""

    name: str
    pair: LatentPair

    @property
    def children(self) -> tuple[str, ...]:
        """The children of A's, or of B's where A has none."""
        latent = self.pair.a or self.pair.b
        assert latent is not None, "latent in only one of the two"
        return latent.children

    @property
    def states(self) -> str:
        """The number of states, `2 → 3` where it differs."""
        numbers = [str(latent.n_states) for latent in (self.pair.a, self.pair.b) if latent is not None]
        return " → ".join(dict.fromkeys(numbers))


@dataclass(frozen=True)
class Overlay:
    """A and B as graphs on the same nodes: the observed variables, then the latents of both.

    nodes : the observed variables
    is_dag : whether both are DAGs shown as such, latents as nodes
    view : as what they are shown
    """

    nodes: tuple[str, ...]
    latents: tuple[OverlayLatent, ...]
    a: MixedGraph
    b: MixedGraph
    is_dag: bool
    view: View = "as given"

    @cached_property
    def differences(self) -> tuple[EdgeDifference, ...]:
        """Every pair of nodes, latents included, that the two join differently."""
        return find_edge_differences(self.a, self.b)

    @cached_property
    def common(self) -> tuple[Edge, ...]:
        """The edges that both have, with the same marks."""
        odd = {frozenset(difference.nodes) for difference in self.differences}
        return tuple(edge for edge in self.a.edges() if frozenset((edge.first, edge.second)) not in odd)

    @property
    def edge_differences(self) -> tuple[EdgeDifference, ...]:
        """Those among the observed variables."""
        hidden = {latent.name for latent in self.latents}
        return tuple(difference for difference in self.differences if hidden.isdisjoint(difference.nodes))

    @property
    def other_latents(self) -> tuple[OverlayLatent, ...]:
        """The latents in which the two differ, in children or in states."""
        return tuple(latent for latent in self.latents if not latent.pair.is_same)


def lay_over(
    a: Subject, b: Subject, view: View | None = None, *, latent_names: Mapping[tuple[str, ...], str] = NO_NAMES
) -> Overlay:
    """Two DAGs with their latents, unless another view is asked for; anything else as it is compared mark by mark.

    latent_names : given by hand to latents, by their children
    """
    if view not in (None, "DAG") or a.dag is None or b.dag is None:
        first, second, shown = lay_side_by_side(a, b, view)
        return Overlay(first.nodes, (), first, second, is_dag=False, view=shown)
    check_same_variables(a, b)
    nodes, pairs = a.nodes, match_latents(a.dag, b.dag)
    latents: list[OverlayLatent] = []
    names_a: dict[str, str] = {}
    names_b: dict[str, str] = {}
    for pair in pairs:
        name = _name_of(pair, latent_names, taken={*nodes, *(latent.name for latent in latents)})
        latents.append(OverlayLatent(name, pair))
        if pair.a is not None:
            names_a[pair.a.name] = name
        if pair.b is not None:
            names_b[pair.b.name] = name
    every = (*nodes, *(latent.name for latent in latents))
    first, second = _arrows(a.dag, names_a, every), _arrows(b.dag, names_b, every)
    return Overlay(nodes, tuple(latents), first, second, is_dag=True, view="DAG")


def _name_of(pair: LatentPair, given: Mapping[tuple[str, ...], str], taken: Collection[str]) -> str:
    """The name that both have, or both names; one that another node has gets the side or a number added."""
    names = dict.fromkeys(given.get(latent.children, latent.name) for latent in (pair.a, pair.b) if latent is not None)
    name = " / ".join(names)
    side = "A" if pair.b is None else "B"
    wanted = [name, *([f"{name} ({side})"] if pair.a is None or pair.b is None else [])]
    wanted += [f"{name} ({number})" for number in range(2, len(taken) + 3)]
    return next(name for name in wanted if name not in taken)


def _arrows(dag: LatentDag, names: Mapping[str, str], nodes: tuple[str, ...]) -> MixedGraph:
    arrows = [(names.get(parent, parent), names.get(child, child)) for parent, child in dag.all_edges()]
    return MixedGraph.from_edges(nodes, [Edge(parent, child, Mark.TAIL, Mark.ARROW) for parent, child in arrows])
