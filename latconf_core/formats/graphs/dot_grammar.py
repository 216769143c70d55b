"""The part of the DOT language that DOT and dagitty files share: text → statements with their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from latconf_core.errors import FileFormatError
from latconf_core.graph.mixed import MAX_NODES

ARROWS = ("<-@", "<->", "@->", "@-@", "@--", "--@", "<-", "->", "--")
_TOKEN = re.compile(
    r'(?P<skip>\s+|//[^\n]*|/\*.*?\*/|^\#[^\n]*)|"(?P<string>(?:[^"\\]|\\.)*)"|(?P<arrow>'
    + "|".join(map(re.escape, ARROWS))
    + r")|(?P<word>-?[\w.]+)|(?P<sign>[{}\[\];,=:])",
    re.DOTALL | re.MULTILINE,
)
_KEYWORDS = ("graph", "node", "edge")
MAX_DEPTH = 20  # of subgraphs in subgraphs
MAX_TOKENS = 150_000  # names, signs, arrows and the blanks between them


class Token(NamedTuple):  # a large file has half a million
    kind: str  # "string", "arrow", "word", "sign", or "end"
    text: str
    line: int

    @property
    def is_name(self) -> bool:
        return self.kind in ("string", "word")


class Statement(NamedTuple):
    """Groups of nodes joined by arrows; one group and no arrow declares its nodes.

    default_for : "graph", "node" or "edge" where the attributes are the defaults of what follows
    """

    line: int
    groups: tuple[tuple[str, ...], ...]
    arrows: tuple[str, ...] = ()
    attributes: Mapping[str, str] = MappingProxyType({})
    default_for: str | None = None


def parse_statements(text: str, types: tuple[str, ...]) -> tuple[str, list[Statement]]:
    """The type of the graph (one of `types`) and its statements."""
    return _Parser(text).graph(types)


def _tokens(text: str) -> Iterator[Token]:
    position, line, n_taken = 0, 1, 0
    while match := _TOKEN.match(text, position):  # only here: looking further takes ages where quotes are not closed
        if n_taken > MAX_TOKENS:
            raise FileFormatError("the file is larger than latconf reads; remove attributes", line=line)
        n_taken += 1
        kind, token = match.lastgroup or "", match[0]
        if kind == "string":
            yield Token(kind, match[kind].replace('\\"', '"'), line)
        elif kind != "skip":
            yield Token(kind, token, line)
        if "\n" in token:
            line += token.count("\n")
        position = match.end()
    if position < len(text):
        raise FileFormatError(f"found {text[position : position + 20]!r}; expected a name or an arrow", line=line)
    yield Token("end", "the end of the file", line)


class _Parser:
    """Reads one token ahead; every method reads what it is named after."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._next = next(self._tokens)
        self._depth = 0

    def _take(self) -> Token:
        token = self._next
        if token.kind != "end":
            self._next = next(self._tokens)
        return token

    def _take_if(self, text: str) -> bool:
        if self._next.kind != "string" and self._next.text == text:
            self._take()
            return True
        return False

    def _expect(self, text: str) -> None:
        if not self._take_if(text):
            raise FileFormatError(f"found {self._next.text!r}; expected {text!r}", line=self._next.line)

    def graph(self, types: tuple[str, ...]) -> tuple[str, list[Statement]]:
        token = self._take()
        if token.text.lower() == "strict":
            token = self._take()
        if token.kind != "word" or token.text.lower() not in types:
            raise FileFormatError(f"found {token.text!r}; expected {' or '.join(types)}", line=token.line)
        if self._next.is_name:
            self._take()
        self._expect("{")
        statements = self._statements()
        self._expect("}")
        if self._next.kind != "end":
            raise FileFormatError(f"found {self._next.text!r} after the graph", line=self._next.line)
        return token.text.lower(), statements

    def _statements(self) -> list[Statement]:
        statements: list[Statement] = []
        while self._next.kind != "end" and not (self._next.kind == "sign" and self._next.text == "}"):
            if not (self._take_if(";") or self._take_if(",")):
                statements += self._statement()
        return statements

    def _statement(self) -> list[Statement]:
        token = self._next
        if token.kind == "word" and token.text.lower() in _KEYWORDS:
            self._take()
            if self._next.text == "[":
                return [Statement(token.line, (), attributes=self._attributes(), default_for=token.text.lower())]
            inner, group = self._node(token.text)
        else:
            inner, group = self._group()
        if len(group) == 1 and not inner and self._take_if("="):  # an attribute of the whole graph
            self._take()
            return []
        groups, arrows = [group], []
        while self._next.kind == "arrow":
            arrows.append(self._take().text)
            more, group = self._group()
            inner += more
            groups.append(group)
        return [*inner, Statement(token.line, tuple(groups), tuple(arrows), self._attributes())]

    def _group(self) -> tuple[list[Statement], tuple[str, ...]]:
        """A node, or a subgraph: its own statements and every node named in it."""
        token = self._take()
        if token.kind == "word" and token.text.lower() == "subgraph":
            token = self._take()
            if token.is_name:
                token = self._take()
        if token.kind == "sign" and token.text == "{":
            inner = self._inner_statements(token)
            names = tuple(dict.fromkeys(name for part in inner for group in part.groups for name in group))
            if len(names) > MAX_NODES:
                raise FileFormatError(f"a subgraph has more than {MAX_NODES:,} nodes, more than latconf reads")
            return inner, names
        if not token.is_name:
            raise FileFormatError(f"found {token.text!r}; expected a node", line=token.line)
        return self._node(token.text)

    def _inner_statements(self, opening: Token) -> list[Statement]:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise FileFormatError(f"subgraphs are nested more than {MAX_DEPTH} deep", line=opening.line)
        inner = self._statements()
        self._expect("}")
        self._depth -= 1
        return inner

    def _node(self, name: str) -> tuple[list[Statement], tuple[str, ...]]:
        while self._take_if(":"):  # a port says where the edge is drawn
            self._take()
        return [], (name,)

    def _attributes(self) -> dict[str, str]:
        attributes: dict[str, str] = {}
        while self._take_if("["):
            while not self._take_if("]"):
                token = self._take()
                if not token.is_name:
                    raise FileFormatError(f"found {token.text!r}; expected an attribute or ']'", line=token.line)
                attributes[token.text] = self._take().text if self._take_if("=") else ""
                if not self._take_if(","):
                    self._take_if(";")
        return attributes
