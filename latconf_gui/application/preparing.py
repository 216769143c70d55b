"""From a table and the user's choices to a session's state; the work behind opening and every change of the data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from latconf_core.control import Progress, RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.prepare import plan_columns, prepare
from latconf_core.data.reading.raw_table import RawColumn, RawTable
from latconf_core.data.reading.read_options import ReadOptions
from latconf_core.errors import DataError, LatconfError
from latconf_core.files import read_text
from latconf_core.formats.example_choice import ExampleChoice
from latconf_core.graph.mixed import MixedGraph
from latconf_gui.application.document import SessionState

Post = Callable[[object], None]
Change = Callable[[Preparation], Preparation]
MAX_GRAPH_BYTES = 4_000_000


def prepare_state(state: SessionState, preparation: Preparation, *, control: RunControl | None = None) -> SessionState:
    """The state with its table prepared; without data but with an `obstacle` where a choice is still to be made."""
    assert state.raw is not None
    control = control or RunControl()
    plans = plan_columns(state.raw, preparation, control=control)
    try:
        prepared = prepare(state.raw, preparation, plans=plans, control=control)
    except DataError as error:
        asks = preparation.missing is None and any(plan.is_used and plan.n_missing for plan in plans)
        if state.dataset is not None and not asks:
            raise
        return replace(state, preparation=preparation, plans=plans, prepared=None, obstacle=str(error))
    prepared.dataset.find_distinct(control)  # here, not while the window draws
    return replace(state, preparation=preparation, plans=plans, prepared=prepared, obstacle="")


@dataclass(frozen=True)
class OpenedGraph:
    """A graph that was read from a file."""

    graph: MixedGraph
    name: str


def open_file(
    path: Path, options: ReadOptions | None, control: RunControl, *, post: Post, before: SessionState
) -> Iterator[object]:
    """Read a table or a graph; the last event is a SessionState or an OpenedGraph.

    options : None lets the content decide what the file is; given, it is a table
    before : what is open now: a graph must fit its data, the same table keeps the choices made about it
    """
    if options is None and _is_graph_file(path):
        from latconf_core.formats.graphs.registry import read_graph

        nodes = None if before.dataset is None else before.dataset.names
        yield OpenedGraph(read_graph(path, nodes=nodes), path.name)
        return
    kept = before.preparation if options is not None and before.source == path else None
    yield from read_file(path, options or ReadOptions(), control, post=post, kept=kept)


def _is_graph_file(path: Path) -> bool:
    from latconf_core.formats.graphs.registry import graph_formats

    if path.stat().st_size > MAX_GRAPH_BYTES:
        return False
    try:
        text = read_text(path)
    except LatconfError:
        return False
    return any(path.suffix.lower() in one.extensions and one.recognises(text) for one in graph_formats())


def read_file(
    path: Path, options: ReadOptions, control: RunControl, *, post: Post, kept: Preparation | None = None
) -> Iterator[object]:
    """Read a table; the last event is its SessionState, prepared as before where the file still allows it."""
    from latconf_core.data.reading.load import read_table

    raw = read_table(path, options, control=control, on_progress=post)
    post(Progress(0, None, "counting states"))
    control.checkpoint()
    state = SessionState(name=path.name, source=path, raw=raw)
    try:
        yield prepare_state(state, kept or Preparation(), control=control)
    except DataError:
        yield prepare_state(state, Preparation(), control=control)


def draw_example(choice: ExampleChoice, control: RunControl) -> Iterator[object]:
    """Draw rows from an example network; the last event is their SessionState, with the truth."""
    import numpy as np

    from latconf_core.data.sampling import sample
    from latconf_core.formats.examples import example, load_example

    control.checkpoint()
    network = load_example(choice.name)
    drawn = sample(network, choice.n_rows, rng=np.random.default_rng(choice.seed), hide=choice.hide)
    control.checkpoint()
    state = SessionState(
        name=example(choice.name).title, source=choice, raw=table_of(drawn.dataset), truth=drawn.network
    )
    yield prepare_state(state, Preparation(missing_marks=()), control=control)


def table_of(dataset: Dataset) -> RawTable:
    """The data as a table whose states are declared."""
    columns = [RawColumn(dataset.codes[:, i], dataset.states[i], is_declared=True) for i in range(dataset.n_variables)]
    return RawTable(dataset.names, tuple(columns))


def change_preparation(state: SessionState, change: Change, control: RunControl) -> Iterator[object]:
    """Prepare the same table in another way; the last event is the new SessionState, if anything changes."""
    control.checkpoint()
    preparation = change(state.preparation)
    if preparation != state.preparation:
        yield prepare_state(state, preparation, control=control)
