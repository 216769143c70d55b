"""From a table and the user's choices to a session's state; the work behind opening and every change of the data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from latconf_core.control import Progress, RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparation import Preparation
from latconf_core.data.prepare import plan_columns, prepare
from latconf_core.data.raw_table import RawColumn, RawTable
from latconf_core.data.read_options import ReadOptions
from latconf_core.errors import DataError
from latconf_gui.examples import ExampleChoice
from latconf_gui.session import SessionState

Post = Callable[[object], None]


def prepared_state(state: SessionState, preparation: Preparation) -> SessionState:
    """The state with its table prepared; without data but with an `obstacle` where a choice is still to be made."""
    assert state.raw is not None
    plans = plan_columns(state.raw, preparation)
    try:
        prepared = prepare(state.raw, preparation)
    except DataError as error:
        if state.dataset is not None:
            raise
        return replace(state, preparation=preparation, plans=plans, prepared=None, obstacle=str(error))
    prepared.dataset.distinct  # noqa: B018 - computed here, not while the window draws
    return replace(state, preparation=preparation, plans=plans, prepared=prepared, obstacle="")


def read_file(
    path: Path, options: ReadOptions, control: RunControl, *, post: Post, kept: Preparation | None = None
) -> Iterator[object]:
    """Read a table; the last event is its SessionState, prepared as before where the file still allows it."""
    from latconf_core.data.load import read_table

    raw = read_table(path, options, control=control, on_progress=post)
    post(Progress(0, None, "counting states"))
    control.checkpoint()
    state = SessionState(name=path.name, source=path, raw=raw)
    try:
        yield prepared_state(state, kept or Preparation())
    except DataError:
        yield prepared_state(state, Preparation())


def draw_example(choice: ExampleChoice, control: RunControl) -> Iterator[object]:
    """Draw rows from an example network; the last event is their SessionState, with the truth."""
    import numpy as np

    from latconf_core.data.sample import sample
    from latconf_core.formats.examples import example, load_example

    control.checkpoint()
    network = load_example(choice.name)
    drawn = sample(network, choice.n_rows, rng=np.random.default_rng(choice.seed), hide=choice.hide)
    control.checkpoint()
    state = SessionState(
        name=example(choice.name).title, source=choice, raw=table_of(drawn.dataset), truth=drawn.network
    )
    yield prepared_state(state, Preparation(missing_marks=()))


def table_of(dataset: Dataset) -> RawTable:
    """The data as a table whose states are declared."""
    columns = [RawColumn(dataset.codes[:, i], dataset.states[i], is_declared=True) for i in range(dataset.n_variables)]
    return RawTable(dataset.names, tuple(columns))


def change_preparation(state: SessionState, preparation: Preparation, control: RunControl) -> Iterator[object]:
    """Prepare the same table in another way; the last event is the new SessionState."""
    control.checkpoint()
    yield prepared_state(state, preparation)
