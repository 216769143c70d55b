"""Opens tables, graphs and examples, and prepares a table in another way: each ends with a new ProjectState."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import dist
from pathlib import Path
from types import MappingProxyType

from latconf_core.control import Progress, RunControl
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.prepare_table import table_of_dataset
from latconf_core.data.read_options import ReadOptions
from latconf_core.data.watch import OnProgress
from latconf_core.errors import DataError, LatconfError
from latconf_core.files import read_text
from latconf_core.formats.example_choice import ExampleChoice
from latconf_core.formats.projects.compared_graphs import ComparedItem
from latconf_core.formats.projects.project_state import NO_POSITIONS, Positions, ProjectState, prepare_state
from latconf_core.graph.mixed import MixedGraph

Change = Callable[[Preparation], Preparation]
SPACING = 120.0  # between neighbouring nodes on a screen
BELIEVED = "Experts' graph"  # its name on the Compare page
MAX_GRAPH_BYTES = 4_000_000


@dataclass(frozen=True)
class OpenedGraph:
    """A graph that was read from a file.

    positions : where the file draws every node, at the size of a screen; empty where it does not say
    notes : what the file says and latconf leaves out
    """

    graph: MixedGraph
    name: str
    positions: Positions = field(default_factory=lambda: NO_POSITIONS)
    notes: tuple[str, ...] = ()


def open_file(
    path: Path, options: ReadOptions | None, control: RunControl, *, post: OnProgress, before: ProjectState
) -> Iterator[object]:
    """Read a table or a graph; the last event is a ProjectState or an OpenedGraph.

    options : None lets the content decide what the file is; given, it is a table
    before : what is open now: a graph must fit its data, the same table keeps the choices made about it
    """
    if options is None and _is_graph_file(path):
        yield open_graph(path, nodes=None if before.dataset is None else before.dataset.names)
        return
    kept = before.preparation if options is not None and before.source == path else None
    yield from read_file(path, options or ReadOptions(), control, post=post, kept=kept)


def open_graph(path: Path, *, nodes: Sequence[str] | None = None, format: str | None = None) -> OpenedGraph:
    """The graph of a file as it can be shown; arguments as for `read_graph`."""
    from latconf_core.formats.graphs.registry import read_document, take_graph

    document = read_document(path, nodes=nodes, format=format)
    graph = take_graph(document, path)
    is_drawn = bool(graph.nodes) and all(name in document.positions for name in graph.nodes)
    positions = scale_positions(document.positions) if is_drawn else NO_POSITIONS
    return OpenedGraph(graph, path.name, positions, document.notes)


def scale_positions(positions: Positions) -> Positions:
    """Positions in any units at the size of a screen: half of the nodes have their nearest SPACING or more away."""
    places = list(positions.values())
    nearest = sorted(min((dist(a, b) for j, b in enumerate(places) if j != i), default=0) for i, a in enumerate(places))
    typical = nearest[(len(nearest) - 1) // 2] if nearest else 0
    factor = SPACING / typical if typical > 0 else 1.0
    return MappingProxyType({name: (x * factor, y * factor) for name, (x, y) in positions.items()})


def _is_graph_file(path: Path) -> bool:
    from latconf_core.formats.graphs.registry import graph_formats

    if path.stat().st_size > MAX_GRAPH_BYTES:
        return False
    try:
        text = read_text(path)
    except LatconfError:
        return False
    return any(
        path.suffix.lower() in graph_format.extensions and graph_format.recognises(text)
        for graph_format in graph_formats()
    )


def read_file(
    path: Path, options: ReadOptions, control: RunControl, *, post: OnProgress, kept: Preparation | None = None
) -> Iterator[object]:
    """Read a table; the last event is its ProjectState, prepared as before where the file still allows it."""
    from latconf_core.data.reading.load import read_table

    raw = read_table(path, options, control=control, on_progress=post)
    post(Progress(0, None, "counting states"))
    control.checkpoint()
    state = ProjectState(name=path.name, source=path, raw=raw)
    try:
        yield prepare_state(state, kept or Preparation(), control=control)
    except DataError:
        yield prepare_state(state, Preparation(), control=control)


def open_example(choice: ExampleChoice, control: RunControl) -> Iterator[object]:
    """Draw rows from an example network, or read a measured table; the last event is its ProjectState."""
    from latconf_core.formats.measured_examples import is_measured

    yield from (_open_measured if is_measured(choice.name) else draw_example)(choice, control)


def _open_measured(choice: ExampleChoice, control: RunControl) -> Iterator[object]:
    """Read a measured table; the graph that experts believe in is compared."""
    from latconf_core.formats.measured_examples import (
        choose_measured,
        measured_example,
        read_believed_graph,
        read_measured,
    )

    control.checkpoint()
    example = measured_example(choice.name)
    graph = read_believed_graph(example, choice.hide)
    compared = () if graph is None else (ComparedItem(BELIEVED, graph, "DAG", example.title),)
    state = ProjectState(name=example.title, source=choice, raw=read_measured(choice.name), compared=compared)
    yield prepare_state(state, choose_measured(example, choice.hide), control=control)


def draw_example(choice: ExampleChoice, control: RunControl) -> Iterator[object]:
    """Draw rows from an example network; the last event is their ProjectState, with the truth."""
    import numpy as np

    from latconf_core.data.sampling import sample
    from latconf_core.formats.examples import example, load_example

    control.checkpoint()
    network = load_example(choice.name)
    drawn = sample(network, choice.n_rows, rng=np.random.default_rng(choice.seed), hide=choice.hide)
    control.checkpoint()
    state = ProjectState(
        name=example(choice.name).title, source=choice, raw=table_of_dataset(drawn.dataset), truth=drawn.network
    )
    yield prepare_state(state, Preparation(missing_marks=()), control=control)


def change_preparation(state: ProjectState, change: Change, control: RunControl) -> Iterator[object]:
    """Prepare the same table in another way; the last event is the new ProjectState, if anything changes."""
    control.checkpoint()
    preparation = change(state.preparation)
    if preparation != state.preparation:
        yield prepare_state(state, preparation, control=control)
