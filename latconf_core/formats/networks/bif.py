"""Bayesian networks as BIF text, as bnlearn writes it and as JavaBayes, GeNIe and pgmpy write it too.

Labels are trusted, never the order of rows. Names that BIF cannot hold come back from the property lines that
our writer gives them.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NoReturn

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.errors import FileFormatError, GraphError
from latconf_core.files import read_text
from latconf_core.formats.networks.declared import check_size, scale_rows
from latconf_core.formats.networks.safe_names import decode_name
from latconf_core.formats.networks.written_names import LATENT_PROPERTY, NAME_PROPERTY, STATES_PROPERTY
from latconf_core.graph.mixed import MAX_NODES

_COMMENT = re.compile(r'"[^"\n]*"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_NAME = r'"[^"\n]*"|[^\s{}(),;|"]+'
_ITEM = re.compile(r'"([^"\n]*)"|([^\s,|"]+)')
_PROPERTY = r'property\b((?:"[^"]*"|[^;"])*);'


def read_bif(path: str | Path) -> BayesNet:
    """The network of a BIF file, under the names it had when we wrote it."""
    return parse_bif(read_text(path), path=path)


@dataclass
class _Variable:
    name: str
    position: int
    states: tuple[str, ...] = ()
    properties: dict[str, str] = field(default_factory=dict)
    cpt: Cpt | None = None

    @cached_property
    def place(self) -> dict[str, int]:
        """The place of each state, once all are known."""
        return {state: i for i, state in enumerate(self.states)}


class _Scanner:
    """Walks through the text, and knows the line it is on."""

    def __init__(self, text: str, path: str | Path | None) -> None:
        self.path = path
        try:
            self.text = _COMMENT.sub(_blank, text)
        except FileFormatError as error:
            raise FileFormatError(error.problem, path, error.line) from None
        self.position = 0
        self.n_cells = 0  # of the tables so far

    def take(self, pattern: str) -> re.Match[str] | None:
        """The pattern if it comes next, after blanks."""
        hit = re.compile(rf"\s*{pattern}").match(self.text, self.position)
        if hit:
            self.position = hit.end()
        return hit

    def expect(self, pattern: str, what: str) -> re.Match[str]:
        """The pattern, which must come next."""
        return self.take(pattern) or self.fail_expecting(what)

    def fail_expecting(self, what: str) -> NoReturn:
        """Raise the error that says what should have come next."""
        self.fail(f"expected {what}, found {self._next_word()}")

    def fail(self, problem: str, position: int | None = None) -> NoReturn:
        """Raise the error with the line of the position, or of what comes next."""
        if position is None:
            position = self.position + len(self._blanks())
        raise FileFormatError(problem, self.path, self.text.count("\n", 0, position) + 1)

    def _blanks(self) -> str:
        rest = self.text[self.position :]
        return rest[: len(rest) - len(rest.lstrip())]

    def _next_word(self) -> str:
        words = self.text[self.position : self.position + 200].split(maxsplit=1)
        return repr(words[0][:40]) if words else "the end of the file"


def _blank(comment: re.Match[str]) -> str:
    text = comment.group()
    if text.startswith("/*") and not (len(text) > 3 and text.endswith("*/")):  # its end is looked for once
        line = comment.string.count("\n", 0, comment.start()) + 1
        raise FileFormatError("a comment that begins here with '/*' has no end", line=line)
    return text if text.startswith('"') else " " + "\n" * text.count("\n")


def parse_bif(text: str, *, path: str | Path | None = None) -> BayesNet:
    """The network of a BIF text; `path` is only named in errors."""
    scanner = _Scanner(text, path)
    name = _read_network_block(scanner)
    variables: dict[str, _Variable] = {}
    while not scanner.take(r"\Z"):
        if len(variables) > MAX_NODES:
            scanner.fail(f"there are more than {MAX_NODES:,} variables; latconf reads networks up to that size")
        if scanner.take(r"variable\b"):
            _read_variable(scanner, variables)
        elif scanner.take(r"probability\b"):
            _read_probability(scanner, variables)
        else:
            scanner.fail_expecting("'variable' or 'probability'")
    return _build_network(scanner, name, variables)


def _read_network_block(scanner: _Scanner) -> str:
    scanner.expect(r"network\b", "'network' at the start of a BIF file")
    name = _plain(scanner.take(_group(_NAME)))
    scanner.expect(r"\{", "'{' after the network's name")
    properties: dict[str, str] = {}
    while not scanner.take(r"\}"):
        _read_property(scanner, properties, "'property' or '}'")
    return decode_name(properties.get(NAME_PROPERTY, name)) or "unknown"


def _read_property(scanner: _Scanner, properties: dict[str, str], what: str) -> None:
    content = scanner.expect(_PROPERTY, what).group(1).strip().strip('"')
    key, _, value = content.partition("=")
    properties[key.strip()] = value.strip()


def _read_variable(scanner: _Scanner, variables: dict[str, _Variable]) -> None:
    name = _plain(scanner.expect(_group(_NAME), "the name of a variable"))
    if name in variables:
        scanner.fail(f"the variable {name!r} is declared twice", scanner.position)
    variable = variables[name] = _Variable(name, scanner.position)
    scanner.expect(r"\{", f"'{{' after 'variable {name}'")
    while not (end := scanner.take(r"\}")):
        if scanner.take(r"type\b"):
            variable.states = _read_states(scanner, name)
        else:
            _read_property(scanner, variable.properties, "'type', 'property' or '}'")
    if not variable.states:
        scanner.fail(f"the variable {name!r} has no 'type discrete' line", end.end())


def _read_states(scanner: _Scanner, name: str) -> tuple[str, ...]:
    scanner.expect(r"discrete\b", "'discrete'; other types of variables cannot be used")
    declared = int(scanner.expect(r"\[\s*([0-9]{1,9})\s*\]", "the number of states in brackets").group(1))
    listed = scanner.expect(r"\{([^{}]*)\}\s*;?", "the states in braces")
    states = _items(listed.group(1), declared)
    if len(states) != declared:
        scanner.fail(f"{name!r} declares {declared} states but lists {len(states)}", listed.start(1))
    if len(set(states)) != len(states):
        scanner.fail(f"{name!r} lists a state twice", listed.start(1))
    return states


def _items(text: str, count: int) -> tuple[str, ...]:
    """The items of a list: between commas where that gives the count, else words."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) == count and all(parts) and '"' not in text:
        return tuple(parts)
    return tuple(match.group(1) or match.group(2) or "" for match in _ITEM.finditer(text))


