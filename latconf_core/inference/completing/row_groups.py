"""What the missing cells of all rows may be, a group of cells at a time: rows share few groups, but many patterns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.control import RunControl
from latconf_core.inference.completing.expected_logs import LogTable
from latconf_core.inference.completing.unknown_cells import Group, GroupFinder, list_group

NUMBERS_AT_ONCE = 1 << 21
NO_GROUP = -1


@dataclass(frozen=True, eq=False)
class Batch:
    """Rows whose groups have as many configurations.

    rows : rising
    groups : (n_rows, n_groups) numbers of groups
    shares, configurations : per group, (n_rows, n_kept): the most probable configurations, best first
    """

    rows: IntArray
    groups: IntArray
    shares: tuple[FloatArray, ...]
    configurations: tuple[IntArray, ...]


class RowGroups:
    """The groups of every row's missing cells, and the probabilities of what each group may be.

    groups : all of them
    """

    def __init__(
        self,
        rows: IntArray,
        tables: Sequence[LogTable],
        n_states: Sequence[int],
        *,
        most: int,
        control: RunControl,
    ) -> None:
        """The groups of rows, (n_rows, n_columns) codes with −1 where a cell is missing.

        most : how many configurations are kept of a group
        """
        self._rows, self._n_states, self._most, self._control = rows, n_states, most, control
        finder = GroupFinder(tables, rows.shape[1])
        patterns, which = np.unique(rows < 0, axis=0, return_inverse=True)
        numbers = []
        for pattern in patterns:
            control.checkpoint()
            numbers.append(finder.groups_of(np.flatnonzero(pattern).tolist()))
        self.groups: list[Group] = finder.groups
        group_of = np.full((len(patterns), max(map(len, numbers), default=0)), NO_GROUP)
        for line, groups in zip(group_of, numbers):
            line[: len(groups)] = groups
        self._of_row: IntArray = group_of[which.reshape(-1)]
        self._places = np.zeros(self._of_row.shape, dtype=np.int64)  # where its list stands among those as long
        self._widths: IntArray = np.zeros(len(self.groups), dtype=np.int64)  # 0: too many to list
        self._shares: dict[int, FloatArray] = {}
        self._orders: dict[int, IntArray] = {}
        self._list_all()

    def of_row(self, row: int) -> list[Group]:
        """The groups of one row."""
        return [self.groups[number] for number in self._of_row[row].tolist() if number != NO_GROUP]

    def unlisted(self) -> IntArray:
        """The rows that have a group of too many configurations."""
        is_large = np.append(self._widths == 0, False)  # the last is that of NO_GROUP
        return np.flatnonzero(is_large[self._of_row].any(axis=1))

    def batches(self) -> Iterator[Batch]:
        """The rows all of whose groups are listed, in batches that fit into memory."""
        widths = np.append(self._widths, 0)[self._of_row]
        is_incomplete = (self._of_row != NO_GROUP).any(axis=1)
        is_incomplete[self.unlisted()] = False
        chosen = np.flatnonzero(is_incomplete)
        order = np.argsort(-widths[chosen], axis=1, kind="stable")
        shapes, which = np.unique(np.take_along_axis(widths[chosen], order, axis=1), axis=0, return_inverse=True)
        which = which.reshape(-1)
        for number, shape in enumerate(shapes):
            lengths = shape[shape > 0].tolist()
            step = max(1, NUMBERS_AT_ONCE // self._most_at_once(lengths))
            mine = np.flatnonzero(which == number)
            for first in range(0, len(mine), step):
                part = mine[first : first + step]
                yield self._batch(chosen[part], order[part, : len(lengths)], lengths)

    def _most_at_once(self, lengths: Sequence[int]) -> int:
        """How many combinations of groups a row has while they are joined."""
        most = kept = 1
        for length in lengths:
            most, kept = max(most, kept * length), min(kept * length, self._most)
        return most

    def _batch(self, rows: IntArray, order: IntArray, lengths: Sequence[int]) -> Batch:
        places = np.take_along_axis(self._places[rows], order, axis=1)
        return Batch(
            rows,
            np.take_along_axis(self._of_row[rows], order, axis=1),
            tuple(self._shares[length][places[:, k]] for k, length in enumerate(lengths)),
            tuple(self._orders[length][places[:, k]] for k, length in enumerate(lengths)),
        )

    def _list_all(self) -> None:
        """List the configurations of every group in the rows that have it."""
        flat = self._of_row.ravel()
        order = np.argsort(flat, kind="stable")
        ends = np.searchsorted(flat[order], np.arange(len(self.groups) + 1))
        shares: dict[int, list[FloatArray]] = defaultdict(list)
        orders: dict[int, list[IntArray]] = defaultdict(list)
        n_listed: dict[int, int] = defaultdict(int)
        for number, group in enumerate(self.groups):
            cells = order[ends[number] : ends[number + 1]]
            listed = self._list(group, cells // self._of_row.shape[1])
            if listed is None:
                continue
            width = self._widths[number] = listed[0].shape[1]
            shares[width].append(listed[0])
            orders[width].append(listed[1])
            self._places.ravel()[cells] = np.arange(len(cells)) + n_listed[width]
            n_listed[width] += len(cells)
        self._shares = {width: np.concatenate(share) for width, share in shares.items()}
        self._orders = {width: np.concatenate(order) for width, order in orders.items()}

    def _list(self, group: Group, rows: IntArray) -> tuple[FloatArray, IntArray] | None:
        """The most probable configurations of a group in some rows, best first: probabilities and numbers."""
        shares, orders = [], []
        step = max(1, NUMBERS_AT_ONCE // group.n_configurations(self._n_states))
        for first in range(0, len(rows), step):
            self._control.checkpoint()
            listed = list_group(group, self._rows[rows[first : first + step]], self._n_states)
            if listed is None:
                return None
            best = np.argsort(-listed, axis=1, kind="stable")[:, : self._most]
            shares.append(np.take_along_axis(listed, best, axis=1))
            orders.append(best.astype(np.int32))
        return np.concatenate(shares), np.concatenate(orders)


def fill_cells(
    codes: IntArray, groups: Sequence[Group], numbers: IntArray, configurations: IntArray, n_states: Sequence[int]
) -> None:
    """Write what groups are into completions.

    codes : (n_completions, n_columns)
    numbers, configurations : (n_completions, n_groups) of every completion its groups, NO_GROUP behind the last
    """
    flat = numbers.ravel()
    order = np.argsort(flat, kind="stable")
    ends = np.searchsorted(flat[order], np.arange(len(groups) + 1))
    for number, group in enumerate(groups):
        cells = order[ends[number] : ends[number + 1]]
        shape = [n_states[column] for column in group.columns]
        unravel_index = np.unravel_index(configurations.ravel()[cells], shape)
        for column, values in zip(group.columns, unravel_index):
            codes[cells // numbers.shape[1], column] = values
