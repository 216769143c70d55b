"""The measured tables that come with the program: real data with what is known about them, and columns held back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from latconf_core.data.preparing.choices import Preparation
from latconf_core.errors import OptionError
from latconf_core.files import read_text
from latconf_core.formats.example_files import examples_folder
from latconf_core.json_form import decode

if TYPE_CHECKING:
    from latconf_core.dag.latent_dag import LatentDag
    from latconf_core.data.dataset import Dataset
    from latconf_core.data.preparing.held_columns import HeldColumn
    from latconf_core.data.raw_table import RawTable
    from latconf_core.score.agreement import Agreement
    from latconf_core.search.outcome.result import SearchResult

FOLDER = "tables"
MeasuredName: TypeAlias = Literal["votes", "college-plans", "sachs-measured", "berkeley", "kidney-stones", "titanic"]


@dataclass(frozen=True)
class MeasuredExample:
    """One real table.

    known : two sentences on what is known about it
    hide : columns that are held back from the search unless the user chooses otherwise
    counts : the column that counts rows; None where each row is one
    truth : the file of the graph that experts believe in; None where there is none
    columns : the variables of the table, those that may be held back among them
    n_rows : its rows, written out
    """

    name: str
    title: str
    known: str
    source: str
    licence: str
    hide: tuple[str, ...]
    counts: str | None
    truth: str | None
    columns: tuple[str, ...]
    n_rows: int


def measured_examples() -> tuple[MeasuredExample, ...]:
    """Every measured table, the one that teaches most first."""
    return tuple(_index().values())


def measured_names() -> tuple[str, ...]:
    """Their names."""
    return tuple(_index())


def is_measured(name: str) -> bool:
    """Whether a measured table has this name."""
    return name in get_args(MeasuredName)


def measured_example(name: str) -> MeasuredExample:
    """What is known about one measured table."""
    if not is_measured(name):
        raise OptionError(f"there is no measured table {name!r}; choose one of {', '.join(measured_names())}")
    return _index()[name]


@dataclass(frozen=True, eq=False)
class MeasuredTable:
    """A measured table, ready to be searched.

    dataset : what a search is given
    held : the columns that it is not given
    believed_graph : the graph that experts believe in, seen without the held-back columns; None where there is none
    """

    example: MeasuredExample
    dataset: Dataset
    held: tuple[HeldColumn, ...]
    believed_graph: LatentDag | None

    @property
    def held_data(self) -> Dataset:
        """The columns that are held back, row by row."""
        from latconf_core.data.dataset import Dataset

        names, states = [column.name for column in self.held], [column.states for column in self.held]
        return Dataset(names, states, np.column_stack([column.codes for column in self.held]))

    def agreements(self, result: SearchResult) -> Mapping[str, tuple[Agreement, ...]]:
        """By hidden cause of a result on this table: how well it agrees with each held-back column."""
        from latconf_core.score.agreement import measure_agreements

        posterior = result.posterior
        if posterior is None or result.dataset_digest != self.dataset.digest:
            raise OptionError(f"the result has no model of the table {self.example.name!r}; search its `dataset`")
        return {latent: measure_agreements(posterior, latent, self.held) for latent in posterior.latents}


def load_measured(name: str, *, hide: Sequence[str] | None = None) -> MeasuredTable:
    """A measured table by its name.

    hide : the columns that are held back; None for those that the example names
    """
    from latconf_core.data.preparing.held_columns import held_columns
    from latconf_core.data.preparing.prepare import plan_columns, prepare

    example = measured_example(name)
    raw, preparation = read_measured(name), choose_measured(example, hide)
    plans = plan_columns(raw, preparation)
    prepared = prepare(raw, preparation, plans=plans)
    graph = read_believed_graph(example, tuple(preparation.set_aside))
    return MeasuredTable(example, prepared.dataset, held_columns(raw, plans, prepared), graph)


def read_measured(name: str) -> RawTable:
    """The table as its file has it, the held-back columns among its columns."""
    from latconf_core.data.reading.load import read_table

    return read_table(examples_folder() / FOLDER / f"{measured_example(name).name}.arff")


def choose_measured(example: MeasuredExample, hide: Sequence[str] | None = None) -> Preparation:
    """What is done to the table: its counts count, and columns are held back.

    hide : the columns held back; None for those that the example names
    """
    held = example.hide if hide is None else tuple(hide)
    return Preparation(missing_marks=(), counts=example.counts, set_aside=frozenset(held))


def read_believed_graph(example: MeasuredExample, hide: Sequence[str] = ()) -> LatentDag | None:
    """The graph that experts believe in, seen without the hidden columns; None where there is none."""
    from latconf_core.dag.hidden_variables import hide_in_dag
    from latconf_core.formats.graphs.registry import read_dag

    if example.truth is None:
        return None
    dag = read_dag(examples_folder() / FOLDER / example.truth)
    return hide_in_dag(dag, hide) if hide else dag


@cache
def _index() -> Mapping[str, MeasuredExample]:
    entries = json.loads(read_text(examples_folder() / FOLDER / "index.json"))
    return {entry["name"]: _decode(entry) for entry in entries}


def _decode(entry: Mapping[str, object]) -> MeasuredExample:
    example: MeasuredExample = decode(MeasuredExample, entry)
    return example
