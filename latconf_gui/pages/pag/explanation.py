"""Says what is selected on the PAG page, and why it is as it is: in the Inspector, in the table and on the canvas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from latconf_core.graph.mixed import MixedGraph
from latconf_core.wording.knowledge_sentences import conflict_sentence
from latconf_core.wording.knowledge_texts import knowledge_remark
from latconf_core.wording.mark_reasons import MarkReason
from latconf_gui.pages.pag.learned_run import LearnedRun, highlight_reason

if TYPE_CHECKING:
    from latconf_gui.pages.pag.pag_page import PagPage


class Explanation(QObject):
    """Follows the selection of a page's canvas and the run that its PAG comes from; `changed` when that is another."""

    changed = Signal()

    def __init__(self, page: PagPage) -> None:
        super().__init__(page)
        self._page = page
        self._document, self._scene = page.document, page.canvas.scene
        self.run = LearnedRun(self)
        self.run.changed.connect(self._on_run_changed)
        page.document.knowledge_changed.connect(self.show)
        self.run.failed.connect(lambda error: page.context.report(error, "How the PAG was learned"))
        page.edges.pair_chosen.connect(page.commands.show_pair)

    def follow(self) -> None:
        """Ask the run of the current PAG."""
        self.run.follow(self._document.state.kept_pag, self._document.dataset)
        self._show_removed()

    def _on_run_changed(self) -> None:
        self._show_removed()
        self._page.legality.show_weak_tests(self.run.weak)
        self.show()
        self.changed.emit()

    def _show_removed(self) -> None:
        self._page.edges.show_removed(self.run.removed(self._document.pag), self.run.why_not())

    def show(self) -> None:
        """Say what is selected now, and why."""
        graph, inspector = self._document.pag, self._page.pag_inspector
        pairs, nodes = self._scene.selected_pairs(), self._scene.selected_nodes()
        reason = None
        if graph is None or not self._page.canvas.is_showing(graph) or not (pairs or nodes):
            inspector.show_summary(graph, self._document.pag_origin, self._remarks())
        elif len(pairs) == 1 and not nodes:
            item = self._scene.edge_item(*pairs[0])
            end = item.active_end or item.edge.second
            reason = self.run.explain(graph, end, next(iter(pairs[0] - {end})))
            inspector.show_edge(item.edge, item.active_end, reason.text if reason else "")
        elif pairs and not nodes:
            inspector.show_edges([self._scene.edge_item(*pair).edge for pair in pairs])
        elif len(nodes) == 1:
            inspector.show_node(nodes[0], graph, self._document.dataset)
        else:
            reason = self._explain_missing(graph, nodes)
            inspector.show_nodes(nodes, reason.text if reason else "")
        self._point_at(reason)

    def _remarks(self) -> Iterator[str]:
        """Under which knowledge the PAG was learned, and what in the data speaks against that."""
        kept = self._document.state.kept_pag
        if kept is None or not (kept.learned or kept.knowledge):
            return
        known = knowledge_remark(kept.knowledge, self._document.knowledge)
        if known:
            yield f"Knowledge: {known}"
        if kept.learned is not None:
            yield from map(conflict_sentence, kept.learned.knowledge_conflicts)

    def _explain_missing(self, graph: MixedGraph, nodes: list[str]) -> MarkReason | None:
        """Why two nodes have no edge, where that is known."""
        is_pair = len(nodes) == 2 and not graph.is_adjacent(nodes[0], nodes[1])
        reason = self.run.explain(graph, nodes[0], nodes[1]) if is_pair else None
        self._page.edges.choose_removed(nodes[0], nodes[1], reason.text if reason else "")
        return reason

    def _point_at(self, reason: MarkReason | None) -> None:
        """Light what a reason speaks of, and show its separating set unless the panel of separation shows another."""
        graph = self._document.pag
        chosen = next(iter(self._scene.selected_pairs()), frozenset[str]())
        self._page.canvas.highlight("reason", {} if graph is None else highlight_reason(reason, graph, chosen))
        if not self._page.separation.is_asked():
            self._scene.set_given(() if reason is None else reason.given or ())

    def ask(self) -> None:
        """Open the Inspector, which says why the chosen mark is there, or why two nodes have no edge."""
        actions = self._page.context.actions
        if "view.inspector" in actions and not actions["view.inspector"].isChecked():
            actions["view.inspector"].trigger()
        self.show()
