"""What is drawn at a step of a learner: the graph after it, with what it took away, and what stands out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.pag.events import GraphStarted
from latconf_core.pag.replay import EndChange, Replay
from latconf_core.wording.step_texts import StepText
from latconf_gui.drawing.content.graph_drawing import Drawing, DrawnEdge, DrawnKind, Pair, drawing_of_graph, note_of
from latconf_gui.look.colours import Highlight

MOST_EDGES = 300  # beyond it nobody sees anything, and drawing them takes long


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
    graph, note = replay.graph(step), ""
    changes = () if isinstance(replay.events[step], GraphStarted) or not told.pairs else replay.changes(step)
    highlights = {frozenset(pair): Highlight.PATH for pair in told.premises}
    highlights |= {frozenset((change.node, change.other)): _kind(change) for change in changes}
    end = (changes[0].node, changes[0].other) if len(changes) == 1 else None
    drawing = _with_removed(graph, changes)
    if graph.n_edges > MOST_EDGES:
        drawing = Drawing(drawing.nodes, tuple(edge for edge in drawing.edges if edge.pair in highlights))
        note = f"Only the edges of this step are drawn: {graph.n_edges:,} are too many to show."
    return StepDrawing(drawing, highlights, end, told.given or (), note)


def _kind(change: EndChange) -> Highlight:
    if change.after == Mark.NONE:
        return Highlight.REMOVED
    return Highlight.ADDED if change.before == Mark.NONE else Highlight.CHANGED


def _with_removed(graph: MixedGraph, changes: tuple[EndChange, ...]) -> Drawing:
    """The graph, and the edges that the step took away as they were."""
    gone = {(change.node, change.other): change.before for change in changes if change.after == Mark.NONE}
    drawing = drawing_of_graph(graph)
    removed = [
        _removed_edge(Edge(node, other, mark, gone[other, node]))
        for (node, other), mark in gone.items()
        if graph.index[node] < graph.index[other]
    ]
    return Drawing(drawing.nodes, (*drawing.edges, *removed))


def _removed_edge(edge: Edge) -> DrawnEdge:
    return DrawnEdge(edge, note=note_of(edge, DrawnKind.PAG))
