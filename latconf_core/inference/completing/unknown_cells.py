"""What the missing cells of rows with one pattern may be: groups of cells that depend on each other, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.control import RunControl
from latconf_core.errors import DataError
from latconf_core.graph.bits import bits, unite
from latconf_core.inference.completing.expected_logs import LogTable

MOST_CONFIGURATIONS = 1 << 12  # of a group that is listed whole; a larger one is drawn from
NUMBERS_AT_ONCE = 1 << 21
MOST_NUMBERS_PER_ROW = 1 << 20  # while a large group is summed out


@dataclass(frozen=True, eq=False)
class Group:
    """Unknown variables that depend on each other given what is seen of a row.

    columns : those that are missing cells, rising
    latents : those that are summed out: latents near the columns
    tables : every table that one of them is in
    """

    columns: tuple[int, ...]
    latents: tuple[int, ...]
    tables: tuple[LogTable, ...]

    @property
    def unknown(self) -> tuple[int, ...]:
        return (*self.columns, *self.latents)

    @property
    def seen(self) -> tuple[int, ...]:
        """The observed columns that say something of the group."""
        return tuple(sorted({v for table in self.tables for v in table.variables} - set(self.unknown)))

    def n_configurations(self, cards: Sequence[int]) -> int:
        """Of its columns."""
        return prod([cards[v] for v in self.columns])


class GroupFinder:
    """Finds the groups of patterns of missing cells under a model; each is made once.

    groups : those that were found
    """

    def __init__(self, tables: Sequence[LogTable], n_columns: int) -> None:
        """For a model's tables; latents are numbered behind the columns."""
        self.groups: list[Group] = []
        self._tables = tables
        self._scopes = [sum(1 << v for v in table.variables) for table in tables]
        self._columns = (1 << n_columns) - 1
        self._latents = unite(self._scopes, (1 << len(tables)) - 1) & ~self._columns
        self._near = [0] * max([n_columns, *(scope.bit_length() for scope in self._scopes)])
        for scope in self._scopes:
            for v in bits(scope):
                self._near[v] |= scope
        self._numbers: dict[int, int] = {}

    def groups_of(self, missing: Sequence[int]) -> list[int]:
        """The numbers of the groups of some missing columns, in the order of their first ones."""
        left = sum(1 << v for v in missing)
        unknown, groups = left | self._latents, []
        while left:
            members = fresh = left & -left
            while fresh:
                fresh = unite(self._near, fresh) & unknown & ~members
                members |= fresh
            left &= ~members
            groups.append(self._number(members))
        return groups

    def _number(self, members: int) -> int:
        number = self._numbers.get(members)
        if number is None:
            number = self._numbers[members] = len(self.groups)
            columns, latents = tuple(bits(members & self._columns)), tuple(bits(members & ~self._columns))
            tables = tuple([table for table, scope in zip(self._tables, self._scopes) if scope & members])
            self.groups.append(Group(columns, latents, tables))
        return number


def find_groups(missing: Sequence[int], tables: Sequence[LogTable], n_columns: int) -> list[Group]:
    """The groups of some missing columns, in the order of their first ones."""
    finder = GroupFinder(tables, n_columns)
    return [finder.groups[number] for number in finder.groups_of(missing)]


