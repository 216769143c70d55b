"""Formulas over the distribution of measured variables: conditional probabilities, products, sums and ratios.

    Sum(("m",), (Probability(("m",), ("x",)), Probability(("y",), ("m",))))     Σ_m P(m | x) P(y | m)

A formula gives a table with an axis for every variable that it leaves free.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.errors import OptionError

Names = tuple[str, ...]
MAX_AXES = 30  # of numpy's sums over products
MAX_CELLS = 20_000_000  # of one table


@dataclass(frozen=True)
class Probability:
    """P(of | given)."""

    of: Names
    given: Names = ()

    @property
    def free(self) -> frozenset[str]:
        return frozenset((*self.of, *self.given))


@dataclass(frozen=True)
class Sum:
    """The sum of a product over the values of some variables; a product alone where there are none."""

    over: Names
    factors: tuple[Expression, ...]

    @property
    def free(self) -> frozenset[str]:
        return free_of(self.factors) - set(self.over)


@dataclass(frozen=True)
class Ratio:
    """One formula over another."""

    top: Expression
    bottom: Expression

    @property
    def free(self) -> frozenset[str]:
        return self.top.free | self.bottom.free


Expression = Probability | Sum | Ratio


class Distribution(Protocol):
    """Where the probabilities of measured variables come from."""

    def marginal(self, names: Names) -> FloatArray:
        """P(names), an axis for each."""


class EmptyCells(NamedTuple):
    """A conditional probability without rows for some states of what is given."""

    term: Probability
    n_empty: int
    n_cells: int


@dataclass
class Evaluation:
    """Evaluates formulas on a distribution, and notes where a condition never occurs: its probability counts as 0."""

    distribution: Distribution
    empty: dict[Probability, EmptyCells] = field(default_factory=dict)

    def table(self, expression: Expression, axes: Names) -> FloatArray:
        """The values with these axes, which must be all that the formula leaves free; others have length one."""
        names, values = self._evaluate(expression)
        order = [names.index(name) for name in axes if name in names]
        shape = iter(np.transpose(values, order).shape)
        return np.transpose(values, order).reshape([next(shape) if name in names else 1 for name in axes])

    def _evaluate(self, expression: Expression) -> tuple[Names, FloatArray]:
        match expression:
            case Probability():
                return (*expression.given, *expression.of), self._conditional(expression)
            case Sum():
                return self._sum(expression)
            case Ratio():
                axes = tuple(sorted(expression.free))
                _check(axes)
                top, bottom = self.table(expression.top, axes), self.table(expression.bottom, axes)
                return axes, _divide(*np.broadcast_arrays(top, bottom))

    def _conditional(self, term: Probability) -> FloatArray:
        joint = self.distribution.marginal((*term.given, *term.of))
        below = joint.sum(axis=tuple(range(len(term.given), joint.ndim)), keepdims=True)
        n_empty = int(np.count_nonzero(below <= 0))
        if n_empty and term.given:
            self.empty[term] = EmptyCells(term, n_empty, below.size)
        return _divide(joint, np.broadcast_to(below, joint.shape))

    def _sum(self, expression: Sum) -> tuple[Names, FloatArray]:
        axes = tuple(sorted(expression.free))
        number = {name: i for i, name in enumerate(sorted(free_of(expression.factors)))}
        _check(tuple(number))
        operands: list[Any] = []
        for factor in expression.factors:
            names, values = self._evaluate(factor)
            operands += [values, [number[name] for name in names]]
        if not operands:
            return (), np.ones(())
        total = np.einsum(*operands, [number[name] for name in axes], optimize="greedy")
        return axes, np.asarray(total, dtype=np.float64)


def _divide(top: FloatArray, bottom: FloatArray) -> FloatArray:
    return np.divide(top, bottom, out=np.zeros(top.shape), where=bottom > 0)


def _check(axes: Names) -> None:
    if len(axes) > MAX_AXES:
        raise OptionError(
            f"the formula joins {len(axes)} variables, more than can be summed over; ask a DAG with fewer edges"
        )


def free_of(factors: Iterable[Expression]) -> frozenset[str]:
    """The variables that a product leaves free."""
    return frozenset().union(*(factor.free for factor in factors))


def sum_out(over: Iterable[str], factors: Sequence[Expression]) -> tuple[Expression, ...]:
    """The sum of a product, with what sums to one left out."""
    left, kept = set(over), list(factors)
    changed = True
    while changed:
        changed = False
        for name in sorted(left):
            inside = [factor for factor in kept if name in factor.free]
            if len(inside) == 1 and isinstance(inside[0], Probability) and inside[0].of == (name,):
                kept.remove(inside[0])
                left.discard(name)
                changed = True
    needed = tuple(sorted(left & free_of(kept)))
    if not needed:
        return tuple(kept)
    outside = [factor for factor in kept if not factor.free & set(needed)]
    return (*outside, Sum(needed, tuple(factor for factor in kept if factor.free & set(needed))))


def terms_of(expression: Expression) -> Iterator[Probability]:
    """Every conditional probability in the formula."""
    match expression:
        case Probability():
            yield expression
        case Sum():
            for factor in expression.factors:
                yield from terms_of(factor)
        case Ratio():
            yield from terms_of(expression.top)
            yield from terms_of(expression.bottom)


def formula_text(expression: Expression, taken: frozenset[str] | None = None) -> str:
    """The formula in a line; a variable summed over inside while it has a value outside is primed."""
    taken = expression.free if taken is None else taken
    return _text(expression, {name: name for name in taken})


def _text(expression: Expression, called: dict[str, str]) -> str:
    match expression:
        case Probability():
            of = ", ".join(called.get(name, name) for name in expression.of)
            given = ", ".join(called.get(name, name) for name in expression.given)
            return f"P({of} | {given})" if given else f"P({of})"
        case Sum():
            inner = {**called, **{name: called[name] + "'" if name in called else name for name in expression.over}}
            product = " ".join(_bracketed(factor, inner) for factor in expression.factors)
            names = ", ".join(inner[name] for name in expression.over)
            return f"Σ_{{{names}}} {product}" if names else product
        case Ratio():
            return f"[{_text(expression.top, called)}] / [{_text(expression.bottom, called)}]"


def _bracketed(expression: Expression, called: dict[str, str]) -> str:
    text = _text(expression, called)
    return f"({text})" if isinstance(expression, Sum) and expression.over else text
