"""The columns of the table of a bench with their definitions: what files, window and JSON show of a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from latconf_core.bench.bench_row import BenchRow
from latconf_core.bench.row_logs import Standing
from latconf_core.comparison.measures import Value
from latconf_core.comparison.metrics import Agreement, Comparison
from latconf_core.comparison.tables import digits_of, show_value
from latconf_core.phrases import number_text


@dataclass(frozen=True)
class BenchColumn:
    """One number of a row.

    is_short : whether it stands in the short table, which fits a page
    digits : after the point where a person reads it; None for what fits its size
    error : the standard error that stands beside it where a person reads it
    """

    key: str
    title: str
    definition: str
    of: Callable[[BenchRow], Value]
    is_short: bool = False
    digits: int | None = None
    error: Callable[[BenchRow], Value] | None = None

    def rounded(self, value: float) -> float:
        """The number with as many digits as are shown: two that look the same are a tie."""
        return round(value, digits_of(value) if self.digits is None else self.digits)

    def show(self, row: BenchRow) -> str:
        """The number as a person reads it."""
        value = self.of(row)
        if not isinstance(value, float) or self.digits is None:
            return show_value(value)
        sign = "≥ " if self.key == "held_out" and row.result.is_bound else ""
        shown = sign + number_text(value, self.digits)
        error = None if self.error is None else self.error(row)
        return f"{shown} ± {number_text(error, self.digits)}" if isinstance(error, float) and value else shown


def _difference(standing: Standing | None) -> Value:
    return None if standing is None else standing.difference.per_row


def _difference_error(standing: Standing | None) -> Value:
    return None if standing is None else standing.difference.standard_error


def _rank(standing: Standing | None) -> Value:
    return None if standing is None else standing.rank


def _of_latents(count: Callable[[Comparison], int]) -> Callable[[BenchRow], Value]:
    def value(row: BenchRow) -> Value:
        return count(row.against) if row.against is not None and row.knows_latents else None

    return value


def _of_truth(value: Callable[[Comparison], Value]) -> Callable[[BenchRow], Value]:
    return lambda row: None if row.against is None else value(row.against)


def _rate_columns(
    mark: str, marks: str, agreement: Callable[[Comparison], Agreement], *, over: str = ""
) -> Iterator[BenchColumn]:
    """Precision, recall and F1 of adjacencies or of arrowheads."""
    title = mark.capitalize()
    yield BenchColumn(
        f"{mark}_precision",
        f"{title} precision",
        f"Share of the {marks} here that are in the truth{over}.",
        _of_truth(lambda against: agreement(against).precision),
    )
    yield BenchColumn(
        f"{mark}_recall",
        f"{title} recall",
        f"Share of the true {marks} that are here{over}.",
        _of_truth(lambda against: agreement(against).recall),
    )
    yield BenchColumn(
        f"{mark}_f1",
        f"{title} F1",
        f"The harmonic mean of {mark} precision and recall.",
        _of_truth(lambda against: agreement(against).f1),
        is_short=True,
    )


def _yes_or_no(claim: bool | None) -> str | None:
    return None if claim is None else "yes" if claim else "no"


COLUMNS = (
    BenchColumn(
        "p_elbo",
        "p-ELBO",
        (
            "The score of the model in nats on the rows used by the search (training rows; the whole table with "
            "the paper's preset): a lower bound on the log probability of the data, minus log(states!) per "
            "latent. One scorer, prior and penalty for all searches. Higher is better."
        ),
        lambda row: row.result.p_elbo,
        is_short=True,
    ),
    BenchColumn(
        "true_p_elbo",
        "p-ELBO of the truth",
        (
            "The score of the true DAG on the same rows by the same scorer; its hidden variables are latents "
            "with their true numbers of states."
        ),
        lambda row: row.true_p_elbo,
    ),
    BenchColumn(
        "gap",
        "Gap",
        (
            "The model's p-ELBO minus that of the true DAG, in nats. A positive gap is not a success: a search "
            "can overfit its rows and predict other rows worse."
        ),
        lambda row: row.gap,
        digits=2,
    ),
    BenchColumn(
        "seconds",
        "Seconds",
        (
            "Time of the search, without learning the PAG and evaluation; includes finding the best DAG without "
            "latents if the search starts from it."
        ),
        lambda row: row.result.seconds,
        is_short=True,
        digits=1,
    ),
    BenchColumn(
        "learn_seconds",
        "Seconds for the PAG",
        "Time to learn the PAG, once for all searches on it.",
        lambda row: None if row.result.pag is None else row.result.pag.seconds,
    ),
    BenchColumn("visited", "Visited", "DAGs that were scored.", lambda row: row.result.n_visited, is_short=True),
    BenchColumn("n_latents", "Latents", "Hidden common causes of the model.", lambda row: row.n_latents),
    BenchColumn(
        "exact",
        "Exact",
        "True latents with exactly the same children as a latent here.",
        _of_latents(lambda against: against.n_latents_exact),
        is_short=True,
    ),
    BenchColumn(
        "partial",
        "Partial",
        "True latents that share some but not all children with a latent here.",
        _of_latents(lambda against: sum(0 < match.overlap < 1 for match in against.latents)),
        is_short=True,
    ),
    BenchColumn(
        "missed",
        "Missed",
        "True latents that share no child with a latent here.",
        _of_latents(lambda against: sum(match.found is None for match in against.latents)),
    ),
    BenchColumn(
        "wrong",
        "False positives",
        "Latents here that match no true latent.",
        _of_latents(lambda against: against.n_latents_wrong),
        is_short=True,
    ),
    BenchColumn(
        "states_right",
        "States right",
        "True latents whose match has the same number of states.",
        _of_latents(lambda against: sum(match.has_right_states for match in against.latents)),
    ),
    *_rate_columns("adjacency", "adjacencies", lambda against: against.adjacency),
    *_rate_columns("arrowhead", "arrowheads", lambda against: against.arrowhead, over=", over all pairs"),
    BenchColumn(
        "shd",
        "SHD",
        (
            "Structural Hamming distance: pairs of variables whose edge differs from the truth in presence or in "
            "a mark. DAGs are compared as PAGs, so Markov equivalent DAGs have distance 0 (as MAGs with --as "
            "mag)."
        ),
        _of_truth(lambda against: against.shd),
        is_short=True,
    ),
    BenchColumn(
        "bsf_skeleton",
        "BSF",
        (
            "½ (TP/a + TN/i − FP/i − FN/a) over adjacencies, with a true edges and i pairs without one. 1: the "
            "truth; 0: no better than an empty or complete graph."
        ),
        _of_truth(lambda against: against.bsf_skeleton),
        is_short=True,
    ),
    BenchColumn(
        "bsf_half",
        "BSF, half credit",
        "BSF with 1 for an edge with two correct marks and ½ for an edge with a wrong mark.",
        _of_truth(lambda against: against.bsf_half),
    ),
    BenchColumn(
        "held_out",
        "Held-out",
        (
            "Log-likelihood per held-out row in nats, at the posterior means of tables fitted on the training "
            "rows, latents summed out. Higher is better."
        ),
        lambda row: row.result.held_out,
        is_short=True,
        digits=4,
    ),
    BenchColumn(
        "held_out_error",
        "Held-out ±",
        (
            "The standard error of the held-out mean over rows; differences between methods on the same rows are "
            "more precise."
        ),
        lambda row: row.result.held_out_error,
        digits=4,
    ),
    BenchColumn(
        "held_out_difference",
        "Held-out to best",
        "Nats per row below the best on the same data, with its standard error, paired by row.",
        lambda row: _difference(row.held_out),
        is_short=True,
        digits=4,
        error=lambda row: _difference_error(row.held_out),
    ),
    BenchColumn(
        "held_out_difference_error",
        "Held-out to best ±",
        "The standard error of the difference to the best, paired by row.",
        lambda row: _difference_error(row.held_out),
        digits=4,
    ),
    BenchColumn(
        "held_out_rank",
        "Held-out rank",
        "The rank on these data; methods within two standard errors of a better one share its rank.",
        lambda row: _rank(row.held_out),
    ),
    BenchColumn(
        "fresh",
        "Fresh rows",
        (
            "Log-likelihood per row, in nats, of new rows drawn from the true network, with the same tables. "
            "Higher is better."
        ),
        lambda row: row.result.fresh,
        is_short=True,
        digits=4,
    ),
    BenchColumn(
        "fresh_error",
        "Fresh rows ±",
        "The standard error of the mean over fresh rows.",
        lambda row: row.result.fresh_error,
        digits=4,
    ),
    BenchColumn(
        "fresh_difference",
        "Fresh to best",
        "Nats per fresh row below the best on the same data, with its standard error, paired by row.",
        lambda row: _difference(row.fresh),
        is_short=True,
        digits=4,
        error=lambda row: _difference_error(row.fresh),
    ),
    BenchColumn(
        "fresh_difference_error",
        "Fresh to best ±",
        "The standard error of the difference to the best, paired by row.",
        lambda row: _difference_error(row.fresh),
        digits=4,
    ),
    BenchColumn(
        "fresh_rank",
        "Fresh rank",
        "The rank on these data by fresh rows; methods within two standard errors of a better one share its rank.",
        lambda row: _rank(row.fresh),
        is_short=True,
    ),
    BenchColumn(
        "train_bound",
        "Bound per row",
        (
            "The evidence lower bound per training row; not comparable with baselines that do not integrate out "
            "parameters."
        ),
        lambda row: row.train_bound,
        digits=4,
    ),
    BenchColumn(
        "parameters",
        "Parameters",
        "Free parameters of all tables, latents included.",
        lambda row: row.result.n_parameters,
    ),
    BenchColumn(
        "converged",
        "Converged",
        "Whether the fit of the model converged.",
        lambda row: _yes_or_no(row.result.converged),
    ),
    BenchColumn(
        "stop_reason", "Stopped by", "Why the search stopped.", lambda row: row.result.stop_reason, is_short=True
    ),
)


def row_json(row: BenchRow) -> dict[str, Any]:
    """The contract of `latconf bench --json`, one cell."""
    dag = row.result.dag
    return {
        "data": row.cell.data,
        "learn": row.cell.learn,
        "search": row.cell.search,
        **{column.key: column.of(row) for column in COLUMNS},
        "n_rows": row.n_rows,
        "n_rows_seen": row.result.n_rows,
        "converged": row.result.converged,
        "held_out_is_bound": row.result.is_bound,
        "seed": row.cell.options.seed,
        "notes": list(row.result.notes),
        "dag": None if dag is None else dag.to_json(),
    }
