"""What a model says of a table, and what it had to do without, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from latconf_core.inference.applying import Applied
from latconf_core.phrases import counted, list_names

MOST_NAMED = 5


def applied_sentences(applied: Applied) -> Iterator[str]:
    """The log-likelihood, then what was missing, unknown or passed over."""
    rows = applied.rows
    if applied.n_impossible:
        yield (
            f"The model gives {counted(applied.n_impossible, 'row')} probability 0. Such zeros come from the "
            "model file; learned probabilities are never 0."
        )
    else:
        error = applied.standard_error
        spread = "" if error is None else f" ± {error:.4f}"
        yield (
            f"Log-likelihood of {applied.n_rows:,} rows: {_signed(applied.log_likelihood, 3)} nats, "
            f"{_signed(applied.per_row, 4)}{spread} per row."
        )
    if rows.n_missing:
        yield f"{counted(rows.n_missing, 'cell is', 'cells are')} missing and summed out."
    if rows.unknown:
        states = [f"{each.variable} = {each.state} ({counted(each.n_rows, 'row')})" for each in rows.unknown]
        yield f"States unknown to the model were treated as missing: {_some(states)}."
    if rows.absent:
        yield f"Variables absent from the table were summed out: {_some(rows.absent)}."
    if rows.into_intervals:
        yield f"Numbers were assigned to the model's intervals: {_some(rows.into_intervals)}."
    if rows.passed_over:
        yield f"Columns unknown to the model were ignored: {_some(rows.passed_over)}."


def _some(names: tuple[str, ...] | list[str]) -> str:
    rest = len(names) - MOST_NAMED
    return list_names(list(names)) if rest <= 0 else f"{', '.join(names[:MOST_NAMED])} and {rest} more"


def _signed(number: float, digits: int) -> str:
    return f"{number:,.{digits}f}".replace("-", "−")
