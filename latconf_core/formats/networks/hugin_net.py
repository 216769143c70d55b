"""NET, the files of Hugin, which GeNIe, pgmpy and pyAgrum read too.

Numbers are nested in the order of the parents, the states of the variable innermost. Names that an identifier cannot be
stand, percent-encoded, in attributes that our reader takes back and others pass over.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.errors import FileFormatError
from latconf_core.formats.networks.declared import Declared, build_network, parse_numbers
from latconf_core.formats.networks.safe_names import decode_name, encode_name
from latconf_core.formats.networks.written_names import (
    LATENT_PROPERTY,
    NAME_PROPERTY,
    STATES_PROPERTY,
    WrittenNames,
    choose_names,
)

IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
STATE = re.compile(r"[A-Za-z0-9_.+<>=-]+")

_TOKEN = re.compile(r'%[^\n]*|"(?:[^"\\\n]|\\.)*(?:"|\\?$)|[{}()|=;]|[^\s{}()|=;"%]+', re.MULTILINE)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_SIGNS = frozenset("{}()|=;")


@dataclass
class _Node:
    line: int
    attributes: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class _Potential:
    line: int
    parents: tuple[str, ...]
    numbers: list[str]


class _Tokens:
    """The words and signs of the text in their order, and the line of the next."""

    def __init__(self, text: str) -> None:
        matches = (match for match in _TOKEN.finditer(text) if not match.group().startswith("%"))
        self._all = [(match.group(), match.start()) for match in matches]
        self._next = 0
        self._check_quotes(text)
        self._breaks = [match.start() for match in re.finditer("\n", text)]

    def _check_quotes(self, text: str) -> None:
        for word, position in self._all:
            if word.startswith('"') and _STRING.fullmatch(word) is None:
                line = text.count("\n", 0, position) + 1
                raise FileFormatError(f"the quotation mark of {word[:40]!r} is not closed in its line", line=line)

    def __bool__(self) -> bool:
        return self._next < len(self._all)

    @property
    def line(self) -> int:
        position = self._all[min(self._next, len(self._all) - 1)][1] if self._all else 0
        return bisect_left(self._breaks, position) + 1

    def take(self) -> str:
        if not self:
            raise FileFormatError("the file ends in the middle of a block", line=self.line)
        word = self._all[self._next][0]
        self._next += 1
        return word

    def expect(self, sign: str, where: str) -> None:
        line, word = self.line, self.take()
        if word != sign:
            raise FileFormatError(f"expected {sign!r} {where}, found {word[:40]!r}", line=line)

    def until(self, sign: str) -> list[str]:
        words = []
        while (word := self.take()) != sign:
            words.append(word)
        return words


def parse_hugin_net(text: str) -> BayesNet:
    """The network of a NET text: its discrete chance nodes."""
    tokens = _Tokens(text)
    nodes: dict[str, _Node] = {}
    potentials: dict[str, _Potential] = {}
    net: dict[str, list[str]] = {}
    while tokens:
        line, word = tokens.line, tokens.take()
        if word == "potential":
            _read_potential(tokens, potentials, line)
        elif word == "net":
            net = _read_attributes(tokens, "net")
        elif word in ("node", "discrete"):
            _read_node(tokens, nodes, tokens.take() if word == "node" else _after_discrete(tokens), line)
        else:
            _refuse(word, line)
    kept = net.get(NAME_PROPERTY)
    name = _plain(net.get("name", [""])[0]) if kept is None else decode_name(_plain(kept[0]))
    return build_network([_declared(*item, potentials) for item in nodes.items()], name=name)


def _refuse(word: str, line: int) -> None:
    if word in ("utility", "decision", "continuous", "function", "class"):
        raise FileFormatError(f"there is a {word} in the file; latconf reads networks of discrete nodes", line=line)
    raise FileFormatError(f"expected 'net', 'node' or 'potential', found {word[:40]!r}", line=line)


def _after_discrete(tokens: _Tokens) -> str:
    tokens.expect("node", "after 'discrete'")
    return tokens.take()


def _read_node(tokens: _Tokens, nodes: dict[str, _Node], name: str, line: int) -> None:
    if name in nodes:
        raise FileFormatError(f"the node {name!r} is declared twice", line=line)
    nodes[name] = _Node(line, _read_attributes(tokens, name))


def _read_attributes(tokens: _Tokens, owner: str) -> dict[str, list[str]]:
    """The attributes of a block; the words of each, without parentheses."""
    tokens.expect("{", f"after {owner!r}")
    attributes: dict[str, list[str]] = {}
    while (key := tokens.take()) != "}":
        if key in _SIGNS:
            raise FileFormatError(f"expected an attribute of {owner!r} or '}}', found {key!r}", line=tokens.line)
        tokens.expect("=", f"after {key!r}")
        attributes[key] = [word for word in tokens.until(";") if word not in _SIGNS] or [""]
    return attributes


def _read_potential(tokens: _Tokens, potentials: dict[str, _Potential], line: int) -> None:
    tokens.expect("(", "after 'potential'")
    child, *given = [word for word in tokens.until(")") if word != "|"] or [""]
    if child in potentials:
        raise FileFormatError(f"{child!r} has two potentials", line=line)
    data = _read_attributes(tokens, child).get("data")
    if data is None:
        raise FileFormatError(f"the potential of {child!r} has no data", line=line)
    potentials[child] = _Potential(line, tuple(given), data)


def _declared(name: str, node: _Node, potentials: dict[str, _Potential]) -> Declared:
    if name not in potentials:
        raise FileFormatError(f"the node {name!r} has no potential", line=node.line)
    potential = potentials[name]
    kept = {key: _plain(words[0]) for key, words in node.attributes.items()}
    return Declared(
        name,
        tuple(_plain(word) for word in node.attributes.get("states", [])),
        potential.parents,
        parse_numbers(potential.numbers, name, line=potential.line),
        line=potential.line,
        is_latent=LATENT_PROPERTY in kept,
        real_name=kept.get(NAME_PROPERTY),
        real_states=kept.get(STATES_PROPERTY),
    )


def _plain(word: str) -> str:
    """A word without its quotation marks."""
    if len(word) >= 2 and word[0] == word[-1] == '"':
        return re.sub(r"\\(.)", r"\1", word[1:-1])
    return word


def hugin_net_text(network: BayesNet, names: WrittenNames) -> str:
    """The network as NET."""
    lines = ["net", "{", f'  {NAME_PROPERTY} = "{encode_name(network.name)}";', "}"]
    for variable in network.variables:
        lines += _node_lines(network, variable, names)
    for cpt in network.cpts.values():
        lines += _potential_lines(cpt, names)
    return "\n".join(lines) + "\n"


def _node_lines(network: BayesNet, variable: str, names: WrittenNames) -> Iterator[str]:
    states = " ".join(f'"{state}"' for state in names.states[variable].values())
    yield f"node {names.variables[variable]}"
    yield "{"
    yield f"  states = ({states});"
    for key, kept in names.kept(variable, is_latent=variable in network.latents).items():
        yield f'  {key} = "{kept}";'
    yield "}"


def _potential_lines(cpt: Cpt, names: WrittenNames) -> Iterator[str]:
    given = "".join(f" {names.variables[parent]}" for parent in cpt.parents)
    yield f"potential ({names.variables[cpt.variable]} |{given})"
    yield "{"
    yield f"  data = {_nested(cpt.table.tolist())};"
    yield "}"


def _nested(values: Any) -> str:
    return f"({' '.join(_nested(value) for value in values)})" if isinstance(values, list) else repr(values)


def written_names(network: BayesNet) -> WrittenNames:
    """Identifiers for variables, and states without blanks, quotation marks or parentheses."""
    return choose_names(network, names=IDENTIFIER, states=STATE)
