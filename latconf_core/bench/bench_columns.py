"""A row of the table of a bench, and its columns with their definitions: what files, window and JSON show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from latconf_core.bench.bench_plan import BenchPlan
from latconf_core.bench.cell import Cell, CellResult
from latconf_core.comparison.measures import Value
from latconf_core.comparison.metrics import Comparison, compare_subjects
from latconf_core.comparison.subject import Subject
from latconf_core.comparison.tables import show_value
from latconf_core.json_form import encode_fields


@dataclass(frozen=True, eq=False)
class BenchRow:
    """A finished cell against what is known of its data.

    true_p_elbo, true_held_out : of the true DAG on the same data, by the same scorer
    against : the model against the truth; None where one of them is not known
    """

    cell: Cell
    result: CellResult
    n_rows: int
    true_p_elbo: float | None = None
    true_held_out: float | None = None
    against: Comparison | None = None

    @property
    def gap(self) -> float | None:
        """Nats above the true DAG."""
        own, truth = self.result.p_elbo, self.true_p_elbo
        return None if own is None or truth is None else own - truth

    @property
    def train_bound(self) -> float | None:
        return None if self.result.elbo is None else self.result.elbo / self.n_rows

    @property
    def n_latents(self) -> int | None:
        return None if self.result.dag is None else len(self.result.dag.latents)

    @property
    def knows_latents(self) -> bool:
        """Whether the truth says which latents there are."""
        return self.against is not None and self.true_p_elbo is not None

    def to_json(self) -> dict[str, Any]:
        """The contract of `latconf bench --json`, one cell."""
        dag = self.result.dag
        return {
            "data": self.cell.data,
            "learn": self.cell.learn,
            "search": self.cell.search,
            **{column.key: column.of(self) for column in COLUMNS},
            "converged": self.result.converged,
            "held_out_is_bound": self.result.is_bound,
            "seed": self.cell.options.seed,
            "notes": list(self.result.notes),
            "dag": None if dag is None else dag.to_json(),
        }


@dataclass(frozen=True)
class BenchColumn:
    """One number of a row.

    is_short : whether it stands in the short table, which fits a page
    digits : after the point where a person reads it; None for what fits its size
    """

    key: str
    title: str
    definition: str
    of: Callable[[BenchRow], Value]
    is_short: bool = False
    digits: int | None = None

    def show(self, row: BenchRow) -> str:
        """The number as a person reads it."""
        value = self.of(row)
        if isinstance(value, float) and self.digits is not None:
            sign = "≥ " if self.key == "held_out" and row.result.is_bound else ""
            return sign + f"{value:,.{self.digits}f}".replace("-", "−")
        return show_value(value)


def _of_latents(count: Callable[[Comparison], int]) -> Callable[[BenchRow], Value]:
    def value(row: BenchRow) -> Value:
        return count(row.against) if row.against is not None and row.knows_latents else None

    return value


def _of_truth(value: Callable[[Comparison], Value]) -> Callable[[BenchRow], Value]:
    return lambda row: None if row.against is None else value(row.against)


def _yes_or_no(claim: bool | None) -> str | None:
    return None if claim is None else "yes" if claim else "no"


COLUMNS = (
    BenchColumn(
        "p_elbo",
        "p-ELBO",
        "The score of the model on the whole table in nats: a lower bound of the log probability of the data, less "
        "log(states!) per latent. One scorer, one prior and one penalty for all searches. Higher is better.",
        lambda row: row.result.p_elbo,
        is_short=True,
    ),
    BenchColumn(
        "true_p_elbo",
        "p-ELBO of the truth",
        "The score of the true DAG, its hidden variables as latents with their true numbers of states, on the same "
        "table by the same scorer.",
        lambda row: row.true_p_elbo,
    ),
    BenchColumn(
        "gap",
        "Gap",
        "Nats that the model is above the true DAG; e to the power of it are the odds in its favour. Above 0 is "
        "possible: on few rows a simpler model than the truth explains them better.",
        lambda row: row.gap,
        is_short=True,
        digits=2,
    ),
    BenchColumn(
        "seconds",
        "Seconds",
        "Of the method itself, without learning the PAG and without measuring; with the best DAG without latents "
        "where the search starts from that.",
        lambda row: row.result.seconds,
        is_short=True,
        digits=1,
    ),
    BenchColumn(
        "learn_seconds",
        "Seconds for the PAG",
        "What learning the PAG took, once for all searches on it.",
        lambda row: None if row.result.pag is None else row.result.pag.seconds,
    ),
    BenchColumn("visited", "Visited", "DAGs that were scored.", lambda row: row.result.n_visited, is_short=True),
    BenchColumn("n_latents", "Latents", "Hidden common causes of the model.", lambda row: row.n_latents),
    BenchColumn(
        "exact",
        "Exact",
        "True latents that have a latent over exactly their children here.",
        _of_latents(lambda one: one.n_latents_exact),
        is_short=True,
    ),
    BenchColumn(
        "partial",
        "In part",
        "True latents that share some children with a latent here, but not all.",
        _of_latents(lambda one: sum(0 < own.overlap < 1 for own in one.latents)),
        is_short=True,
    ),
    BenchColumn(
        "missed",
        "Missed",
        "True latents that share no child with a latent here.",
        _of_latents(lambda one: sum(own.found is None for own in one.latents)),
    ),
    BenchColumn(
        "wrong",
        "Not there",
        "Latents here that stand for none of the truth.",
        _of_latents(lambda one: one.n_latents_wrong),
        is_short=True,
    ),
    BenchColumn(
        "states_right",
        "States right",
        "True latents whose latent here has the same number of states.",
        _of_latents(lambda one: sum(own.has_right_states for own in one.latents)),
    ),
    BenchColumn(
        "adjacency_precision",
        "Adjacency precision",
        "Of the pairs joined in the MAG of the model, the share that the truth joins too.",
        _of_truth(lambda one: one.adjacency.precision),
    ),
    BenchColumn(
        "adjacency_recall",
        "Adjacency recall",
        "Of the pairs that the truth joins, the share that is joined here too.",
        _of_truth(lambda one: one.adjacency.recall),
    ),
    BenchColumn(
        "adjacency_f1",
        "Adjacency F1",
        "The harmonic mean of adjacency precision and recall.",
        _of_truth(lambda one: one.adjacency.f1),
        is_short=True,
    ),
    BenchColumn(
        "arrowhead_precision",
        "Arrowhead precision",
        "Of the arrowheads here, the share that the truth has too, over all pairs.",
        _of_truth(lambda one: one.arrowhead.precision),
    ),
    BenchColumn(
        "arrowhead_recall",
        "Arrowhead recall",
        "Of the arrowheads of the truth, the share that is found here too, over all pairs.",
        _of_truth(lambda one: one.arrowhead.recall),
    ),
    BenchColumn(
        "arrowhead_f1",
        "Arrowhead F1",
        "The harmonic mean of arrowhead precision and recall.",
        _of_truth(lambda one: one.arrowhead.f1),
        is_short=True,
    ),
    BenchColumn(
        "shd",
        "SHD",
        "Structural Hamming distance: pairs of variables whose edge differs from the truth, in being there or in a "
        "mark, compared by their MAGs.",
        _of_truth(lambda one: one.shd),
        is_short=True,
    ),
    BenchColumn(
        "bsf_skeleton",
        "BSF",
        "½ (TP/a + TN/i − FP/i − FN/a) of the adjacencies: a true edges, i pairs without one. 1 is the truth, 0 no "
        "better than an empty or a complete graph.",
        _of_truth(lambda one: one.bsf_skeleton),
        is_short=True,
    ),
    BenchColumn(
        "bsf_half",
        "BSF, half credit",
        "The same with 1 for an edge whose two marks are right and ½ for one with a wrong mark.",
        _of_truth(lambda one: one.bsf_half),
    ),
    BenchColumn(
        "held_out",
        "Held-out",
        "Log-likelihood in nats per row of a part of the table, at the posterior means of tables fitted on the rest, "
        "latents summed out. The DAG itself was found on the whole table. Higher is better.",
        lambda row: row.result.held_out,
        is_short=True,
        digits=4,
    ),
    BenchColumn(
        "held_out_error",
        "Held-out ±",
        "The standard error of the held-out mean over rows; differences between methods on the same rows are surer.",
        lambda row: row.result.held_out_error,
        digits=4,
    ),
    BenchColumn(
        "true_held_out",
        "Held-out of the truth",
        "The same for the true DAG.",
        lambda row: row.true_held_out,
        digits=4,
    ),
    BenchColumn(
        "train_bound",
        "Bound per row",
        "The evidence lower bound over the number of rows; not comparable with baselines that integrate out no "
        "parameters.",
        lambda row: row.train_bound,
        digits=4,
    ),
    BenchColumn(
        "parameters",
        "Parameters",
        "Free parameters of all tables, those of the latents included.",
        lambda row: row.result.n_parameters,
    ),
    BenchColumn(
        "converged",
        "Converged",
        "Whether the fit of the model had converged.",
        lambda row: _yes_or_no(row.result.converged),
    ),
    BenchColumn("stop_reason", "Ended by", "Why the search ended.", lambda row: row.result.stop_reason, is_short=True),
)


def make_row(plan: BenchPlan, cell: Cell, result: CellResult, *, truth: CellResult | None) -> BenchRow:
    """A finished cell with its comparison; `truth` is the result of the cell that scored the true DAG."""
    data = plan.find(cell.data)
    against = None
    if data.truth is not None and result.dag is not None:
        against = compare_subjects(Subject(cell.title, result.dag), data.truth)
    return BenchRow(
        cell,
        result,
        data.dataset.n_rows,
        None if truth is None else truth.p_elbo,
        None if truth is None else truth.held_out,
        against,
    )


def options_json(plan: BenchPlan) -> dict[str, Any]:
    """How the bench was run."""
    return {**encode_fields(plan.options), "data": [one.name for one in plan.data]}
