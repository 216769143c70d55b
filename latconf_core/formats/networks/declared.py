"""Variables as a file of a network declares them, and the network that comes of them: every format is checked alike."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.dag.bayes_net import SUM_TOLERANCE, BayesNet, Cpt
from latconf_core.errors import FileFormatError, GraphError
from latconf_core.formats.networks.safe_names import decode_name
from latconf_core.graph.mixed import MAX_NODES

ROUNDING_TOLERANCE = 0.02  # rows of published tables rounded to two digits: rescaled; further off is an error
MAX_PARENTS = 31  # numpy's arrays have at most 32 axes in all its versions
MAX_CELLS = 5_000_000  # of all tables together


@dataclass(frozen=True)
class Declared:
    """A variable under the names that the file uses.

    numbers : its table, flat: the states fastest, then the last parent
    line : where it stands, where the format tells
    real_name, real_states : percent-encoded, as our writers keep what a format cannot hold; None where it can
    """

    name: str
    states: tuple[str, ...]
    parents: tuple[str, ...]
    numbers: FloatArray
    line: int | None = None
    is_latent: bool = False
    real_name: str | None = None
    real_states: str | None = None


def build_network(variables: Sequence[Declared], *, name: str) -> BayesNet:
    """The network under its real names; FileFormatError names the variable that is wrong."""
    declared: dict[str, Declared] = {}
    for node in variables:
        if node.name in declared:
            raise FileFormatError(f"the variable {node.name!r} is declared twice", line=node.line)
        declared[node.name] = node
    if not declared:
        raise FileFormatError("the file has no variable with states and probabilities")
    names = {
        key: key if variable.real_name is None else decode_name(variable.real_name)
        for key, variable in declared.items()
    }
    latents = [names[key] for key, variable in declared.items() if variable.is_latent]
    _check_sizes(declared)
    cpts = [_make_cpt(variable, declared, names) for variable in declared.values()]
    try:
        return BayesNet(cpts, name=name or "unknown", latents=latents)
    except (GraphError, ValueError) as error:
        raise FileFormatError(str(error)) from None


def _check_sizes(declared: Mapping[str, Declared]) -> None:
    """Refuse parents that are not there, and more tables or larger ones than can be held."""
    if len(declared) > MAX_NODES:
        raise FileFormatError(f"there are more than {MAX_NODES:,} variables; latconf reads networks up to that size")
    n_cells = 0
    for node in declared.values():
        unknown = next((parent for parent in node.parents if parent not in declared), None)
        if unknown is not None:
            raise FileFormatError(f"{node.name!r} has the parent {unknown!r}, which is not declared", line=node.line)
        n_cells = check_size(node.name, _shape(node, declared), before=n_cells, line=node.line)


def _shape(node: Declared, declared: Mapping[str, Declared]) -> tuple[int, ...]:
    return (*(len(declared[parent].states) for parent in node.parents), len(node.states))


def _make_cpt(node: Declared, declared: Mapping[str, Declared], names: Mapping[str, str]) -> Cpt:
    shape = _shape(node, declared)
    if node.numbers.size != math.prod(shape):
        expected = f"{math.prod(shape):,} numbers, found {node.numbers.size:,}"
        raise FileFormatError(f"the table of {node.name!r} needs {expected}", line=node.line)
    table = scale_rows(node.numbers.reshape(shape), node.name, line=node.line)
    parents = [names[parent] for parent in node.parents]
    try:
        return Cpt(names[node.name], _real_states(node), parents, table)
    except ValueError as error:
        raise FileFormatError(str(error), line=node.line) from None


def _real_states(declared: Declared) -> tuple[str, ...]:
    if declared.real_states is None:
        return declared.states
    states = tuple(decode_name(part.strip()) for part in declared.real_states.split(","))
    if len(states) != len(declared.states):
        raise FileFormatError(
            f"{declared.name!r} has {len(states)} state names but {len(declared.states)} states", line=declared.line
        )
    return states


def check_size(variable: str, shape: Sequence[int], *, before: int = 0, line: int | None = None) -> int:
    """The cells of all tables so far; a table that could not be held is refused before it is made.

    before : the cells of the tables before it
    """
    n_cells = before + math.prod(shape)
    if len(shape) - 1 > MAX_PARENTS or n_cells > MAX_CELLS:
        problem = f"the table of {variable!r} with {len(shape) - 1} parents would be too large"
        raise FileFormatError(problem, line=line)
    return n_cells


def scale_rows(table: FloatArray, variable: str, *, line: int | None = None) -> FloatArray:
    """The table with rows that are a little off, as published ones are, brought to one; further off is an error."""
    if not np.all((table >= 0) & np.isfinite(table)):
        raise FileFormatError(f"a probability of {variable!r} is negative or not finite", line=line)
    sums = table.sum(axis=-1, keepdims=True)
    if np.any(np.abs(sums - 1) > ROUNDING_TOLERANCE):
        worst = sums.flat[int(np.argmax(np.abs(sums - 1)))]
        raise FileFormatError(f"a row of the probability of {variable!r} sums to {worst:g}, not 1", line=line)
    return np.where(np.abs(sums - 1) > SUM_TOLERANCE, table / sums, table)


def parse_numbers(words: Iterable[str], variable: str, *, line: int | None = None) -> FloatArray:
    """The numbers of a table in the order in which they stand."""
    try:
        return np.array([float(word) for word in words], dtype=np.float64)
    except ValueError as error:
        raise FileFormatError(
            f"the table of {variable!r} contains something other than numbers: {error}", line=line
        ) from None
