"""Where nodes go, and SVG without a window: the only module that uses graphviz.

Graphviz holds Python's lock while it works and may not run twice at a time, so the window starts this module as a
program (`python -m latconf_gui.drawing.layout.graphviz_layout`): a request in JSON on stdin, positions on stdout.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.errors import OptionError
from latconf_gui.drawing.geometry.layers import count_crossings, fit_rows, lessen_crossings
from latconf_gui.drawing.geometry.overlap import remove_overlaps, stretch
from latconf_gui.drawing.layout.fontconfig_warnings import without_fontconfig_warnings

if TYPE_CHECKING:
    from latconf_core.dag.latent_dag import LatentDag
    from latconf_core.graph.mixed import MixedGraph
    from latconf_core.knowledge.knowledge import Knowledge
    from latconf_gui.drawing.content.graph_drawing import Drawing

Engine = Literal["dot", "neato", "sfdp", "fdp", "circo"]
ENGINES: tuple[Engine, ...] = get_args(Engine)
SMALL_GRAPH = 100  # fdp and circo take minutes on graphs of some hundred nodes
MOST_COMPARED = 300  # edges of a layout of which several are tried, to see in which fewest cross
SMALL_ONLY: frozenset[Engine] = frozenset(("fdp", "circo"))
GAP = (26.0, 34.0)  # between boxes, sideways and downwards: room for a mark and some line
TIGHTNESS = (1.0, 0.85, 0.7, 0.6)  # of the gap, where the room is small; two marks still fit into the last
FILLED = 0.35  # of the room by boxes with the smallest gap; more cannot be had in practice
CROWDED = 0.6  # a row whose boxes fill more of the width is staggered
MOST_STRETCH = 1.6  # edges of a small graph do not become longer than this to fill a large window
POINTS_PER_INCH = 72.0
LONE_IN_ROW = 6  # nodes without edges, in a picture without a window

_ONE_AT_A_TIME = Lock()


@dataclass(frozen=True)
class LayoutRequest:
    """Boxes to place, the pairs of positions that edges join, and the frame they should fill.

    places : where the boxes stand, if they only have to come closer or apart to fill the frame; no engine is asked
    is_layered : boxes keep the rows of dot, so that every arrow points downwards
    tops : positions of boxes that stand in the top row of such a layout where no more lines cross for it
    """

    engine: Engine
    names: tuple[str, ...]
    sizes: tuple[tuple[float, float], ...]
    edges: tuple[tuple[int, int], ...]
    frame: tuple[float, float]
    places: tuple[tuple[float, float], ...] = ()
    is_layered: bool = False
    tops: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.engine not in ENGINES:
            raise OptionError(f"the layout is {self.engine!r}; choose one of {', '.join(ENGINES)}")
        if self.engine in SMALL_ONLY and len(self.names) > SMALL_GRAPH:
            raise OptionError(
                f"{self.engine} takes minutes on {len(self.names)} nodes; choose dot, neato or sfdp above {SMALL_GRAPH}"
            )

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> LayoutRequest:
        """The request that `to_json` wrote."""
        given: dict[str, Any] = json.loads(text)
        return cls(
            given["engine"],
            tuple(given["names"]),
            tuple((float(w), float(h)) for w, h in given["sizes"]),
            tuple((int(a), int(b)) for a, b in given["edges"]),
            (float(given["frame"][0]), float(given["frame"][1])),
            tuple((float(x), float(y)) for x, y in given["places"]),
            bool(given["is_layered"]),
            tuple(int(i) for i in given["tops"]),
        )


def lay_out(request: LayoutRequest) -> dict[str, tuple[float, float]]:
    """The centre of every box: none intersect, and together they fill the frame if there is room.

    Nodes without edges stand in rows below the rest, unless places are given.
    """
    linked = sorted({end for edge in request.edges for end in edge})
    if request.places:
        linked = list(range(len(request.names)))
    lone = [i for i in range(len(request.names)) if i not in set(linked)]
    sizes = np.array(request.sizes, dtype=np.float64).reshape(-1, 2)
    rows = _in_rows(sizes[lone], request.frame[0])
    centres = np.zeros((len(request.names), 2))
    if linked:
        free = request.frame[1] - ((rows + sizes[lone] / 2)[:, 1].max() + GAP[1] if lone else 0.0)
        room = (request.frame[0], max(free, request.frame[1] / 3))
        if request.is_layered:
            placed = _layered(request, linked, sizes, room)
        else:
            known = np.array(request.places) if request.places else _graphviz_centres(request, linked, sizes)
            placed = _placed_apart(known, sizes[linked], room)
        centres[linked] = _balanced(placed, sizes[linked])
    if lone:
        below = (centres[linked, 1] + sizes[linked, 1] / 2).max() + GAP[1] if linked else 0.0
        centres[lone] = rows + np.array((0.0, below))
    return {name: (round(float(x), 2), round(float(y), 2)) for name, (x, y) in zip(request.names, centres)}


def _layered(request: LayoutRequest, linked: Sequence[int], sizes: FloatArray, room: tuple[float, float]) -> FloatArray:
    """The centres in rows, arrows downwards; of the ways that were tried, the one in which fewest lines cross."""
    index = {box: i for i, box in enumerate(linked)}
    edges = [(index[first], index[second]) for first, second in request.edges]
    tops = [box for box in request.tops if box in index and all(box != below for _, below in request.edges)]
    is_small = len(linked) <= SMALL_GRAPH and len(edges) <= MOST_COMPARED
    best, least = np.zeros((len(linked), 2)), np.inf
    for top in (tops, []) if tops and is_small else ([],):
        placed = fit_rows(_graphviz_centres(request, linked, sizes, top=top), sizes[linked], room=room, gap=GAP)
        if is_small:
            placed = lessen_crossings(placed, edges, sizes[linked])
            if (count := count_crossings(placed, edges, sizes[linked])) >= least:
                continue
            least = count
        best = placed
    return best


def _placed_apart(placed: FloatArray, sizes: FloatArray, room: tuple[float, float]) -> FloatArray:
    """The centres without overlaps: inside the room if the boxes can fit, else spread by as much as they need."""
    needed = float(np.prod(sizes + np.array(GAP) * TIGHTNESS[-1], axis=1).sum()) / FILLED
    factor = (needed / (room[0] * room[1])) ** 0.5
    if factor <= 1:
        return _fitted(placed, sizes, room)
    return remove_overlaps(_spread(placed, sizes, (room[0] * factor, room[1] * factor)), sizes, gap=GAP)


def _spread(placed: FloatArray, sizes: FloatArray, room: tuple[float, float]) -> FloatArray:
    between = np.array(room) - sizes.max(axis=0)
    return stretch(placed, (float(between[0]), float(between[1])), at_most=MOST_STRETCH)


def _fitted(placed: FloatArray, sizes: FloatArray, room: tuple[float, float]) -> FloatArray:
    """The centres spread over the room without overlaps.

    Where they need more than the room, they stand closer together; where that is not enough, in staggered rows.
    The way that needs least is taken.
    """
    best, least = placed, np.inf
    for start in (placed, _staggered(placed, sizes, room[0])):
        for tightness in TIGHTNESS:
            gap = (GAP[0] * tightness, GAP[1] * tightness)
            centres = remove_overlaps(_spread(start, sizes, room), sizes, gap=gap)
            extent = (centres + sizes / 2).max(axis=0) - (centres - sizes / 2).min(axis=0)
            excess = float((extent / np.array(room)).max())
            if excess < least:
                best, least = centres, excess
            if excess <= 1:
                return centres
    return best


def _staggered(centres: FloatArray, sizes: FloatArray, width: float) -> FloatArray:
    """The centres with every second box of a row that is wider than the room moved half-way to the next row."""
    moved = centres.copy()
    rows = np.round(centres[:, 1])
    levels = np.unique(rows)
    step = float(np.diff(levels).min()) / 2 if len(levels) > 1 else float(sizes[:, 1].max()) + GAP[1]
    for level in levels:
        row = np.flatnonzero(rows == level)
        if sizes[row, 0].sum() + GAP[0] * len(row) > width * CROWDED:
            moved[row[np.argsort(centres[row, 0])][1::2], 1] += step
    return moved


def _balanced(centres: FloatArray, sizes: FloatArray) -> FloatArray:
    """The boxes around the origin sideways, from 0 downwards."""
    left, right = (centres - sizes / 2)[:, 0].min(), (centres + sizes / 2)[:, 0].max()
    moved: FloatArray = centres - ((left + right) / 2, (centres - sizes / 2)[:, 1].min())
    return moved


def _in_rows(sizes: FloatArray, width: float) -> FloatArray:
    """Centres of boxes in rows of at most this width, each row around x = 0, from y = 0 downwards."""
    centres = np.zeros_like(sizes)
    top, row = 0.0, list[int]()

    def close_row() -> float:
        total = sizes[row, 0].sum() + GAP[0] * (len(row) - 1)
        left, height = -total / 2, sizes[row, 1].max()
        for i in row:
            centres[i] = (left + sizes[i, 0] / 2, top + height / 2)
            left += sizes[i, 0] + GAP[0]
        return float(top + height + GAP[1] / 2)

    for i in range(len(sizes)):
        if row and sizes[[*row, i], 0].sum() + GAP[0] * len(row) > width:
            top, row = close_row(), []
        row.append(i)
    if row:
        close_row()
    return centres


def _graphviz_centres(
    request: LayoutRequest, linked: Sequence[int], sizes: FloatArray, *, top: Sequence[int] = ()
) -> FloatArray:
    """Centres by graphviz, y downwards, (len(linked), 2); those of `top` in the first row of dot."""
    import pygraphviz

    graph = pygraphviz.AGraph(directed=request.engine == "dot", strict=False)
    # Our own step moves boxes apart: the graphviz of the wheels is built without the library for it.
    graph.graph_attr.update(overlap="true", start="7", nodesep="0.3", ranksep="0.5", outputorder="nodesfirst")
    graph.node_attr.update(shape="box", label="", fixedsize="true")
    for i in linked:
        width, height = sizes[i] / POINTS_PER_INCH
        graph.add_node(f"n{i}", width=f"{width:.4f}", height=f"{height:.4f}")
    typical = float(np.hypot(*sizes[linked].mean(axis=0))) * 1.4 / POINTS_PER_INCH
    for first, second in request.edges:
        graph.add_edge(f"n{first}", f"n{second}", len=f"{typical:.3f}")
    if top:
        graph.add_subgraph([f"n{i}" for i in top], rank="source")
    with _ONE_AT_A_TIME, without_fontconfig_warnings():
        graph.layout(prog=request.engine)
    places = [graph.get_node(f"n{i}").attr["pos"].split(",") for i in linked]
    return np.array([(float(x), -float(y)) for x, y in places])


def dag_svg(dag: LatentDag, knowledge: Knowledge | None = None) -> str:
    """A picture of a DAG with latents as SVG text, drawn without a window; arrows that data leave open are hollow."""
    from latconf_core.determined.arrows import DagClass
    from latconf_core.knowledge.knowledge import NO_KNOWLEDGE
    from latconf_gui.drawing.content.arrow_supports import supports_of
    from latconf_gui.drawing.content.graph_drawing import drawing_of_dag

    return _svg(drawing_of_dag(dag, supports=supports_of(DagClass(dag, knowledge or NO_KNOWLEDGE))))


def graph_svg(graph: MixedGraph) -> str:
    """A picture of a PAG or MAG as SVG text, drawn without a window."""
    from latconf_gui.drawing.content.graph_drawing import drawing_of_graph

    return _svg(drawing_of_graph(graph))


def _svg(drawing: Drawing) -> str:
    """The SVG of a drawing: boxes, dashed ellipses for latents, a legend of what occurs."""
    import pygraphviz

    graph = pygraphviz.AGraph(directed=True, strict=False)
    graph.graph_attr.update(
        label=_legend_text(drawing), fontname="sans-serif", fontsize="11", nodesep="0.3", ranksep="0.5", pad="0.2"
    )
    graph.node_attr.update(fontname="sans-serif", fontsize="12", shape="box", style="rounded", height="0.4")
    graph.edge_attr.update(dir="both", arrowsize="0.8")
    number = {node.name: f"n{i}" for i, node in enumerate(drawing.nodes)}
    for node in drawing.nodes:
        label = _escaped(node.name) + (f"\\n{_escaped(node.note)}" if node.note else "")
        look = {"shape": "ellipse", "style": "dashed", "color": LATENT_COLOUR} if node.is_latent else {}
        graph.add_node(number[node.name], label=label, **look)
    for above, below in _rows_of_lone(drawing):
        graph.add_edge(number[above], number[below], style="invis")
    for drawn in drawing.edges:
        edge = drawn.edge
        look = {"color": LATENT_COLOUR, "penwidth": "1.6"} if drawn.is_emphasised else {}
        if drawn.is_open:
            look = {"color": LATENT_OPEN_COLOUR if drawn.is_emphasised else OPEN_COLOUR, "penwidth": "1.2"}
        graph.add_edge(
            number[edge.first],
            number[edge.second],
            arrowtail=GRAPHVIZ_MARK[int(edge.at_first)],
            arrowhead="onormal" if drawn.is_open else GRAPHVIZ_MARK[int(edge.at_second)],
            **look,
        )
    with _ONE_AT_A_TIME, without_fontconfig_warnings():
        return str(graph.draw(format="svg", prog="dot").decode())


def _rows_of_lone(drawing: Drawing) -> list[tuple[str, str]]:
    """Pairs of nodes without edges, the second to stand below the first: one row of all would be a strip."""
    linked = {name for drawn in drawing.edges for name in (drawn.edge.first, drawn.edge.second)}
    lone = [node.name for node in drawing.nodes if node.name not in linked]
    return list(zip(lone, lone[LONE_IN_ROW:]))


LATENT_COLOUR = "#b3541e"
OPEN_COLOUR, LATENT_OPEN_COLOUR = "#7d7d7d", "#d59f80"  # of arrows whose direction the data leave open
GRAPHVIZ_MARK: Mapping[int, str] = {1: "odot", 2: "normal", 3: "none"}


def _escaped(text: str) -> str:
    """Text that graphviz shows as it is; it would take one from < to > for markup."""
    from latconf_gui.drawing.content.graph_drawing import drawn_text

    return escape(drawn_text(text), quote=False).replace("\\", "\\\\")


def _legend_text(drawing: Drawing) -> str:
    from latconf_core.wording import arrow_words
    from latconf_core.wording.mark_meanings import BIDIRECTED_SHORTLY, HIDDEN_CAUSE, MARK_SHORTLY

    if drawing.is_dag:
        lines = [arrow_words.FULL_ARROW] if drawing.edges else []
        lines += [arrow_words.HOLLOW_ARROW] if drawing.has_open else []
    else:
        lines = [text for mark, text in MARK_SHORTLY.items() if mark in drawing.marks]
        lines += [BIDIRECTED_SHORTLY] if drawing.has_bidirected else []
    if drawing.has_latents:
        lines = [f"dashed ellipse: {HIDDEN_CAUSE}; its edges are coloured", *lines]
    return "".join(f"{_escaped(line)}\\l" for line in lines)


def main() -> int:
    """Read a request from stdin, write the positions to stdout."""
    request = LayoutRequest.from_json(sys.stdin.read())
    json.dump(lay_out(request), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
