"""Lays the families of a component out on its distinct rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.compiled import numba
from latconf_core.counts.kernels import distinct_keys, positions
from latconf_core.score.kernels.vbem import Problem, expect, make_workspace


class Structure(NamedTuple):
    """What a component's families are, whatever the data; those of latents stand last, without columns last of all.

    first : (n_families + 1,) where each family's columns begin in `columns`
    columns : places of the observed parents, then of the child where it is observed
    cards : number of states of each column of the rows
    n_latent : cells of a line
    own : states of the child where it is latent, else 0
    prior_first, prior : the Dirichlet parameters of one configuration of each family
    """

    first: IntArray
    columns: IntArray
    cards: IntArray
    n_latent: IntArray
    own: IntArray
    prior_first: IntArray
    prior: FloatArray


class RowIndex(NamedTuple):
    """What each row has of a family, (n_families, n_rows).

    line : its place among the family's lines
    block : its configuration of observed parents, as a place among the seen ones
    state : the child's state; 0 where it is latent
    """

    line: IntArray
    block: IntArray
    state: IntArray


@numba.njit(nogil=True, cache=True)
def _see(codes: IntArray, structure: Structure) -> tuple[RowIndex, IntArray, IntArray]:
    """What the rows have of every family; the different lines of all families as numbers, and where each begins."""
    n_families, n_rows = structure.own.size, codes.shape[0]
    line, block = np.empty((n_families, n_rows), dtype=np.int64), np.empty((n_families, n_rows), dtype=np.int64)
    state = np.zeros((n_families, n_rows), dtype=np.int64)
    seen = np.empty(n_families * n_rows, dtype=np.int64)
    first = np.zeros(n_families + 1, dtype=np.int64)
    for f in range(n_families):
        keys = np.zeros(n_rows, dtype=np.int64)
        for k in range(structure.first[f], structure.first[f + 1]):
            column = structure.columns[k]
            for i in range(n_rows):
                keys[i] = keys[i] * structure.cards[column] + codes[i, column]
        distinct = distinct_keys(keys)
        line[f] = positions(keys, distinct)
        seen[first[f] : first[f] + distinct.size] = distinct
        first[f + 1] = first[f] + distinct.size
        n_states = 1
        if structure.own[f] == 0:
            child = structure.columns[structure.first[f + 1] - 1]
            n_states = structure.cards[child]
            state[f] = codes[:, child]
        of_line = np.zeros(distinct.size, dtype=np.int64)
        for k in range(1, distinct.size):
            of_line[k] = of_line[k - 1] + (1 if distinct[k] // n_states != distinct[k - 1] // n_states else 0)
        block[f] = of_line[line[f]]
    return RowIndex(line, block, state), seen[: first[n_families]], first


class _Cells(NamedTuple):
    """The cells of all families, one after the other.

    prior : the Dirichlet parameter of each cell
    group : the Dirichlet of each cell, as a place in `rest`
    rest : of each Dirichlet the prior of the states that no row has
    block_first, block_lines, block_latent : of each block its first cell, its lines and the cells of a line
    n_observed_blocks : those of observed children, which stand first
    """

    prior: FloatArray
    group: IntArray
    rest: FloatArray
    block_first: IntArray
    block_lines: IntArray
    block_latent: IntArray
    n_observed_blocks: int


@numba.njit(nogil=True, cache=True)
def _lay_cells(structure: Structure, seen: IntArray, seen_first: IntArray, offsets: IntArray) -> _Cells:
    """The cells of every line that was seen, in blocks of one configuration of observed parents each."""
    n_families = structure.own.size
    prior = np.empty(offsets[n_families])
    group = np.empty(offsets[n_families], dtype=np.int64)
    rest = np.zeros(offsets[n_families])
    blocks = np.zeros((3, seen.size), dtype=np.int64)
    n_groups, n_blocks, n_observed_blocks = 0, 0, 0
    for f in range(n_families):
        is_own, n_latent = structure.own[f], structure.n_latent[f]
        of_states = structure.prior[structure.prior_first[f] : structure.prior_first[f + 1]]
        n_states = of_states.size if is_own == 0 else 1
        cell = offsets[f]
        n_own = n_latent if is_own == 0 else n_latent // is_own  # Dirichlets of a block
        for k in range(seen_first[f], seen_first[f + 1]):
            if k == seen_first[f] or seen[k] // n_states != seen[k - 1] // n_states:
                blocks[0, n_blocks] = cell
                blocks[2, n_blocks] = n_latent
                n_blocks += 1
                if is_own == 0:
                    rest[n_groups : n_groups + n_own] = of_states.sum()
                n_groups += n_own
            blocks[1, n_blocks - 1] += 1
            for latent in range(n_latent):
                if is_own == 0:
                    group[cell] = n_groups - n_own + latent
                    prior[cell] = of_states[seen[k] % n_states]
                    rest[group[cell]] -= prior[cell]
                else:
                    group[cell] = n_groups - n_own + latent // is_own
                    prior[cell] = of_states[latent % is_own]
                cell += 1
        if is_own == 0:
            n_observed_blocks = n_blocks
    first, lines, latents = blocks[0, :n_blocks].copy(), blocks[1, :n_blocks].copy(), blocks[2, :n_blocks].copy()
    return _Cells(prior, group, np.maximum(rest[:n_groups], 0.0), first, lines, latents, n_observed_blocks)


@numba.njit(nogil=True, cache=True)
def lay_out(
    codes: IntArray,
    weights: FloatArray,
    structure: Structure,
    states: IntArray,
    tree: IntArray,
    factor_first: IntArray,
    factors: IntArray,
    q_first: IntArray,
) -> tuple[Problem, RowIndex, IntArray, IntArray, IntArray]:
    """The problem, what the rows have of each family, its lines (see `_see`), and the first cell of each family."""
    row_index, seen, seen_first = _see(codes, structure)
    n_families, n_rows = structure.own.size, codes.shape[0]
    offsets = np.zeros(n_families + 1, dtype=np.int64)
    row_cells = np.empty((n_rows, n_families), dtype=np.int64)
    line_weight = np.zeros(seen.size)
    n_looking = 0
    for f in range(n_families):
        n_latent = structure.n_latent[f]
        offsets[f + 1] = offsets[f] + (seen_first[f + 1] - seen_first[f]) * n_latent
        for i in range(n_rows):
            row_cells[i, f] = offsets[f] + row_index.line[f, i] * n_latent
            line_weight[seen_first[f] + row_index.line[f, i]] += weights[i]
        if structure.first[f + 1] > structure.first[f]:
            n_looking = f + 1
    cells = _lay_cells(structure, seen, seen_first, offsets)
    problem = Problem(
        weights,
        row_cells,
        n_looking,
        states,
        tree,
        factor_first,
        factors,
        q_first,
        cells.prior,
        cells.group,
        cells.rest,
        line_weight,
        cells.block_first,
        cells.block_lines,
        cells.block_latent,
        cells.n_observed_blocks,
        np.zeros(1),
    )
    problem.constant[0] = -expect(problem, cells.prior, np.empty_like(cells.prior), make_workspace(problem))
    return problem, row_index, seen, seen_first, offsets
