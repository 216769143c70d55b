"""What a change of a drawn DAG did to its MAG and its PAG, as pairs to point at and as a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from latconf_core.graph.marks import Edge
from latconf_core.graph.mixed import MixedGraph
from latconf_core.phrases import list_names
from latconf_core.teaching.drawn_dag import DrawnDag

MOST_NAMED = 4  # changes that a sentence names before it counts the rest


@dataclass(frozen=True)
class GraphChange:
    """Edges that are new, that have other marks (before, after), and that are gone, among variables that stayed."""

    made: tuple[Edge, ...] = ()
    turned: tuple[tuple[Edge, Edge], ...] = ()
    taken: tuple[Edge, ...] = ()

    @property
    def touched(self) -> tuple[Edge, ...]:
        """The edges of the new graph that are not as they were."""
        return (*self.made, *(after for _, after in self.turned))

    def __bool__(self) -> bool:
        return bool(self.made or self.turned or self.taken)


def compare_graphs(before: MixedGraph, after: MixedGraph) -> GraphChange:
    """What differs between two graphs on the variables that both have."""
    made: list[Edge] = []
    turned: list[tuple[Edge, Edge]] = []
    taken: list[Edge] = []
    for a, b in combinations([name for name in after.nodes if name in before.index], 2):
        was = before.edge(a, b) if before.is_adjacent(a, b) else None
        now = after.edge(a, b) if after.is_adjacent(a, b) else None
        if was is None and now is not None:
            made.append(now)
        elif was is not None and now is None:
            taken.append(was)
        elif was is not None and now is not None and was != now:
            turned.append((was, now))
    return GraphChange(tuple(made), tuple(turned), tuple(taken))


@dataclass(frozen=True)
class Consequence:
    """A DAG after a change, with what that did to its MAG and PAG."""

    dag: DrawnDag
    mag: GraphChange = GraphChange()
    pag: GraphChange = GraphChange()
    sentence: str = ""


def follow_change(act: str, before: DrawnDag, after: DrawnDag) -> Consequence:
    """Compute the graphs of a changed DAG and say what became of them; without an act only the graphs."""
    if not act:
        after.pag  # noqa: B018 - computed here, shown elsewhere
        return Consequence(after)
    mag, pag = compare_graphs(before.mag, after.mag), compare_graphs(before.pag, after.pag)
    return Consequence(after, mag, pag, describe_change(act, before, after))


def describe_change(act: str, before: DrawnDag, after: DrawnDag) -> str:
    """What an act has done, e.g. "Hiding S made C <-> B." with a sentence on the PAG where that says more."""
    mag, pag = compare_graphs(before.mag, after.mag), compare_graphs(before.pag, after.pag)
    if not mag and not pag:
        return f"{act} changed nothing between the measured variables."
    if mag == pag:
        return f"{act} {list_names(_parts(mag))}, in the MAG and in the PAG."
    said = f"{act} {list_names(_parts(mag))}." if mag else f"{act} did not change the MAG."
    if not pag:
        return f"{said} The PAG is unchanged."
    return f"{said} In the PAG it {list_names(_parts(pag))}."


def _parts(change: GraphChange) -> Iterator[str]:
    if change.made:
        yield f"added {list_names([str(edge) for edge in change.made], most=MOST_NAMED)}"
    if change.turned:
        yield f"changed {list_names([f'{was} into {now}' for was, now in change.turned], most=MOST_NAMED)}"
    if change.taken:
        yield f"removed {list_names([str(edge) for edge in change.taken], most=MOST_NAMED)}"
