"""A graph that one page hands to the Compare page: by the document's signal `compare_asked`, or by a drag."""

from __future__ import annotations

import json
from dataclasses import dataclass

from PySide6.QtCore import QMimeData

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.errors import LatconfError
from latconf_core.formats.projects.compared_graphs import ComparedItem, GraphSource
from latconf_core.graph.mixed import MixedGraph
from latconf_core.json_form import UNREADABLE, parse_json

MIME = "application/x-latconf-graph"


@dataclass(frozen=True)
class ComparedGraph:
    """Its name, where it comes from, and the graph.

    source : where the project has it, if it does
    kind : DAG, MAG, PAG or graph; "" to let the marks tell
    """

    name: str
    origin: str
    content: MixedGraph | LatentDag
    source: GraphSource | None = None
    kind: str = ""

    def to_item(self, kind: str) -> ComparedItem:
        """As the document keeps it, of this kind where it does not say its own."""
        return ComparedItem(self.name, self.content, self.kind or kind, self.origin, self.source)

    def to_mime(self) -> QMimeData:
        """What is carried by a drag."""
        mime = QMimeData()
        mime.setData(MIME, json.dumps(self.to_item("").to_json()).encode())
        mime.setText(self.name)
        return mime


def dragged_graph(mime: QMimeData) -> ComparedGraph | None:
    """The graph that a drag carries; None where it carries something else."""
    if not mime.hasFormat(MIME):
        return None
    try:
        item = ComparedItem.from_json(parse_json(bytes(mime.data(MIME).data())))
    except (*UNREADABLE, LatconfError):  # another program may call anything by our name
        return None
    return ComparedGraph(item.name, item.origin, item.content, item.source, item.kind)
