"""What a reader must know of the rows behind a result: how they were completed, and whether they look copied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RepeatKind = Literal["copied", "divisible", "designed"]


@dataclass(frozen=True)
class CompletionReport:
    """What completing rows took.

    rows, incomplete_rows : of the data, and those of them with missing cells
    completions : of these, in the last round
    mass_left_out : the share of their weight that the listed completions lack
    drawn_rows : how many have seeded draws in place of a list
    rounds : searches on completed rows
    repeats : whether the last round found the DAG that completed its rows
    entropy : of the completions, in nats; the score plus this bounds the log evidence of what was observed
    """

    rows: int
    incomplete_rows: int
    missing_cells: int
    completions: int
    mass_left_out: float
    drawn_rows: int
    rounds: int
    repeats: bool
    entropy: float


@dataclass(frozen=True)
class RowRepeats:
    """Rows that repeat as no sample does.

    distinct, rows : how many different rows there are, of how many
    expected : different rows that the model expects among so many; None where it was not asked
    divisor : that the counts of all different rows share; 1 where they share none
    is_accepted : whether the user says that the rows are real
    """

    kind: RepeatKind
    distinct: int
    rows: int
    expected: float | None = None
    divisor: int = 1
    is_accepted: bool = False
