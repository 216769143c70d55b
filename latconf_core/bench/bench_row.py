"""A row of the table of a bench: a finished cell against the truth and against the others on the same data."""

from __future__ import annotations

from dataclasses import dataclass

from latconf_core.bench.bench_data import BenchData
from latconf_core.bench.cell import Cell, CellResult
from latconf_core.bench.row_logs import Standing
from latconf_core.comparison.metrics import Comparison, compare_subjects
from latconf_core.comparison.subject import Subject, View, lay_side_by_side
from latconf_core.errors import GraphError


@dataclass(frozen=True, eq=False)
class BenchRow:
    """A finished cell against what is known of its data.

    n_rows : of the whole table
    true_p_elbo : of the true DAG on the same rows, by the same scorer
    against : the model against the truth; None where one of them is not known
    held_out, fresh : where it stands among the finished cells on the same data
    """

    cell: Cell
    result: CellResult
    n_rows: int
    true_p_elbo: float | None = None
    against: Comparison | None = None
    held_out: Standing | None = None
    fresh: Standing | None = None

    @property
    def gap(self) -> float | None:
        """Nats above the true DAG."""
        reached, truth = self.result.p_elbo, self.true_p_elbo
        return None if reached is None or truth is None else reached - truth

    @property
    def train_bound(self) -> float | None:
        """The evidence lower bound per row that was seen."""
        elbo, n_rows = self.result.elbo, self.result.n_rows
        return None if elbo is None or not n_rows else elbo / n_rows

    @property
    def n_latents(self) -> int | None:
        return None if self.result.dag is None else len(self.result.dag.latents)

    @property
    def knows_latents(self) -> bool:
        """Whether the truth says which latents there are."""
        return self.against is not None and self.true_p_elbo is not None


def compare_with_truth(data: BenchData, cell: Cell, result: CellResult, *, view: View) -> Comparison | None:
    """The model of a cell against the truth in a view; as they are given where the truth has no graph there."""
    if data.truth is None or result.dag is None:
        return None
    model = Subject(cell.title, result.dag)
    try:
        truth_graph, model_graph, _ = lay_side_by_side(data.truth, model, view)
    except GraphError:
        return compare_subjects(model, data.truth)
    return compare_subjects(model, data.truth, graphs=(truth_graph, model_graph))
