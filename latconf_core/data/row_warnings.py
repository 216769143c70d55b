"""What to know of a table before a search: filled-in cells, dropped rows, copies and designs."""

from __future__ import annotations

from collections.abc import Iterator

from latconf_core.data.dataset import Dataset
from latconf_core.data.row_repeats import common_divisor, is_design
from latconf_core.phrases import list_names

ROWS_PER_VARIABLE = 10
MOST_NAMED = 5
DESIGNED = (
    "This table looks designed, not sampled (every combination occurs equally often), so hidden causes are "
    "not meaningful"
)


def warn_of_rows(dataset: Dataset) -> Iterator[str]:
    """A sentence for everything about the rows that a claim about hidden causes depends on."""
    facts = dataset.facts
    if facts.filled_in:
        names = [name for name in dataset.names if name in facts.filled_in]
        yield (
            f"Filled-in cells can look like a hidden cause: claims about {list_names(names, most=MOST_NAMED)} "
            "are at most weak evidence. Keep missing cells to avoid this"
        )
    if facts.n_dropped:
        yield from _warn_of_dropped(dataset)
    if facts.rows_are_real:
        return
    if is_design(dataset):
        yield DESIGNED
    elif not facts.is_counted and (divisor := common_divisor(dataset)) > 1:
        yield (
            f"These rows look copied: every distinct row occurs a multiple of {divisor} times. Use a column "
            "of counts, or confirm that the rows are real; until then, claims are at most weak evidence"
        )


def _warn_of_dropped(dataset: Dataset) -> Iterator[str]:
    n_before, least = dataset.n_rows + dataset.facts.n_dropped, ROWS_PER_VARIABLE * dataset.n_variables
    left = f"Dropping rows with missing cells leaves {dataset.n_rows:,} of {n_before:,} rows"
    if 2 * dataset.n_rows < n_before:
        yield f"{left}, fewer than half, and these may not be representative: keep missing cells instead"
    elif dataset.n_rows < least:
        yield f"{left}, fewer than {ROWS_PER_VARIABLE} per variable; keep missing cells instead"


def warns_of_repeats(dataset: Dataset | None) -> bool:
    """Whether a warning of copies or of a design is among those of the rows, which the user may overrule."""
    if dataset is None or dataset.facts.rows_are_real:
        return False
    return is_design(dataset) or (not dataset.facts.is_counted and common_divisor(dataset) > 1)
