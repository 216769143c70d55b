"""What is drawn at a step of a learner: the graph after it, with what it took away, and what stands out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.pag.events import GraphStarted
from latconf_core.pag.replay import EndChange, Replay
from latconf_core.pag.step_texts import StepText
from latconf_gui.drawing.graph_drawing import Drawing, DrawnEdge, DrawnNode, Pair, drawing_of_graph
from latconf_gui.look.colours import Highlight

MOST_EDGES = 1500  # beyond it nobody sees anything, and drawing them takes long


@dataclass(frozen=True)
class StepDrawing:
    """A drawing with what stands out in it.

    end : the one mark that changes, as (node, other), where it is one
    given : the separating set
    note : where not everything is drawn
    """

    drawing: Drawing
    highlights: Mapping[Pair, Highlight]
    end: tuple[str, str] | None
    given: tuple[str, ...]
    note: str = ""


def draw_step(replay: Replay, step: int, told: StepText) -> StepDrawing:
    """The picture of a step."""
    graph, given = replay.graph(step), told.given or ()
    if graph.n_edges > MOST_EDGES:
        note = f"{graph.n_edges:,} edges are too many to draw; go on to where fewer than {MOST_EDGES:,} are left."
        return StepDrawing(Drawing(tuple(map(DrawnNode, graph.nodes))), {}, None, given, note)
    changes = () if isinstance(replay.events[step], GraphStarted) or not told.pairs else replay.changes(step)
    highlights = {frozenset(pair): Highlight.PATH for pair in told.premises}
    highlights |= {frozenset((change.node, change.other)): _kind(change) for change in changes}
    end = (changes[0].node, changes[0].other) if len(changes) == 1 else None
    return StepDrawing(_with_removed(graph, changes), highlights, end, given)


def _kind(change: EndChange) -> Highlight:
    if change.after == Mark.NONE:
        return Highlight.REMOVED
    return Highlight.ADDED if change.before == Mark.NONE else Highlight.CHANGED


def _with_removed(graph: MixedGraph, changes: tuple[EndChange, ...]) -> Drawing:
    """The graph, and the edges that the step took away as they were."""
    gone = {(change.node, change.other): change.before for change in changes if change.after == Mark.NONE}
    drawing = drawing_of_graph(graph)
    removed = [
        DrawnEdge(Edge(node, other, mark, gone[other, node]))
        for (node, other), mark in gone.items()
        if graph.index[node] < graph.index[other]
    ]
    return Drawing(drawing.nodes, (*drawing.edges, *removed))
