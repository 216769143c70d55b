"""What a reader must know of the rows behind a result, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from latconf_core.data.row_warnings import DESIGNED
from latconf_core.phrases import counted
from latconf_core.search.outcome.about_rows import CompletionReport, RowRepeats
from latconf_core.search.outcome.result import SearchResult

LEAST_SHOWN = 1e-4  # of a weight, in per cent with two digits
NOTHING = 1e-9  # rounding
REMEDY = (
    "Claims are at most weak evidence until you confirm that the rows are real. If rows were copied, keep "
    "one of each with a count."
)


def row_sentences(result: SearchResult) -> Iterator[str]:
    """Everything about the rows: whether they look copied, and how they were completed."""
    if result.repeats is not None:
        yield repeats_sentence(result.repeats)
    if result.completion is not None:
        yield from completion_sentences(result.completion)


def repeats_sentence(repeats: RowRepeats) -> str:
    """Why the rows look copied or designed, and the remedy."""
    if repeats.kind == "designed":
        return f"{DESIGNED}."
    distinct = f"{repeats.distinct:,} distinct of {repeats.rows:,}"
    if repeats.expected is not None and repeats.kind == "copied":
        said = f"These rows look copied: {distinct}, about {repeats.expected:,.0f} expected."
    else:
        said = f"These rows look copied: {distinct}, each a multiple of {repeats.divisor} times."
    return f"{said} You confirmed that they are real." if repeats.is_accepted else f"{said} {REMEDY}"


def completion_sentences(report: CompletionReport) -> Iterator[str]:
    """How many rows were completed, by how much, and what was left out."""
    missing = counted(report.missing_cells, "cell is", "cells are")
    yield (
        f"{missing} missing in {report.incomplete_rows:,} of {counted(report.rows, 'row')}. These rows enter "
        f"as {counted(report.completions, 'different completion')} weighted by the model, with "
        f"{_percent(report.mass_left_out)} of their weight left out. This is valid if cells are missing at "
        "random."
    )
    if report.drawn_rows:
        yield (
            f"{counted(report.drawn_rows, 'row')} had too many completions to list; theirs {_were(report)} drawn "
            "at random."
        )
    end = (
        "the last returned the model that completed its rows (converged)"
        if report.repeats
        else "the last still changed the model (not converged)"
    )
    searches = counted(report.rounds, "search was", "searches were")
    yield f"{searches} run on completed rows; {end}."


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share >= LEAST_SHOWN else "none" if share < NOTHING else "less than 0.01 %"


def _were(report: CompletionReport) -> str:
    return "was" if report.drawn_rows == 1 else "were"