def list_group(group: Group, rows: IntArray, cards: Sequence[int]) -> FloatArray | None:
    """The probability of every configuration of the group's columns in each row, (n_rows, n_configurations).

    None where there are too many to list. The first column is the slowest.
    rows : (n_rows, n_columns) codes; those of the group's own columns are not looked at
    """
    shape = [cards[v] for v in group.unknown]
    if prod(shape) > MOST_CONFIGURATIONS:
        return None
    n_listed = prod(shape[: len(group.columns)])
    seen, which = np.unique(rows[:, list(group.seen)], axis=0, return_inverse=True)
    found = np.empty((len(seen), n_listed))
    step = max(1, NUMBERS_AT_ONCE // prod(shape))
    for first in range(0, len(seen), step):
        part = seen[first : first + step]
        logs = np.zeros((len(part), *shape))
        for table in group.tables:
            logs = logs + _at_rows(table, group.unknown, dict(zip(group.seen, part.T)), len(part))
        logs -= logs.max(axis=tuple(range(1, logs.ndim)), keepdims=True)
        shares = np.exp(logs).reshape(len(part), n_listed, -1).sum(axis=2)
        found[first : first + step] = shares / shares.sum(axis=1, keepdims=True)
    return found[which.reshape(-1)]


def _at_rows(table: LogTable, unknown: Sequence[int], seen: dict[int, IntArray], n_rows: int) -> FloatArray:
    """A table at what each row has, with an axis for every unknown, one long where it does not depend on it."""
    open_axes = [axis for axis, v in enumerate(table.variables) if v not in seen]
    fixed = [axis for axis, v in enumerate(table.variables) if v in seen]
    order = sorted(open_axes, key=lambda axis: unknown.index(table.variables[axis]))
    logs = np.transpose(table.logs, [*fixed, *order])
    if fixed:
        logs = logs[tuple(seen[table.variables[axis]] for axis in fixed)]
    else:
        logs = np.broadcast_to(logs, (n_rows, *logs.shape))
    inside = {table.variables[axis] for axis in order}
    return np.expand_dims(logs, [1 + k for k, v in enumerate(unknown) if v not in inside])


def draw_group(
    group: Group, row: IntArray, cards: Sequence[int], *, n_draws: int, rng: np.random.Generator, control: RunControl
) -> tuple[IntArray, float]:
    """Draws of the group's columns in one row, (n_draws, n_columns), exact; and the entropy estimated by them.

    Unknowns are summed out one after the other, the smallest table first, then drawn in the other order.
    """
    seen = {v: row[v : v + 1] for v in group.seen}
    factors = [_factor(table, group.unknown, seen) for table in group.tables]
    kept: list[tuple[int, tuple[int, ...], FloatArray]] = []
    left = set(group.unknown)
    latents = set(group.latents)
    while left:
        control.checkpoint()
        candidates = left & latents or left  # latents first: they are never drawn, and the rest stays exact
        sizes = {v: prod([cards[u] for u in _scope(factors, v)]) for v in candidates}
        variable = min(candidates, key=lambda v: (sizes[v], v))
        if sizes[variable] > MOST_NUMBERS_PER_ROW:
            raise DataError(
                f"a row has {len(group.columns)} missing cells that depend on each other, too many to "
                "complete; drop these rows (missing: drop) or exclude variables"
            )
        scope = _scope(factors, variable)
        whole = _join([f for f in factors if variable in f[0]], scope)
        kept.append((variable, scope, whole))
        peak = whole.max(axis=-1)
        rest = peak + np.log(np.exp(whole - peak[..., None]).sum(axis=-1))
        factors = [f for f in factors if variable not in f[0]]
        factors.append((scope[:-1], rest))
        left.remove(variable)
    return _draw_backwards(group, kept, n_draws=n_draws, rng=rng)


_Factor = tuple[tuple[int, ...], FloatArray]


def _factor(table: LogTable, unknown: Sequence[int], seen: dict[int, IntArray]) -> _Factor:
    logs = _at_rows(table, unknown, seen, 1)[0]
    inside = tuple([v for v in unknown if v in table.variables])
    return inside, logs.reshape([size for size, v in zip(logs.shape, unknown) if v in inside])


def _scope(factors: Sequence[_Factor], variable: int) -> tuple[int, ...]:
    """What the factors with a variable are about, itself last."""
    others = {v for inside, _ in factors if variable in inside for v in inside} - {variable}
    return (*sorted(others), variable)


def _join(factors: Sequence[_Factor], scope: Sequence[int]) -> FloatArray:
    total: FloatArray = np.zeros(())
    for inside, logs in factors:
        order = sorted(range(len(inside)), key=lambda axis: scope.index(inside[axis]))
        spread = np.expand_dims(np.transpose(logs, order), [k for k, v in enumerate(scope) if v not in inside])
        total = total + spread
    return total


def _draw_backwards(
    group: Group,
    kept: Sequence[tuple[int, tuple[int, ...], FloatArray]],
    *,
    n_draws: int,
    rng: np.random.Generator,
) -> tuple[IntArray, float]:
    drawn: dict[int, IntArray] = {}
    log_probability = np.zeros(n_draws)
    for variable, scope, whole in reversed(kept):
        if variable in group.latents:
            continue
        logs = np.broadcast_to(whole, np.broadcast_shapes(whole.shape))
        logs = logs[tuple(drawn[v] for v in scope[:-1])] if len(scope) > 1 else np.tile(logs, (n_draws, 1))
        shares = np.exp(logs - logs.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        chosen = (rng.random((n_draws, 1)) > np.cumsum(shares, axis=1)).sum(axis=1)
        drawn[variable] = np.minimum(chosen, shares.shape[1] - 1)
        log_probability += np.log(shares[np.arange(n_draws), drawn[variable]])
    return np.stack([drawn[column] for column in group.columns], axis=1), float(-log_probability.mean())
