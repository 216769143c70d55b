"""How often each kind of edge and each latent is there in a number of graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from latconf_core.comparison.latent_matching import child_overlap, match_latents
from latconf_core.dag.latent_dag import Latent, LatentDag, latent_names
from latconf_core.graph.marks import Edge, Mark

LEAST_OVERLAP = 0.5  # children in common as a share of all children of two latents, so that one counts as the other


@dataclass(frozen=True)
class PairShare:
    """Two variables, and in how many samples each kind of edge joins them.

    a, b : in the order of the data
    counts : what stands between them, read from a to b, such as "o->" → the number of samples
    here : what stands between them in the graph of the data themselves; None where nothing does
    """

    a: str
    b: str
    counts: Mapping[str, int]
    n_samples: int
    here: str | None = None

    @property
    def n_joined(self) -> int:
        return sum(self.counts.values())

    @property
    def joined(self) -> float:
        """The share of samples that join the two, whatever the marks."""
        return _share(self.n_joined, self.n_samples)

    @property
    def absent(self) -> float:
        """The share of samples without an edge; 0 where there are no samples."""
        return _share(self.n_samples - self.n_joined, self.n_samples)

    def share(self, arrow: str) -> float:
        """The share of samples with this kind of edge."""
        return _share(self.counts.get(arrow, 0), self.n_samples)

    @property
    def n_same(self) -> int:
        """The samples that agree with the data themselves: the same marks, or no edge either."""
        return self.n_samples - self.n_joined if self.here is None else self.counts.get(self.here, 0)

    def mark_share(self, node: str, mark: Mark) -> float:
        """Of the samples that join the two, the share with this mark at one of them; 0 where none does."""
        index = 0 if node == self.a else 2
        symbol = {Mark.CIRCLE: "o", Mark.TAIL: "-", Mark.ARROW: "<" if index == 0 else ">"}[mark]
        return _share(sum(count for arrow, count in self.counts.items() if arrow[index] == symbol), self.n_joined)

    def to_json(self) -> dict[str, Any]:
        marks = {arrow: self.share(arrow) for arrow in self.counts}
        return {"a": self.a, "b": self.b, "marks": marks, "absent": self.absent, "here": self.here}


@dataclass(frozen=True)
class LatentShare:
    """A latent, and in how many samples it comes back.

    A latent of a sample stands for it where the two are matched as in a comparison of two DAGs (each with one other at
    most, most children in common first) and at least half of all children of the two are in common.

    name : None for one that only samples have
    n_exact : samples with a latent over the same children
    n_half : samples with a latent that stands for it, those included
    mean_overlap : of those, children in common as a share of all children of the two, on average
    n_with_child : child → the samples in which what stands for the latent has that child
    states : number of states → the samples in which what stands for the latent has so many
    """

    name: str | None
    children: tuple[str, ...]
    n_states: int
    n_samples: int
    n_exact: int
    n_half: int
    mean_overlap: float
    n_with_child: Mapping[str, int]
    states: Mapping[int, int]

    @property
    def exact(self) -> float:
        return _share(self.n_exact, self.n_samples)

    @property
    def half(self) -> float:
        """The share of samples with a latent that has at least half of the children in common."""
        return _share(self.n_half, self.n_samples)

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "children": list(self.children),
            "exact": self.exact,
            "half": self.half,
            "mean_overlap": self.mean_overlap,
            "with_child": {child: _share(count, self.n_samples) for child, count in self.n_with_child.items()},
            "states": {str(number): _share(count, self.n_samples) for number, count in self.states.items()},
        }


def count_pairs(
    graphs: Sequence[Iterable[Edge]], nodes: Sequence[str], *, also: Sequence[Edge] = ()
) -> tuple[PairShare, ...]:
    """Every pair that one of the graphs joins, in the order of the nodes.

    also : the edges of the graph of the data themselves, which are counted for nothing
    """
    position_of = {name: i for i, name in enumerate(nodes)}
    counts: dict[tuple[str, str], Counter[str]] = {}
    here: dict[tuple[str, str], str] = {}
    for edge in also:
        order = _in_order(edge, position_of)
        here[order.first, order.second] = order.arrow
        counts.setdefault((order.first, order.second), Counter())
    for graph in graphs:
        for edge in graph:
            order = _in_order(edge, position_of)
            counts.setdefault((order.first, order.second), Counter())[order.arrow] += 1
    pairs = sorted(counts, key=lambda pair: (position_of[pair[0]], position_of[pair[1]]))
    return tuple(PairShare(*pair, dict(counts[pair].most_common()), len(graphs), here.get(pair)) for pair in pairs)


def _in_order(edge: Edge, position_of: Mapping[str, int]) -> Edge:
    return edge if position_of[edge.first] < position_of[edge.second] else edge.reversed()


def dag_edges(dag: LatentDag) -> tuple[Edge, ...]:
    """The edges among observed variables."""
    return tuple(Edge(parent, child, Mark.TAIL, Mark.ARROW) for parent, child in dag.edges)


def count_latents(dag: LatentDag, dags: Sequence[LatentDag]) -> tuple[LatentShare, ...]:
    """How often each latent of a DAG comes back in others, in their order."""
    stands_for: dict[Latent, list[Latent | None]] = {latent: [] for latent in dag.latents}
    for other in dags:
        for pair in match_latents(dag, other):
            if pair.a is not None:
                stands_for[pair.a].append(pair.b)
    return tuple(_latent_share(latent, stand) for latent, stand in stands_for.items())


def count_new_latents(
    dags: Sequence[LatentDag], nodes: Sequence[str], *, known: Iterable[Latent] = ()
) -> tuple[LatentShare, ...]:
    """How often latents come back that others have and that are not known, told by their children; often first."""
    taken = {latent.children for latent in known}
    examples = {latent.children: latent for dag in dags for latent in dag.latents if latent.children not in taken}
    observed = set(nodes)
    shares = []
    for children, latent in examples.items():
        if observed.issuperset(children):  # names of latents mean nothing in another DAG
            (name,) = latent_names(1, nodes)
            (share,) = count_latents(LatentDag(nodes, (), [Latent(name, latent.n_states, children)]), dags)
            shares.append(replace(share, name=None))
    position_of = {name: i for i, name in enumerate(nodes)}
    return tuple(
        sorted(shares, key=lambda latent: (-latent.n_exact, -latent.n_half, [position_of[c] for c in latent.children]))
    )


def _latent_share(latent: Latent, matches: Sequence[Latent | None]) -> LatentShare:
    matched = [other for other in matches if other is not None and child_overlap(latent, other) >= LEAST_OVERLAP]
    overlaps = [child_overlap(latent, other) for other in matched]
    states = Counter(latent.n_states for latent in matched)
    return LatentShare(
        latent.name,
        latent.children,
        latent.n_states,
        len(matches),
        sum(overlap == 1 for overlap in overlaps),
        len(matched),
        fmean(overlaps) if overlaps else 0.0,
        {child: sum(child in latent.children for latent in matched) for child in latent.children},
        dict(sorted(states.items())),
    )


def _share(count: int, total: int) -> float:
    return count / total if total else 0.0
