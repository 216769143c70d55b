"""The glossary: every term of the window in two sentences with a small picture, and where a text uses a term."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from latconf_core.errors import FileFormatError
from latconf_core.files import read_text
from latconf_core.graph.marks import Edge
from latconf_core.graph.mixed import MixedGraph

_PACKAGE = Path(__file__).resolve().parent.parent
STEP, ABOVE = 95.0, 75.0  # between nodes in a row; from a row up to a hidden variable

Place = tuple[float, float]


@dataclass(frozen=True)
class GraphPicture:
    """A little graph, or two that are laid over each other.

    hidden : variables that nobody measured
    given : variables that are held fixed
    lit : pairs whose edges stand out
    """

    graph: MixedGraph
    other: MixedGraph | None
    hidden: frozenset[str]
    given: frozenset[str]
    lit: tuple[frozenset[str], ...]
    places: Mapping[str, Place]


@dataclass(frozen=True)
class Bars:
    """A few bars with their labels; `line` is a border across them, and `line_label` what it is."""

    bars: tuple[tuple[str, float], ...]
    line: float | None = None
    line_label: str = ""


@dataclass(frozen=True)
class GlossaryEntry:
    """A term.

    term : what it is called in a link
    name : its heading, with other names in brackets
    links : words of a running text that mean it
    labels : titles of fields, columns and headings of the window that it explains
    """

    term: str
    name: str
    text: str
    picture: GraphPicture | Bars
    links: tuple[str, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Mention:
    """A term in a text, from `start` up to but not including `end`."""

    start: int
    end: int
    entry: GlossaryEntry


@cache
def glossary() -> Mapping[str, GlossaryEntry]:
    """Every entry by its term, in alphabetical order."""
    path = _folder() / "glossary.json"
    entries = [_read_entry(content, path) for content in json.loads(read_text(path))]
    return {entry.term: entry for entry in sorted(entries, key=lambda entry: entry.name.casefold())}


def find_mentions(text: str) -> Iterator[Mention]:
    """The terms that a running text uses, each where it first occurs; of two that overlap the longer one."""
    pattern, by_word = _words()
    seen = set[str]()
    for match in pattern.finditer(text):
        entry = by_word.get(match[0]) or by_word[match[0][0].lower() + match[0][1:]]
        if entry.term not in seen:
            seen.add(entry.term)
            yield Mention(match.start(), match.end(), entry)


def explain_label(text: str) -> GlossaryEntry | None:
    """The entry that explains a title of the window, such as a field's or a column's."""
    return _labels().get(text.replace("&", "").strip().rstrip(":").casefold())


def find_entries(text: str) -> tuple[GlossaryEntry, ...]:
    """The entries for a search: those whose name has all the words first, then those whose text has them."""
    words = text.casefold().split()
    named = [entry for entry in glossary().values() if _has(words, entry.name, entry.term, *entry.links)]
    told = [entry for entry in glossary().values() if entry not in named and _has(words, entry.text, *entry.labels)]
    return (*named, *told)


def _has(words: list[str], *texts: str) -> bool:
    said = " ".join(texts).casefold()
    return all(word in said for word in words)


@cache
def _words() -> tuple[re.Pattern[str], Mapping[str, GlossaryEntry]]:
    """A pattern for every word that is linked, also with a capital at the beginning of a sentence."""
    by_word = {word: entry for entry in glossary().values() for word in entry.links}
    spelled = {spelling for word in by_word for spelling in (word, word[0].upper() + word[1:])}
    longest_first = sorted(spelled, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])"), by_word


@cache
def _labels() -> Mapping[str, GlossaryEntry]:
    labels: dict[str, GlossaryEntry] = {}
    for entry in glossary().values():
        for label in (entry.term, *entry.links, *entry.labels):
            labels.setdefault(label.casefold(), entry)
    return labels


def _folder() -> Path:
    installed = _PACKAGE / "_glossary"
    return installed if installed.is_dir() else _PACKAGE.parent / "resources" / "glossary"


def _read_entry(content: Mapping[str, Any], path: Path) -> GlossaryEntry:
    try:
        return GlossaryEntry(
            content["term"],
            content["name"],
            content["text"],
            _read_graph(content) if "graph" in content else _read_bars(content),
            tuple(content.get("links", ())),
            tuple(content.get("labels", ())),
        )
    except (KeyError, ValueError) as error:
        raise FileFormatError(
            f"the entry {content.get('term')!r} of the glossary cannot be read: {error}", path
        ) from error


def _read_graph(content: Mapping[str, Any]) -> GraphPicture:
    edges, others = (_edges(content.get(key, "")) for key in ("graph", "other"))
    hidden = frozenset(content.get("hidden", "").split())
    names = list(dict.fromkeys(name for edge in (*edges, *others) for name in (edge.first, edge.second)))
    places = _places(content.get("places", "")) or _row([name for name in names if name not in hidden])
    for name in hidden - set(places):
        places[name] = _above(name, edges, places)
    return GraphPicture(
        MixedGraph.from_edges(names, edges),
        MixedGraph.from_edges(names, others) if others else None,
        hidden,
        frozenset(content.get("given", "").split()),
        tuple(frozenset(pair.split("-")) for pair in content.get("lit", "").split()),
        places,
    )


def _above(name: str, edges: list[Edge], places: Mapping[str, Place]) -> Place:
    """Over the middle of what a hidden variable is joined with."""
    pairs = [{edge.first, edge.second} for edge in edges]
    below = [places[other] for pair in pairs if name in pair for other in pair - {name}]
    return sum(x for x, _ in below) / len(below), min(y for _, y in below) - ABOVE


def _edges(text: str) -> list[Edge]:
    return [Edge.parse(part) for part in text.split(";") if part.strip()]


def _places(text: str) -> dict[str, Place]:
    """`A 0 0; B 90 0` as places."""
    parts = [part.split() for part in text.split(";") if part.strip()]
    return {name: (float(x), float(y)) for name, x, y in parts}


def _row(names: list[str]) -> dict[str, Place]:
    return {name: (STEP * index, 0.0) for index, name in enumerate(names)}


def _read_bars(content: Mapping[str, Any]) -> Bars:
    """`no 0.7; yes 0.3` as bars."""
    parts = [part.strip().rpartition(" ") for part in content["bars"].split(";")]
    bars = tuple((label, float(value)) for label, _, value in parts)
    return Bars(bars, content.get("line"), content.get("unit", ""))