def _read_probability(scanner: _Scanner, variables: dict[str, _Variable]) -> None:
    header = scanner.expect(r"\(([^()]*)\)\s*\{", "the variable and its parents in parentheses, then '{'")
    child, *parents = _items(header.group(1), -1) or [""]
    for name in (child, *parents):
        if name not in variables:
            scanner.fail(f"the variable {name!r} is not declared", header.start(1))
    if variables[child].cpt is not None:
        scanner.fail(f"{child!r} has two probability blocks", header.start(1))
    if len({child, *parents}) != len(parents) + 1:
        scanner.fail(f"the probability of {child!r} names a variable twice", header.start(1))
    table = _Table(scanner, variables[child], [variables[name] for name in parents])
    while not scanner.take(r"\}"):
        table.read_entry()
    variables[child].cpt = Cpt(child, variables[child].states, parents, table.complete(header.start(1)))


class _Table:
    """Collects the entries of one probability block."""

    def __init__(self, scanner: _Scanner, child: _Variable, parents: Sequence[_Variable]) -> None:
        self.scanner = scanner
        self.child = child
        self.parents = parents
        self.shape = (*(len(parent.states) for parent in parents), len(child.states))
        try:
            scanner.n_cells = check_size(child.name, self.shape, before=scanner.n_cells)
        except FileFormatError as error:
            scanner.fail(error.problem)
        self.values: FloatArray = np.full(self.shape, np.nan)
        self.default: FloatArray | None = None

    def read_entry(self) -> None:
        scanner = self.scanner
        if scanner.take(r"table\b"):
            # The order of the format's definition: the child slowest, the last parent fastest.
            numbers = self._numbers(int(np.prod(self.shape)))
            self.values = np.moveaxis(numbers.reshape((self.shape[-1], *self.shape[:-1])), 0, -1).copy()
        elif scanner.take(r"default\b"):
            self.default = self._numbers(self.shape[-1])
        elif labels := scanner.take(r"\(([^()]*)\)"):
            row = self._row(labels)
            if not np.isnan(self.values[row]).all():
                scanner.fail(f"the row ({labels.group(1).strip()}) is given twice", labels.start(1))
            self.values[row] = self._numbers(self.shape[-1])
        else:
            _read_property(scanner, {}, "a row such as '(yes, no) 0.1, 0.9;', 'table', 'default' or '}'")

    def _row(self, labels: re.Match[str]) -> tuple[int, ...]:
        items = _items(labels.group(1), len(self.parents))
        if len(items) != len(self.parents):
            problem = f"the row has {len(items)} labels, but {self.child.name!r} has {len(self.parents)} parents"
            self.scanner.fail(problem, labels.start(1))
        for parent, label in zip(self.parents, items):
            if label not in parent.place:
                self.scanner.fail(f"{label!r} is not a state of {parent.name!r}", labels.start(1))
        return tuple(parent.place[label] for parent, label in zip(self.parents, items))

    def _numbers(self, count: int) -> FloatArray:
        expect = self.scanner.expect(r"([^;{}()]*);", "numbers that end with ';'")
        words = expect.group(1).replace(",", " ").split()
        try:
            numbers = np.array([float(word) for word in words], dtype=np.float64)
        except ValueError as error:
            self.scanner.fail(f"expected numbers: {error}", expect.start(1))
        if len(numbers) != count:
            self.scanner.fail(f"{self.child.name!r} needs {count} numbers here, found {len(numbers)}", expect.start(1))
        if not np.all((numbers >= 0) & np.isfinite(numbers)):
            self.scanner.fail("a probability is negative or not finite", expect.start(1))
        return numbers

    def complete(self, position: int) -> FloatArray:
        """The whole table; rows that are not given take the default."""
        missing = np.isnan(self.values).any(axis=-1)
        if self.default is not None:
            self.values[missing] = self.default
        elif missing.any():
            labels = [parent.states[i] for parent, i in zip(self.parents, np.argwhere(missing)[0])]
            wanted = f"the row ({', '.join(labels)})" if labels else "its 'table' line"
            self.scanner.fail(f"the probability of {self.child.name!r} lacks {wanted}", position)
        try:
            return scale_rows(self.values, self.child.name)
        except FileFormatError as error:
            self.scanner.fail(error.problem, position)


