"""The Inspector of the PAG page: what the chosen edge, node or whole graph says."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from latconf_core.data.dataset import Dataset
from latconf_core.graph.marks import MARK_NAMES, Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.phrases import counted
from latconf_core.wording.mark_meanings import MARK_MEANINGS, edge_sentence
from latconf_gui.pages.page import INSPECTOR_LINES
from latconf_gui.widgets.scroll import LeastLines, ScrollColumn
from latconf_gui.widgets.terms.term_label import TermLabel
from latconf_gui.widgets.text import SPACE, Heading, Quiet, keep_arrows_whole

MAX_LISTED = 40


class PagInspector(QWidget):
    """Shows one edge, one node, or a summary; it computes nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Inspector of the PAG")
        self.is_editable = True  # whether to say how to edit
        self.title = Heading()
        self.text = TermLabel()
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.why_title = Heading("Why?", factor=1.1)
        self.why = TermLabel()
        self.why.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.why.setAccessibleName("Why the mark is there")
        self.hint = Quiet()
        scroll = ScrollColumn()
        scroll.column.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        scroll.column.addWidget(self.title)
        scroll.column.addWidget(self.text)
        for part in (self.why_title, self.why):
            scroll.column.addWidget(part)
            part.hide()
        scroll.column.addWidget(self.hint)
        scroll.column.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll)
        LeastLines(self, wide=INSPECTOR_LINES)

    def show_edge(self, edge: Edge, active_end: str | None, why: str = "") -> None:
        """One edge: what it claims, what each mark means, and why the chosen mark is there."""
        lines = [edge_sentence(edge), ""]
        for node, mark in ((edge.first, edge.at_first), (edge.second, edge.at_second)):
            name, meaning = MARK_MEANINGS[mark].split(": ", 1)
            lines.append(f"{name.capitalize()} at {node}: {meaning}.")
        self._show(str(edge), "\n".join(lines), _edge_hint(edge, active_end) if self.is_editable else "")
        end = active_end or edge.second
        mark = edge.at_first if end == edge.first else edge.at_second
        self._show_why(f"Why the {MARK_NAMES[mark]} at {end}?", why)

    def show_node(self, name: str, graph: MixedGraph, data: Dataset | None) -> None:
        """One node: its states and its edges."""
        lines = []
        if data is not None and name in data.index:
            states = data.states[data.index[name]]
            lines += [f"{counted(len(states), 'state')}: {', '.join(states[:8])}{' …' if len(states) > 8 else ''}", ""]
        others = [other for other in graph.nodes if other != name and graph.is_adjacent(name, other)]
        lines += [counted(len(others), "edge")]
        lines += [str(graph.edge(name, other)) for other in others[:MAX_LISTED]]
        lines += [f"and {len(others) - MAX_LISTED} more"] if len(others) > MAX_LISTED else []
        hint = "Drag to move it; Shift-drag to draw an edge to another node." if self.is_editable else ""
        self._show(name, "\n".join(lines), hint)

    def show_nodes(self, names: list[str], why: str = "") -> None:
        """Several nodes; of two without an edge also why there is none."""
        joins = "E adds an edge; " if self.is_editable else ""
        hint = f"{joins}S checks whether they are separated." if len(names) == 2 else ""
        self._show(f"{len(names)} nodes", ", ".join(names[:MAX_LISTED]), hint)
        self._show_why("Why is there no edge?", why)

    def show_edges(self, edges: list[Edge]) -> None:
        """Several edges."""
        lines = [str(edge) for edge in edges[:MAX_LISTED]]
        hint = (
            "Keys 1, 2, 3 put a circle, an arrowhead or a tail at the selected end of each." if self.is_editable else ""
        )
        self._show(f"{len(edges)} edges", "\n".join(lines), hint)

    def show_summary(self, graph: MixedGraph | None, origin: str, remarks: Iterable[str] = ()) -> None:
        """The whole graph; `remarks` say what else is known of how it came about."""
        if graph is None:
            self._show("No PAG yet", "Learn one from the data, import a file, or draw one.", "")
            return
        edges = list(graph.edges())
        circles = sum((edge.at_first == Mark.CIRCLE) + (edge.at_second == Mark.CIRCLE) for edge in edges)
        bidirected = sum(edge.is_bidirected for edge in edges)
        lines = [
            f"{counted(len(graph.nodes), 'node')}, {counted(len(edges), 'edge')}",
            f"{counted(circles, 'circle')}: undecided ends",
            f"<->: {counted(bidirected, 'bidirected edge')}" if bidirected else "No bidirected edges",
        ]
        lines += [f"Origin: {origin}"] if origin else []
        lines += remarks
        self._show("The PAG", "\n".join(lines), "Click an edge, a mark or a node to see what it means.")

    def _show(self, title: str, text: str, hint: str) -> None:
        self.title.setText(keep_arrows_whole(title))
        self.text.setText(text)
        self.hint.setText(hint)
        self._show_why("", "")

    def _show_why(self, title: str, why: str) -> None:
        self.why_title.setText(keep_arrows_whole(title))
        self.why.setText(keep_arrows_whole(why))
        for part in (self.why_title, self.why):
            part.setVisible(bool(why))


def _edge_hint(edge: Edge, active_end: str | None) -> str:
    end = active_end or edge.second
    mark = edge.at_first if end == edge.first else edge.at_second
    return (
        f"Selected end: {end} ({MARK_NAMES[mark]}). Click its mark again to change it, or press 1 (circle), 2 "
        "(arrowhead) or 3 (tail). X selects the other end, R reverses the edge."
    )
