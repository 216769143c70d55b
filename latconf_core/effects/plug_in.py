"""The value of a formula on a table, what of the formula has no rows, and its interval by the bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.effects.distributions import RowShares
from latconf_core.effects.effect_question import EffectQuestion, Ends, Pair, ends_of
from latconf_core.effects.expressions import Distribution, EmptyCells, Evaluation, Expression, formula_text, terms_of
from latconf_core.errors import DataError

OnDraw = Callable[[int, int], None]  # how many draws are done, of how many
N_DRAWS = 200
TAIL = 0.025  # left out on each side: 95 % intervals
LEAST_DRAWS = 40  # with fewer an interval says nothing


def ignore_draws(done: int, total: int) -> None:
    """Nobody wants to know how far the draws are."""


@dataclass(frozen=True)
class PlugIn:
    """A formula with the shares of rows put in.

    missing : of the weight that lies in cells without rows, after each intervention; the rest is scaled to one
    empty : the terms with such cells
    interval : by the bootstrap of rows, 95 %; None where it was not drawn
    n_draws : of the interval, those that had rows where the formula needs them
    """

    value: Pair
    missing: Pair
    empty: tuple[EmptyCells, ...]
    n_rows: float
    interval: Ends | None = None
    n_draws: int = 0

    def to_json(self) -> dict[str, Any]:
        """Everything by name."""
        return {
            "value": self.value.to_json(),
            "missing": [self.missing.first, self.missing.second],
            "empty_cells": [
                {"term": formula_text(term.term), "empty": term.n_empty, "cells": term.n_cells} for term in self.empty
            ],
            "rows": self.n_rows,
            "interval": None if self.interval is None else self.interval.to_json(),
            "draws": self.n_draws,
        }


def plug_in(
    expression: Expression,
    question: EffectQuestion,
    dataset: Dataset,
    *,
    n_draws: int = N_DRAWS,
    seed: int = 0,
    control: RunControl | None = None,
    on_draw: OnDraw = ignore_draws,
) -> PlugIn:
    """The value on the rows of a table, with a bootstrap interval unless no draws are wanted.

    on_draw : told after each draw
    DataError where no row has what the formula needs.
    """
    control = control or RunControl()
    names = {name for term in terms_of(expression) for name in (*term.of, *term.given)}
    shares = RowShares.of(dataset, sorted({*names, question.cause, question.effect}))
    states = _state_codes(dataset, question)
    value, missing, empty = value_of(expression, question, shares, states)
    if value is None:
        raise DataError(
            f"no rows with {question.cause} = {question.first} or {question.second} have what the formula needs"
        )
    rng, pairs = np.random.default_rng(seed), []
    for number in range(n_draws):
        control.checkpoint()
        on_draw(number, n_draws)
        drawn, _, _ = value_of(expression, question, shares.drawn_anew(rng), states)
        if drawn is not None:
            pairs.append(drawn)
    interval = ends_of(pairs, TAIL) if len(pairs) >= LEAST_DRAWS else None
    return PlugIn(value, missing, empty, shares.n_rows, interval, len(pairs))


def _state_codes(dataset: Dataset, question: EffectQuestion) -> tuple[int, int, int]:
    """The positions of the two states of the cause and of the state of the effect in the table."""
    states = dict(zip(dataset.names, dataset.states))
    codes = []
    for name, state in (
        (question.cause, question.first),
        (question.cause, question.second),
        (question.effect, question.state),
    ):
        if state not in states[name]:
            raise DataError(
                f"{name!r} has no state {state!r} in the table; give the table that the model was learned from"
            )
        codes.append(states[name].index(state))
    return codes[0], codes[1], codes[2]


def value_of(
    expression: Expression, question: EffectQuestion, distribution: Distribution, states: Sequence[int]
) -> tuple[Pair | None, Pair, tuple[EmptyCells, ...]]:
    """The two probabilities, the weight that lies in empty cells, and the terms that have some; None without rows."""
    evaluation = Evaluation(distribution)
    table = evaluation.table(expression, (question.cause, question.effect))
    first, second, effect = states
    rows = [table[min(state, table.shape[0] - 1)] for state in (first, second)]
    totals = [float(row.sum()) for row in rows]
    missing = Pair(*(max(0.0, 1 - total) if total < 1 - 1e-9 else 0.0 for total in totals))
    empty = tuple(evaluation.empty.values())
    if min(totals) <= 0:
        return None, missing, empty
    return Pair(*(float(row[effect]) / total for row, total in zip(rows, totals))), missing, empty
