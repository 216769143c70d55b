"""The graphs that a person compares, as a project keeps them: in their order, the reference first."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.errors import FileFormatError
from latconf_core.formats.projects.kept_items import KeptPag, KeptRun, find_item
from latconf_core.graph.mixed import MixedGraph
from latconf_core.json_form import Notes, decode, parse_json

NAME = "compared.json"
MOST = 12
Content = MixedGraph | LatentDag


@dataclass(frozen=True)
class GraphSource:
    """Where a project has a graph: a PAG by its name, or else a visit of a run."""

    pag: str = ""
    run: str = ""
    visit: int = 0

    def find(self, pags: Sequence[KeptPag], runs: Sequence[KeptRun]) -> Content | None:
        """The graph; None where the PAG, the run or the visit is gone."""
        if self.pag:
            pag = find_item(pags, self.pag)
            return None if pag is None else pag.graph
        run = find_item(runs, self.run)
        return (
            None if run is None or not 0 <= self.visit < len(run.result.history) else run.result.history.dag(self.visit)
        )

    def __str__(self) -> str:
        return f"the PAG {self.pag!r}" if self.pag else f"DAG {self.visit + 1:,} of the run {self.run!r}"


@dataclass(frozen=True)
class ComparedItem:
    """A graph under the name that it has in the comparison.

    kind : DAG, MAG, PAG or graph
    origin : where it comes from, in words
    source : where the project has it; None for one that is kept itself, such as that of a file or a truth
    """

    name: str
    content: Content
    kind: str
    origin: str = ""
    source: GraphSource | None = None

    def to_json(self) -> dict[str, Any]:
        """Everything, the graph included."""
        return {**self.about(), "graph": self.content.to_json()}

    def about(self) -> dict[str, Any]:
        """Everything but the graph."""
        source = None if self.source is None else vars(self.source)
        return {"name": self.name, "kind": self.kind, "origin": self.origin, "source": source}

    @classmethod
    def from_json(cls, content: Mapping[str, Any], graph: Content | None = None) -> ComparedItem:
        """The item that `to_json` gave, or that `about` gave of this graph."""
        source = content["source"]
        if graph is None:
            own_graph = content["graph"]
            graph = LatentDag.from_json(own_graph) if "latents" in own_graph else MixedGraph.from_json(own_graph)
        where = None if source is None else _read_source(source)
        return cls(str(content["name"]), graph, str(content["kind"]), str(content["origin"]), where)


def _read_source(content: Any) -> GraphSource:
    source: GraphSource = decode(GraphSource, content)
    return source


def compared_text(items: Sequence[ComparedItem], pags: Sequence[KeptPag], runs: Sequence[KeptRun]) -> str:
    """The items as a file of a project; what a PAG or run of the project holds as it was is not written again."""
    content = [
        item.about() if item.source is not None and item.source.find(pags, runs) == item.content else item.to_json()
        for item in items
    ]
    return json.dumps({"graphs": content}, ensure_ascii=False, indent=1)


def parse_compared(
    text: str, pags: Sequence[KeptPag], runs: Sequence[KeptRun], notes: Notes
) -> tuple[ComparedItem, ...]:
    """The items that `compared_text` wrote; one that is damaged, or whose PAG or run is gone, is left out and noted."""
    from latconf_core.formats.projects.run_files import read_part  # with all that reads runs: not when a window starts

    items: dict[str, ComparedItem] = {}
    entries = parse_json(text)["graphs"]
    if len(entries) > MOST:
        notes.append(f"{len(entries)} graphs were compared; the first {MOST} are kept")
    for number, content in enumerate(entries[:MOST], 1):
        called = content.get("name", number) if isinstance(content, dict) else number
        part = read_part(f"the compared graph {called!r}", lambda own=content: _read_item(own, pags, runs), notes)  # type: ignore[misc]
        if part is not None and part.name not in items:
            items[part.name] = part
    return tuple(items.values())


def _read_item(content: Mapping[str, Any], pags: Sequence[KeptPag], runs: Sequence[KeptRun]) -> ComparedItem:
    if "graph" in content:
        return ComparedItem.from_json(content)
    source = _read_source(content["source"])
    graph = source.find(pags, runs)
    if graph is None:
        raise FileFormatError(f"{source} is no longer in the project")
    return ComparedItem.from_json(content, graph)
