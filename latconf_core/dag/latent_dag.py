"""A DAG over observed variables with latent common causes: what a search visits and scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Any

from latconf_core.errors import GraphError
from latconf_core.pictures import draw

if TYPE_CHECKING:
    import networkx as nx

MAX_STATES = 10_000_000  # of a latent; what can be scored is for the scorer to say
DagKey = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, tuple[int, ...], int], ...]]


@dataclass(frozen=True)
class Latent:
    """An unmeasured variable with at least two children; a root unless it names one parent."""

    name: str
    n_states: int
    children: tuple[str, ...]
    parent: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "children", tuple(self.children))
        if len(set(self.children)) != len(self.children):
            raise GraphError(f"latent {self.name!r} lists a child twice")
        if len(self.children) < 2:
            raise GraphError(f"latent {self.name!r} has {len(self.children)} child; give it at least two or remove it")
        if self.n_states < 2:
            raise GraphError(f"latent {self.name!r} has {self.n_states} state; it needs at least two")
        if self.n_states > MAX_STATES:
            raise GraphError(f"latent {self.name!r} has more than {MAX_STATES:,} states; give it fewer")

    def to_json(self) -> dict[str, Any]:
        """Name, number of states, children and parent (null for a root)."""
        return {"name": self.name, "states": self.n_states, "children": list(self.children), "parent": self.parent}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Latent:
        """The latent that `to_json` gave; other keys are passed over. ValueError where one is of a wrong type."""
        states = content["states"]
        names = (content["name"], *content["children"], *([] if content.get("parent") is None else [content["parent"]]))
        if not all(isinstance(name, str) for name in names) or isinstance(states, bool) or not isinstance(states, int):
            raise ValueError("a latent needs a name, a number of states, and the names of its children")
        return cls(content["name"], content["states"], tuple(content["children"]), content.get("parent"))


class LatentDag:
    """Observed nodes, directed edges among them, and latents; a value in canonical order.

    nodes : observed names, in the order of the data
    edges : (parent, child) pairs of observed names, sorted by position of the child, then of the parent
    latents : sorted by their children, then states, parents and name; children in the order of `nodes`, latents last.
        An arc between two latents stands in both, as child and as parent, whichever it was given by
    """

    __slots__ = ("__dict__", "edges", "latents", "nodes")

    nodes: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    latents: tuple[Latent, ...]

    def __init__(
        self, nodes: Sequence[str], edges: Iterable[tuple[str, str]] = (), latents: Iterable[Latent] = ()
    ) -> None:
        self.nodes = tuple(nodes)
        position = {name: i for i, name in enumerate(self.nodes)}
        if len(position) != len(self.nodes):
            twice = min(name for name in self.nodes if self.nodes.count(name) > 1)
            raise GraphError(f"node names must differ; {twice!r} occurs twice")
        latents = tuple(latents)
        edge_set = set(edges)
        self._check_names(position, edge_set, latents)
        latents = _with_both_ends(latents)
        self.edges = tuple(sorted(edge_set, key=lambda e: (position[e[1]], position[e[0]])))
        self.latents = latents
        self._check_acyclic()
        self.latents = _in_canonical_order(latents, position)
        self.__dict__.clear()  # what was kept for the check follows the order in which latents were given

    @staticmethod
    def _check_names(position: Mapping[str, int], edges: set[tuple[str, str]], latents: tuple[Latent, ...]) -> None:
        hidden: set[str] = set()
        for name in (latent.name for latent in latents):
            if name in position:
                raise GraphError(f"latent {name!r} has the name of an observed variable; rename it")
            if name in hidden:
                raise GraphError(f"two latents are named {name!r}; rename one")
            hidden.add(name)
        for parent, child in edges:
            for name in (parent, child):
                if name not in position:
                    raise GraphError(f"the edge {parent} --> {child} names {name!r}, which is not a variable")
            if parent == child:
                raise GraphError(f"{parent!r} cannot be its own parent")
        for latent in latents:
            for name in (*latent.children, *([] if latent.parent is None else [latent.parent])):
                if name not in position and name not in hidden:
                    raise GraphError(f"latent {latent.name!r} names {name!r}, which is not a variable")

    def _check_acyclic(self) -> None:
        try:
            self.topological_order  # noqa: B018 - computed once, kept
        except CycleError as error:
            raise GraphError(f"the graph has a directed cycle: {' --> '.join(error.args[1])}") from None

    @cached_property
    def topological_order(self) -> tuple[str, ...]:
        """Observed and latent names, parents before children."""
        above = self.parents_with_latents
        below: dict[str, list[str]] = {name: [] for name in above}
        for name, parents in above.items():
            for parent in parents:
                below[parent].append(name)
        n_missing = {name: len(parents) for name, parents in above.items()}
        order = [name for name, n in n_missing.items() if n == 0]
        for name in order:  # grows while it is read; graphlib takes five times as long, and searches make thousands
            for child in below[name]:
                n_missing[child] -= 1
                if n_missing[child] == 0:
                    order.append(child)
        if len(order) < len(above):
            TopologicalSorter(above).prepare()  # raises CycleError with the cycle
        return tuple(order)

    @cached_property
    def parents(self) -> Mapping[str, tuple[str, ...]]:
        """The observed parents of every observed node, in the order of `nodes`."""
        above: dict[str, list[str]] = {name: [] for name in self.nodes}
        for parent, child in self.edges:
            above[child].append(parent)
        return {name: tuple(parents) for name, parents in above.items()}

    @cached_property
    def parents_with_latents(self) -> Mapping[str, tuple[str, ...]]:
        """All parents of every node, latents included: observed ones first, then latents in order."""
        above = {name: list(parents) for name, parents in self.parents.items()}
        for latent in self.latents:
            upper = [] if latent.parent is None else [latent.parent]
            above[latent.name] = upper + [name for name in above.get(latent.name, []) if name not in upper]
        nested = {
            (latent.name, latent.parent) for latent in self.latents if latent.parent is not None
        }  # which stand there already
        for latent in self.latents:
            for child in latent.children:
                if (child, latent.name) not in nested:
                    above[child].append(latent.name)
        return {name: tuple(parents) for name, parents in above.items()}

    @cached_property
    def key(self) -> DagKey:
        """The model without names: equal for DAGs that differ only in what their latents are called."""
        position = {name: i for i, name in enumerate(self.nodes)}
        for i, latent in enumerate(self.latents):
            position[latent.name] = len(self.nodes) + i
        return (
            tuple((position[a], position[b]) for a, b in self.edges),
            tuple(
                (
                    latent.n_states,
                    tuple(position[c] for c in latent.children),
                    -1 if latent.parent is None else position[latent.parent],
                )
                for latent in self.latents
            ),
        )

    def with_states(self, name: str, n_states: int) -> LatentDag:
        """This DAG with one latent given another number of states."""
        if name not in {latent.name for latent in self.latents}:
            raise GraphError(f"there is no latent {name!r}")
        return LatentDag(
            self.nodes,
            self.edges,
            [
                Latent(
                    latent.name, n_states if latent.name == name else latent.n_states, latent.children, latent.parent
                )
                for latent in self.latents
            ],
        )

    def with_latent_names(self, names: Mapping[str, str]) -> LatentDag:
        """This DAG with some latents called otherwise."""
        renamed = [
            replace(
                latent,
                name=names.get(latent.name, latent.name),
                children=tuple(names.get(child, child) for child in latent.children),
                parent=None if latent.parent is None else names.get(latent.parent, latent.parent),
            )
            for latent in self.latents
        ]
        return LatentDag(self.nodes, self.edges, renamed)

    def without_latents(self) -> LatentDag:
        """The observed part alone."""
        return LatentDag(self.nodes, self.edges)

    def all_edges(self) -> Iterator[tuple[str, str]]:
        """Every edge, those of latents last."""
        yield from self.edges
        hidden = {latent.name for latent in self.latents}
        for child, parents in self.parents_with_latents.items():
            for parent in parents:
                if parent in hidden or child in hidden:
                    yield parent, child

    def to_json(self) -> dict[str, Any]:
        """The form of the DAG files that `latconf score --dag` reads: nodes, edges and latents."""
        latents = [latent.to_json() for latent in self.latents]
        edges = [list(edge) for edge in self.edges]
        return {"nodes": list(self.nodes), "edges": edges, "latents": latents}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> LatentDag:
        """The DAG that `to_json` gave; ValueError where a name is no text."""
        if not all(isinstance(name, str) for name in content["nodes"]):
            raise ValueError("a node of a DAG has a name that is not a text")
        edges = [(parent, child) for parent, child in content["edges"]]
        return cls(content["nodes"], edges, map(Latent.from_json, content["latents"]))

    def to_networkx(self) -> nx.DiGraph:
        """A networkx DiGraph; latent nodes have `latent=True` and `n_states`."""
        import networkx as nx

        graph = nx.DiGraph()
        graph.add_nodes_from(self.nodes, latent=False)
        for latent in self.latents:
            graph.add_node(latent.name, latent=True, n_states=latent.n_states)
        graph.add_edges_from(self.all_edges())
        return graph

    @classmethod
    def from_networkx(cls, graph: nx.DiGraph) -> LatentDag:
        """The DAG of a networkx DiGraph whose latent nodes have `latent=True`."""
        hidden = [node for node, is_latent in graph.nodes(data="latent", default=False) if is_latent]
        latents = []
        for node in hidden:
            above = list(graph.predecessors(node))
            if len(above) > 1:
                raise GraphError(f"latent {node!r} has {len(above)} parents; at most one is possible")
            latents.append(
                Latent(
                    str(node),
                    int(graph.nodes[node].get("n_states", 2)),
                    tuple(map(str, graph.successors(node))),
                    str(above[0]) if above else None,
                )
            )
        nodes = [str(node) for node in graph.nodes if node not in hidden]
        edges = [(str(a), str(b)) for a, b in graph.edges if a not in hidden and b not in hidden]
        return cls(nodes, edges, latents)

    def _repr_svg_(self) -> str | None:
        return draw("dag_svg", self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LatentDag):
            return NotImplemented
        return (self.nodes, self.edges, self.latents) == (other.nodes, other.edges, other.latents)

    def __hash__(self) -> int:
        return hash((self.nodes, self.edges, self.latents))

    def __repr__(self) -> str:
        edges = ", ".join(f"{a} --> {b}" for a, b in self.edges)
        latents = ", ".join(
            f"{latent.name}[{latent.n_states}] --> {{{', '.join(latent.children)}}}" for latent in self.latents
        )
        return f"LatentDag({len(self.nodes)} nodes: {edges}; {latents})"

    def __reduce__(self) -> tuple[type[LatentDag], tuple[object, ...]]:
        return LatentDag, (self.nodes, self.edges, self.latents)


def _with_both_ends(latents: tuple[Latent, ...]) -> tuple[Latent, ...]:
    """The latents, an arc between two of them named by both; refused where a latent would have two parents."""
    hidden = {latent.name for latent in latents}
    arcs = [(latent.name, child) for latent in latents for child in latent.children if child in hidden]
    if not arcs and not any(latent.parent in hidden for latent in latents):
        return latents
    parents = {latent.name: latent.parent for latent in latents}
    for parent, child in arcs:
        known = parents[child]
        if known is not None and known != parent:
            raise GraphError(
                f"latent {child!r} has two parents, {known!r} and {parent!r}; a latent has one parent at most: "
                "take it from the children of one, or name the other as its parent"
            )
        parents[child] = parent
    below: dict[str, list[str]] = {name: [] for name in hidden}
    for child, above in parents.items():
        if above in below:
            below[above].append(child)
    return tuple(
        replace(
            latent,
            children=(*latent.children, *(child for child in below[latent.name] if child not in latent.children)),
            parent=parents[latent.name],
        )
        for latent in latents
    )


def _in_canonical_order(latents: tuple[Latent, ...], position: Mapping[str, int]) -> tuple[Latent, ...]:
    """The latents, and the children of each, in an order that depends on names only where nothing else differs."""
    by_name = {latent.name: latent for latent in latents}

    @cache
    def shape(name: str) -> tuple[object, ...]:
        if name in position:
            return (position[name],)
        latent = by_name[name]
        below = sorted(shape(child) for child in latent.children if child in by_name)
        return (
            len(position),
            sorted(position[child] for child in latent.children if child in position),
            below,
            latent.n_states,
        )

    def place(latent: Latent) -> tuple[object, ...]:
        above, parent = [], latent.parent
        while parent is not None:  # two latents alike below may differ in what stands above them
            above.append(shape(parent))
            parent = by_name[parent].parent if parent in by_name else None
        return shape(latent.name), above or [(-1,)], latent.name

    ordered = [
        replace(latent, children=tuple(sorted(latent.children, key=lambda child: (shape(child), child))))
        for latent in latents
    ]
    return tuple(sorted(ordered, key=place))


def latent_names(count: int, taken: Iterable[str]) -> list[str]:
    """L1, L2, …: `count` names for latents that clash with none of those taken."""
    used = set(taken)
    names: list[str] = []
    number = 1
    while len(names) < count:
        if f"L{number}" not in used:
            names.append(f"L{number}")
        number += 1
    return names
