"""Rows with missing cells become their completions, weighed by a VB-E step under a model (exp E[log θ])."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from latconf_core.arrays import BoolArray, FloatArray, IntArray
from latconf_core.control import RunControl
from latconf_core.data.completed_dataset import CompletedDataset
from latconf_core.data.dataset import Dataset
from latconf_core.inference.completing.expected_logs import LogTable
from latconf_core.inference.completing.row_groups import Batch, RowGroups, fill_cells
from latconf_core.inference.completing.unknown_cells import Group, draw_group, list_group

MASS = 0.99  # of a row's completions that is kept
MOST_PER_ROW = 200
MOST_COMPLETIONS = 1 << 18  # of all rows: what a search then counts on, and memory
LEAST_PER_ROW = 20  # however many rows there are, so that draws tell something
MOST_BYTES = 1 << 31


@dataclass(frozen=True)
class CompletionPlan:
    """How far rows are completed.

    mass : the share of a row's completions that is kept where these are listed
    most_per_row : completions of a row; one that needs more is drawn
    """

    mass: float = MASS
    most_per_row: int = MOST_PER_ROW
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Completion:
    """Data whose rows were completed, and what that took.

    data : the completed rows, weighted
    entropy : of the completions, in nats, over all rows
    n_completions : of the rows with missing cells
    mass_left_out : share of the weight of the rows with missing cells that their listed completions lack
    n_drawn : how many of the data's rows have draws in place of a list
    """

    data: CompletedDataset
    entropy: float
    n_completions: int
    mass_left_out: float
    n_drawn: int


@dataclass(frozen=True, eq=False)
class _Filled:
    """Completions of some distinct rows."""

    codes: IntArray
    source_of: IntArray
    share: FloatArray
    entropy: FloatArray
    left_out: FloatArray
    is_drawn: bool


def complete_rows(
    source: Dataset,
    tables: Sequence[LogTable],
    n_states: Sequence[int],
    *,
    plan: CompletionPlan | None = None,
    control: RunControl | None = None,
) -> Completion:
    """The data with every row completed under a model.

    tables : of every variable of the model, latents numbered behind the columns
    n_states : of the columns, then of the latents
    """
    plan, control = plan or CompletionPlan(), control or RunControl()
    source.find_distinct(control)
    distinct = source.distinct
    rows = distinct.codes.astype(np.int64)
    counts = np.asarray(distinct.counts, dtype=np.float64)
    is_whole = (rows >= 0).all(axis=1)
    plan = _bounded(plan, int(np.count_nonzero(~is_whole)), source)
    parts = [
        _Filled(
            rows[is_whole],
            np.flatnonzero(is_whole),
            np.ones(int(is_whole.sum())),
            np.zeros(0),
            np.zeros(0),
            is_drawn=False,
        )
    ]
    entropy = left_out = 0.0
    n_drawn = n_completions = 0
    for part in _fill_all(rows, tables, n_states, plan=plan, control=control):
        parts.append(part)
        index = np.unique(part.source_of)
        entropy += float(counts[index] @ part.entropy)
        left_out += float(counts[index] @ part.left_out)
        n_completions += len(part.codes)
        n_drawn += int(counts[index].sum()) if part.is_drawn else 0
    codes = np.concatenate([part.codes for part in parts]).astype(_code_type(source))
    source_of = np.concatenate([part.source_of for part in parts])
    share = np.concatenate([part.share for part in parts])
    n_incomplete = float(counts[~is_whole].sum())
    return Completion(
        CompletedDataset(source, codes, source_of, share),
        entropy,
        n_completions,
        left_out / n_incomplete if n_incomplete else 0.0,
        n_drawn,
    )


def _bounded(plan: CompletionPlan, n_rows: int, source: Dataset) -> CompletionPlan:
    """Fewer completions per row where rows are so many that these would be too many to count on, or to hold."""
    if not n_rows:
        return plan
    bytes_each = 8 * (source.n_variables + 4)  # while they are made
    most = max(min(LEAST_PER_ROW, plan.most_per_row), min(MOST_COMPLETIONS, MOST_BYTES // bytes_each) // n_rows)
    return CompletionPlan(plan.mass, min(plan.most_per_row, most), plan.seed)


def _code_type(source: Dataset) -> type[np.unsignedinteger]:
    return np.uint8 if max(source.n_states) <= 1 << 8 else np.uint16


def _fill_all(
    rows: IntArray, tables: Sequence[LogTable], n_states: Sequence[int], *, plan: CompletionPlan, control: RunControl
) -> Iterator[_Filled]:
    """The completions of the rows with missing cells: listed where few make up the mass, else drawn."""
    known = RowGroups(rows, tables, n_states, most=plan.most_per_row, control=control)
    to_draw = [known.unlisted()]
    for batch in known.batches():
        control.checkpoint()
        chances, configurations = _most_probable(batch, plan.most_per_row)
        is_listed = chances.sum(axis=1) >= min(plan.mass, 1 - 1e-12)
        to_draw.append(batch.rows[~is_listed])
        if is_listed.any():
            yield _listed(rows, batch, is_listed, chances[is_listed], configurations[is_listed], known, n_states, plan)
    for row in np.sort(np.concatenate(to_draw)).tolist():
        control.checkpoint()
        yield _drawn(rows, row, known.of_row(row), n_states, plan, control)


def _entropies(shares: FloatArray) -> FloatArray:
    safe = np.where(shares > 0, shares, 1.0)
    return np.asarray(-(shares * np.log(safe)).sum(axis=1))


def _most_probable(batch: Batch, most: int) -> tuple[FloatArray, IntArray]:
    """The most probable combinations of independent groups, best first.

    Gives (n_rows, n_kept) probabilities and (n_rows, n_kept, n_groups) configurations. Of the best combinations of
    some groups every part is among the best of its group, so that nothing is lost on the way.
    """
    n_rows = len(batch.rows)
    chances = np.ones((n_rows, 1))
    chosen = np.zeros((n_rows, 1, 0), dtype=np.int32)
    for shares, configurations in zip(batch.shares, batch.configurations):
        flat = (chances[:, :, None] * shares[:, None, :]).reshape(n_rows, -1)
        kept = np.argsort(-flat, axis=1, kind="stable")[:, :most]
        before, new = np.divmod(kept, shares.shape[1])
        chances = np.take_along_axis(flat, kept, axis=1)
        earlier = np.take_along_axis(chosen, before[:, :, None], axis=1)
        added = np.take_along_axis(configurations, new, axis=1)
        chosen = np.concatenate([earlier, added[:, :, None]], axis=2)
    return np.asarray(chances), np.asarray(chosen, dtype=np.int64)


def _listed(
    rows: IntArray,
    batch: Batch,
    is_listed: BoolArray,
    chances: FloatArray,
    configurations: IntArray,
    known: RowGroups,
    n_states: Sequence[int],
    plan: CompletionPlan,
) -> _Filled:
    """Completions down to the mass, their shares made to sum to one."""
    before = np.cumsum(chances, axis=1) - chances
    is_kept = (before < plan.mass) & (chances > 0)
    kept = np.where(is_kept, chances, 0.0)
    whole = kept.sum(axis=1)
    shares = kept / whole[:, None]
    row, position = np.nonzero(is_kept)
    part = batch.rows[is_listed]
    codes = rows[part[row]]
    fill_cells(codes, known.groups, batch.groups[is_listed][row], configurations[row, position], n_states)
    # The entropy of what is kept: then score and entropy are a bound, whatever was left out.
    return _Filled(codes, part[row], shares[row, position], _entropies(shares), 1 - whole, is_drawn=False)


def _drawn(
    rows: IntArray,
    row: int,
    groups: Sequence[Group],
    n_states: Sequence[int],
    plan: CompletionPlan,
    control: RunControl,
) -> _Filled:
    """Draws of what the missing cells of one row may be, each with an equal share."""
    n_draws, rng = plan.most_per_row, np.random.default_rng([plan.seed, row])
    codes = np.tile(rows[row], (n_draws, 1))
    entropy = 0.0
    for group in groups:
        listed = list_group(group, rows[row : row + 1], n_states)
        if listed is None:
            drawn, weights = draw_group(group, rows[row], n_states, n_draws=n_draws, rng=rng, control=control)
        else:
            chosen = rng.choice(listed.shape[1], size=n_draws, p=listed[0])
            shape = [n_states[column] for column in group.columns]
            drawn = np.stack(np.unravel_index(chosen, shape), axis=1)
            weights = float(_entropies(listed)[0])
        codes[:, list(group.columns)] = drawn
        entropy += weights
    seen, counts = np.unique(codes, axis=0, return_counts=True)
    share = counts / n_draws
    return _Filled(seen, np.full(len(seen), row), share, np.array([entropy]), np.zeros(1), is_drawn=True)
