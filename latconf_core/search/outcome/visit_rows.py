"""One visit as a row of text, the same in JSON and in history.csv.

Edges read `A --> B; A --> C`, latents `L1[2] --> B, C` (two states), or `X --> L1[2] --> B, C` with a parent.
Characters that this needs stand as percent codes in names. Older files give variables by position: `3>1` is an edge,
`2:1,4` a latent with two states, `2:1,4<7` one with a parent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import quote

from latconf_core.dag.latent_dag import MAX_STATES, latent_names
from latconf_core.graph.bits import bits
from latconf_core.model.bit_dag import NO_PARENT, BitDag, Hidden

COLUMNS = ("visit", "kind", "level", "p_elbo", "edges", "latents", "effort")
# Before every search had levels; at first without the effort, when all was full.
OLD_COLUMNS = ("visit", "kind", "bidirected", "p_elbo", "edges", "latents", "effort")
ARROW, BETWEEN, COMMA = " --> ", "; ", ", "

_NEEDED = re.compile(r"[%;,<>\[\]\"\x00-\x1f\x7f-\x9f\u2028\u2029]|^\s|\s$")
_LATENT = re.compile(r"(?:(?P<parent>.*?) --> )?(?P<name>[^>]*)\[(?P<states>\d+)\] --> (?P<children>.*)")
_OLD_EDGES = re.compile(r"\d+>\d+( \d+>\d+)*")
_OLD_LATENTS = re.compile(r"\d+:\d+(,\d+)*(<\d+)?( \d+:\d+(,\d+)*(<\d+)?)*")


class VisitRows:
    """Turns candidates over some nodes into text and back; what was said once is kept."""

    def __init__(self, nodes: Sequence[str]) -> None:
        self.n_nodes = len(nodes)
        self._nodes = tuple(nodes)
        self._written = [_write_name(name) for name in nodes]
        self._texts: dict[tuple[int, int], str] = {}
        self._edges: dict[str, tuple[int, int]] = {}
        self._place = {name: i for i, name in enumerate(self._written)}

    def edges_text(self, candidate: BitDag) -> str:
        """The edges of a candidate by name."""
        return BETWEEN.join(self._edge_texts(candidate))

    def _edge_texts(self, candidate: BitDag) -> Iterator[str]:
        for child, mask in enumerate(candidate.parents):
            for parent in bits(mask):
                text = self._texts.get((parent, child))
                if text is None:
                    text = self._texts[parent, child] = f"{self._written[parent]}{ARROW}{self._written[child]}"
                yield text

    def latents_text(self, candidate: BitDag) -> str:
        """The latents of a candidate, called L1, L2, … as wherever they are shown."""
        if not candidate.latents:
            return ""
        names = self._names(len(candidate.latents))
        return BETWEEN.join(
            _write_latent(latent, names[self.n_nodes + i], names) for i, latent in enumerate(candidate.latents)
        )

    def _names(self, n_latents: int) -> list[str]:
        return [*self._written, *map(_write_name, latent_names(n_latents, self._nodes))]

    def candidate(self, edges: str, latents: str) -> BitDag:
        """The candidate of the two texts, in this form or the older one; ValueError where they are no such texts."""
        parents = [0] * self.n_nodes
        for parent, child in self._read_old_edges(edges) if _OLD_EDGES.fullmatch(edges) else self._read_edges(edges):
            parents[child] |= 1 << parent
        read = _read_old_latents if _OLD_LATENTS.fullmatch(latents) else self._read_latents
        return BitDag(tuple(parents), tuple(read(latents, self.n_nodes)))

    def _read_edges(self, text: str) -> Iterator[tuple[int, int]]:
        for edge_text in text.split(BETWEEN) if text else ():
            edge = self._edges.get(edge_text)
            if edge is None:
                parent, child = edge_text.split(ARROW)
                edge = self._edges[edge_text] = (_position(parent, self._place), _position(child, self._place))
            yield edge

    def _read_old_edges(self, text: str) -> Iterator[tuple[int, int]]:
        for edge in text.split():
            parent, child = edge.split(">")
            yield _check(int(parent), self.n_nodes), _check(int(child), self.n_nodes)

    def _read_latents(self, text: str, n_nodes: int) -> list[Hidden]:
        parts = [_match_latent(text_part) for text_part in text.split(BETWEEN)] if text else []
        position_of = {**self._place, **{part["name"]: n_nodes + i for i, part in enumerate(parts)}}
        return [
            Hidden(
                _mask(_position(child, position_of) for child in part["children"].split(COMMA)),
                _check(int(part["states"]), MAX_STATES),
                NO_PARENT if part["parent"] is None else _position(part["parent"], position_of),
            )
            for part in parts
        ]


def _write_name(name: str) -> str:
    return _NEEDED.sub(lambda match: quote(match[0], safe=""), name) or "%"


def _write_latent(hidden: Hidden, name: str, names: Sequence[str]) -> str:
    above = "" if hidden.parent == NO_PARENT else names[hidden.parent] + ARROW
    return f"{above}{name}[{hidden.n_states}]{ARROW}{COMMA.join(names[child] for child in bits(hidden.children))}"


def _match_latent(text: str) -> re.Match[str]:
    match = _LATENT.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return match


def _position(name: str, position_of: dict[str, int]) -> int:
    if name not in position_of:
        raise ValueError(name)
    return position_of[name]


def _read_old_latents(text: str, n_nodes: int) -> list[Hidden]:
    parts = text.split()
    n_all = n_nodes + len(parts)
    latents = []
    for part in parts:
        n_states, _, rest = part.partition(":")
        children, _, parent = rest.partition("<")
        mask = _mask(_check(int(child), n_all) for child in children.split(","))
        above = _check(int(parent), n_all) if parent else NO_PARENT
        latents.append(Hidden(mask, _check(int(n_states), MAX_STATES), above))
    return latents


def _mask(positions: Iterable[int]) -> int:
    mask = 0
    for position in positions:
        mask |= 1 << position
    return mask


def _check(position: int, count: int) -> int:
    if not 0 <= position < count:
        raise ValueError(position)
    return position