def _build_network(scanner: _Scanner, name: str, variables: dict[str, _Variable]) -> BayesNet:
    """The network under the names of the property lines."""
    names = {key: decode_name(value.properties.get(NAME_PROPERTY, key)) for key, value in variables.items()}
    latents = [names[key] for key, value in variables.items() if LATENT_PROPERTY in value.properties]
    cpts = []
    for variable in variables.values():
        if variable.cpt is None:
            scanner.fail(f"the variable {variable.name!r} has no probability block", variable.position)
        parents = [names[parent] for parent in variable.cpt.parents]
        cpts.append((names[variable.name], _read_real_states(scanner, variable), parents, variable.cpt.table))
    try:
        return BayesNet(itertools.starmap(Cpt, cpts), name=name, latents=latents)
    except (GraphError, ValueError) as error:
        raise FileFormatError(str(error), scanner.path) from None


def _read_real_states(scanner: _Scanner, variable: _Variable) -> tuple[str, ...]:
    listed = variable.properties.get(STATES_PROPERTY)
    if listed is None:
        return variable.states
    states = tuple(decode_name(part.strip()) for part in listed.split(","))
    if len(states) != len(variable.states):
        scanner.fail(
            f"the property {STATES_PROPERTY} of {variable.name!r} lists {len(states)} states", variable.position
        )
    return states


def _group(pattern: str) -> str:
    return f"(?:{pattern})"


def _plain(match: re.Match[str] | None) -> str:
    return match.group().strip().strip('"') if match else ""
