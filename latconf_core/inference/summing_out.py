"""Sums variables out of the tables of a network, exactly and for many rows at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.dag.bayes_net import Cpt

NUMBERS_AT_ONCE = 1 << 20  # of the largest table while variables are summed out: some milliseconds


@dataclass(frozen=True, eq=False)
class Factor:
    """Logs of a table for every row: the first axis, then one per variable that is not known."""

    variables: tuple[str, ...]
    logs: FloatArray


def make_factor(cpt: Cpt, codes: Mapping[str, IntArray], hidden: frozenset[str]) -> Factor:
    """A table at the known states of each row, (n_rows,) per variable; its hidden variables are left open."""
    axes = (*cpt.parents, cpt.variable)
    left_open = tuple(name for name in axes if name in hidden)
    first = [index for index, name in enumerate(axes) if name not in hidden]
    table = np.transpose(cpt.table, [*first, *(axes.index(name) for name in left_open)])
    if not first:
        return Factor(left_open, log_table(table)[None])
    return Factor(left_open, log_table(table[tuple(codes[axes[index]] for index in first)]))


def evidence_factor(variable: str, codes: IntArray, n_states: int) -> Factor:
    """What is known of a variable that is missing in some rows only: 0 for the states it may have, else −∞.

    codes : (n_rows,) −1 where it is missing
    """
    allowed = (codes[:, None] == np.arange(n_states)) | (codes < 0)[:, None]
    return Factor((variable,), np.where(allowed, 0.0, -np.inf))


def elimination_order(
    scopes: Iterable[frozenset[str]], variables: Iterable[str], n_states: Mapping[str, int]
) -> tuple[list[str], int]:
    """The variables in the order in which they are summed out, the smallest table first, and the largest table."""
    present, left, order, largest = set(scopes), set(variables), [], 1

    def joined(variable: str) -> frozenset[str]:
        return frozenset().union(*(scope for scope in present if variable in scope))

    while left:
        sizes = {variable: prod(n_states[name] for name in joined(variable)) for variable in left}
        variable = min(left, key=lambda name: (sizes[name], name))
        largest = max(largest, sizes[variable])
        scope = joined(variable) - {variable}
        present = {other for other in present if variable not in other} | {scope}
        left.remove(variable)
        order.append(variable)
    return order, largest


def sum_out(factors: Sequence[Factor], order: Sequence[str]) -> Factor:
    """The log of the sum over some variables of the product of the factors, for every row; the others stay open."""
    present = list(factors)
    for variable in order:
        scope = tuple(
            dict.fromkeys(
                name
                for factor in present
                if variable in factor.variables
                for name in factor.variables
                if name != variable
            )
        )
        product = multiply([factor for factor in present if variable in factor.variables], (*scope, variable))
        present = [factor for factor in present if variable not in factor.variables]
        present.append(Factor(scope, np.logaddexp.reduce(product, axis=-1)))
    left_open = tuple(dict.fromkeys(name for factor in present for name in factor.variables))
    return Factor(left_open, multiply(present, left_open))


def multiply(factors: Iterable[Factor], scope: Sequence[str]) -> FloatArray:
    """The logs of a product, (n_rows or 1, states of each variable of the scope…)."""
    total: FloatArray = np.zeros((1,) * (1 + len(scope)))
    for factor in factors:
        total = total + _spread(factor, scope)
    return total


def _spread(factor: Factor, scope: Sequence[str]) -> FloatArray:
    """The factor with an axis for every variable of the scope, one long where it does not depend on it."""
    present = [name for name in scope if name in factor.variables]
    logs = np.transpose(factor.logs, [0, *(1 + factor.variables.index(name) for name in present)])
    places = [1 + index for index, name in enumerate(scope) if name not in factor.variables]
    return np.expand_dims(logs, places)


def log_table(table: FloatArray) -> FloatArray:
    """The logs of probabilities, −∞ for 0."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(table))
