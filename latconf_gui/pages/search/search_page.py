"""The Search page: options, an estimate, the run, its chart and table, and the DAG beside them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QSplitter, QTabWidget, QVBoxLayout, QWidget

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.table_load import measure_load
from latconf_core.errors import OptionError
from latconf_core.formats.projects.compared_graphs import GraphSource
from latconf_core.formats.projects.kept_items import difference, is_of
from latconf_core.formats.projects.state_changes import pag_remark
from latconf_core.search.catalogue import DEFAULT_SEARCH, search_title
from latconf_core.search.outcome.history import History
from latconf_core.search.outcome.left_out import pairs_not_in
from latconf_core.search.outcome.result import SearchResult
from latconf_core.wording.knowledge_texts import knowledge_remark
from latconf_core.wording.left_out_sentences import left_out_sentence
from latconf_core.wording.overall_verdict import overall_verdict
from latconf_core.wording.run_ranking import ranking_sentences
from latconf_gui.application.compared_graph import ComparedGraph
from latconf_gui.application.document import Document
from latconf_gui.pages.knowledge.knowledge_command import KnowledgeLine
from latconf_gui.pages.page import Page, PageContext
from latconf_gui.pages.search import actions as search_actions
from latconf_gui.pages.search.controls import ResultBanner, SearchBar
from latconf_gui.pages.search.dag_panel import DagPanel
from latconf_gui.pages.search.files import SearchFiles
from latconf_gui.pages.search.form import SearchForm
from latconf_gui.pages.search.load_question import ask_before_load
from latconf_gui.pages.search.preflight_panel import PreflightCard
from latconf_gui.pages.search.results import SearchResults
from latconf_gui.pages.search.running import WHERE, SearchRunning
from latconf_gui.widgets.actions import follow_action
from latconf_gui.widgets.collection import RUNS, Collection
from latconf_gui.widgets.collection_box import CollectionBox
from latconf_gui.widgets.collection_dialog import CollectionDialog
from latconf_gui.widgets.scroll import ScrollColumn
from latconf_gui.widgets.text import SPACE

FIRST_SHARES = (54, 46)  # of the width: the chart and the table, the DAG and the options
LOOK_AHEAD_MILLISECONDS = 300  # after the last change of an option


class SearchPage(Page):
    """Wires the form, the run, the chart, the table and the drawing to the document."""

    title = "Search"
    icon = "search"

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.running = SearchRunning(self.document, context.runs, context.settings, report=context.report, parent=self)
        self.files = SearchFiles(context.runs, context.settings, report=context.report, window=self)
        self.files.history = lambda: self.history
        self.files.document = lambda: self.document.name
        self.form, self.preflight = SearchForm(), PreflightCard()
        self.knowledge = KnowledgeLine(self.document, context.actions)
        self.results, self.dag = SearchResults(), DagPanel(self.document)
        self.runs = Collection(RUNS, self.document, context.report, parent=self)
        self.run_box = CollectionBox(self.runs)
        self.visits = History()
        self._follows_best = True
        self._shown: object = self.visits  # the result that is shown, or the visits of the search that runs
        self._remark = ""
        self._load_accepted: Dataset | None = None
        self._ahead = QTimer(self, interval=LOOK_AHEAD_MILLISECONDS, singleShot=True)
        self._ahead.timeout.connect(self._look_ahead)
        search_actions.add_actions(self)
        self._build()
        self._connect()
        self._show_document_result()

    @classmethod
    def is_available(cls, document: Document) -> bool:
        return document.dataset is not None

    @classmethod
    def needs(cls) -> str:
        return "Search: open data first"

    def menu(self) -> Sequence[str | None]:
        return search_actions.MENU

    # Building -------------------------------------------------------------------------------------

    def _build(self) -> None:
        actions = self.context.actions
        self.bar = SearchBar([actions[id] for id in search_actions.TOOLBAR], self.run_box)
        self.banner = ResultBanner(actions["search.model"], actions["search.compare_all"])
        self.tabs = QTabWidget()
        self.settings = self._make_settings()
        self.tabs.addTab(self.settings, "Options")
        self.tabs.addTab(self.dag, "DAG")
        self.tabs.setAccessibleName("Options, DAG")
        self.splitter = QSplitter()
        self.splitter.addWidget(self.results)
        self.splitter.addWidget(self.tabs)
        for index, share in enumerate(FIRST_SHARES):
            self.splitter.setStretchFactor(index, share)
        self.splitter.setSizes([20 * share for share in FIRST_SHARES])
        self.splitter.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(self._make_body(), 1)

    def _make_body(self) -> QWidget:
        """The result above the chart and the DAG; it scrolls in a low window with large text."""
        body = ScrollColumn("Search page")
        body.column.setContentsMargins(0, 0, 0, 0)
        body.column.setSpacing(0)
        body.column.addLayout(_with_margins(self.banner))
        body.column.addWidget(self.splitter, 1)
        return body

    def _make_settings(self) -> QWidget:
        scroll = ScrollColumn("Options of the search")
        scroll.column.setSpacing(SPACE)
        scroll.column.addWidget(self.knowledge)
        scroll.column.addWidget(self.preflight)
        scroll.column.addWidget(self.form)
        scroll.column.addStretch(1)
        return scroll

    def _connect(self) -> None:
        report = self.context.report
        self.document.pag_changed.connect(self._on_input_changed)
        self.document.pag_changed.connect(self._show_left_out)
        self.document.dataset_changed.connect(self._on_input_changed)
        self.document.dataset_changed.connect(self._offer_starts)
        self.document.result_changed.connect(self._show_document_result)
        self.document.collections_changed.connect(self._on_collections_changed)
        self.document.knowledge_changed.connect(self._show_banner)
        self.document.knowledge_changed.connect(self._on_input_changed)
        self.document.full_scores_changed.connect(self._on_full_scores)
        follow_action(self.run_box.manage, self.context.actions["search.manage"])
        self.context.opener.opened.connect(lambda: self.tabs.setCurrentWidget(self.settings))
        self.form.changed.connect(self._on_input_changed)
        self.form.changed.connect(self._show_choice)
        self.preflight.answered.connect(self._show_choice)
        self.preflight.chosen.connect(self.form.choose)
        self.preflight.failed.connect(lambda error: report(error, "Estimating"))
        self.running.changed.connect(self._on_running_changed)
        self.running.visited.connect(self._on_visited)
        self.running.progressed.connect(self._show_progress)
        self.running.finished.connect(self._on_finished)
        self.running.failed.connect(self._on_failed)
        self.results.visit_chosen.connect(self._on_chosen)
        self.results.table.graph_of = self._graph_of
        self.results.menu_asked.connect(self._show_menu)
        self.dag.best_asked.connect(self.show_best)
        self.dag.failed.connect(lambda error: report(error, "Laying out the DAG"))

    def stop(self) -> None:
        """End everything this page runs in the background."""
        self.running.stop()
        self.preflight.stop()
        self.dag.stop()

    # Looking ahead --------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ahead.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._ahead.stop()

    def _on_input_changed(self) -> None:
        search_actions.show_enabled(self)
        self._ahead.start()

    def _look_ahead(self) -> None:
        """Count and estimate in the background, for what the form says now."""
        data, pag = self.document.dataset, self.document.pag
        if not self.isVisible() or self.running.is_running:
            return
        try:
            options = self.form.options()
        except OptionError:  # the form says so itself
            return
        if data is None or pag is None:
            self.preflight.forget()
        else:
            self.preflight.ask(data, pag, options, self.document.knowledge)

    def _offer_starts(self) -> None:
        """Offer the runs on the data that are open to start from."""
        data = self.document.dataset
        self.form.offer_starts([run for run in self.document.state.runs if not difference(run.data, data)])

    def _show_choice(self) -> None:
        self.preflight.show_choice(self.form.algorithm)
        self._show_left_out()

    def _show_left_out(self) -> None:
        """Which edges that the data ask for a search that keeps to the PAG cannot use."""
        data, pag = self.document.dataset, self.document.pag
        known = [run.result for run in self.document.state.runs if is_of(run.data, data) and run.result.reference]
        pairs = None if pag is None or not known else pairs_not_in(pag, known[-1])
        self.form.say_left_out(left_out_sentence(pairs) if pag is not None else "")

    # Running --------------------------------------------------------------------------------------

    def run(self) -> None:
        """Search with the options of the form."""
        try:
            options = self.form.options()
        except OptionError as error:
            self.context.report(error, WHERE)
            return
        data = self.document.dataset
        load = None if data is None else measure_load(data)
        if load is not None and load.is_heavy and data is not self._load_accepted:
            ask_before_load(self, load, then=self._accept_load, back=self.context.actions["page.data"].trigger)
            return
        self.preflight.pause()
        self.running.start(self.form.algorithm, options, from_dag=self.form.start_dag)

    def _accept_load(self) -> None:
        """The data are searched as they stand, which is not asked again."""
        self._load_accepted = self.document.dataset
        self.run()

    def find_hidden_causes(self) -> None:
        """Run Auto on what is open, and look at it here."""
        self.form.choose(DEFAULT_SEARCH)
        self.context.actions["page.search"].trigger()
        self.run()

    def pause_or_resume(self) -> None:
        """Let the search wait, or go on."""
        if self.running.is_paused:
            self.running.resume()
        else:
            self.running.pause()

    def _on_running_changed(self) -> None:
        is_running = self.running.is_running
        if is_running and self._shown is not self.running.visits:
            self._shown, self._remark = self.running.visits, ""
            self._show_visits(self.running.visits, is_running=True)
            self.banner.show_result(None)
            self.tabs.setCurrentWidget(self.dag)
        self.form.set_running(is_running)
        self.run_box.setEnabled(not is_running)
        search_actions.show_enabled(self)
        if is_running:
            self._show_progress()
        else:
            self.bar.say(self._remark)
            self._show_document_result()
            self._ahead.start()

    def _show_progress(self) -> None:
        if self.running.is_running:
            self.bar.show_progress(self.running.progress, is_paused=self.running.is_paused)

    def _on_visited(self) -> None:
        self.results.visits_added()
        best = self.visits.result
        if self._follows_best and best is not None and best != self.dag.shown:
            self.dag.show_soon(best)
        search_actions.show_enabled(self)

    def _on_finished(self, result: SearchResult) -> None:
        if result.best is None:
            self._remark = "The search ended before it scored a DAG; nothing was kept."
        else:
            self.document.add_result(result, search_title(result.algorithm))

    def _on_failed(self) -> None:
        self._remark = "The search failed; the problem is described below. Nothing was changed."

    # What is shown --------------------------------------------------------------------------------

    @property
    def history(self) -> History | None:
        """The visits of the search that has ended; None while one runs."""
        result = self.document.result
        return result.history if isinstance(result, SearchResult) and not self.running.is_running else None

    def _show_menu(self, point: QPoint) -> None:
        """The commands for what the chart and the table show."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for id in search_actions.RESULTS_MENU:
            menu.addSeparator() if id is None else menu.addAction(self.context.actions[id])
        menu.popup(point)

    @property
    def has_model(self) -> bool:
        """Whether there is a model to open, and a page that shows it."""
        return isinstance(self.document.result, SearchResult) and "page.model" in self.context.actions

    def open_model(self) -> None:
        """Look at the DAG that is drawn here on the Model page, with its tables and latents."""
        if not self.has_model:
            return
        if self.dag.shown is not None and not self.running.is_running:
            self.document.open_dag(self.visits.dag(self.dag.shown), visit=self.dag.shown)
        self.context.actions["page.model"].trigger()

    def add_to_compare(self) -> None:
        """Compare the DAG that is drawn here with others."""
        number = self.visits.result if self.dag.shown is None else self.dag.shown
        if number is not None:
            self.document.compare_asked.emit(self._graph_of(number))

    def results_to_compare(self) -> list[ComparedGraph]:
        """The result of the current run, the best DAG without hidden causes, and what another search in it found."""
        run = None if self.running.is_running else self.document.state.kept_run
        if run is None or run.result.best is None or self.visits.result is None:
            return []
        result = run.result
        graphs: dict[str, LatentDag] = {f"Result of {run.name}": run.result.best}
        if result.reference is not None:
            graphs["Best without hidden causes"] = result.reference.dag
        if result.other is not None:
            graphs[f"Best of {search_title(result.other.search)}"] = result.history.dag(result.other.visit)
        different: dict[LatentDag, str] = {}
        for name, dag in graphs.items():
            different.setdefault(dag, name)
        return [ComparedGraph(name, run.origin, dag) for dag, name in different.items()]

    def compare_results(self) -> None:
        """Put the results side by side on the Compare page, and go there."""
        for graph in self.results_to_compare():
            self.document.compare_asked.emit(graph)
        self.context.actions["page.compare"].trigger()

    def _graph_of(self, number: int) -> ComparedGraph:
        """A visit, to be compared."""
        run = None if self.running.is_running else self.document.state.kept_run
        origin = search_title(self.form.algorithm) if run is None else run.origin
        source = None if run is None else GraphSource(run=run.name, visit=number)
        return ComparedGraph(f"DAG {number + 1:,}", origin, self.visits.dag(number), source)

    def _show_document_result(self) -> None:
        """Show the result of the document, unless a search is under way."""
        if self.running.is_running:
            return
        result = self.document.result if isinstance(self.document.result, SearchResult) else None
        search_actions.show_enabled(self)
        if result is self._shown:
            return
        self._shown = result
        visits = History() if result is None else result.history
        reference = None if result is None else result.reference_score
        if self._is_live(visits):  # the search that has just ended: what a person looks at stays
            self.visits = visits
            self.results.end_run(visits, reference)
            self.dag.end_run(visits)
            if self._follows_best and visits.result is not None:
                self.dag.show_visit(visits.result)
            self.dag.say()
        else:
            self._show_visits(visits, is_running=False, reference=reference)
        self._show_banner()

    def _on_collections_changed(self) -> None:
        search_actions.show_enabled(self)
        self._show_left_out()
        self._offer_starts()
        self._show_banner()

    def _show_banner(self) -> None:
        """What the current run found, and on which PAG; nothing while a search is under way."""
        run = None if self.running.is_running else self.document.state.kept_run
        if run is None:
            self.banner.show_result(None)
        else:
            state, data = self.document.state, self.document.dataset
            known = knowledge_remark(run.result.knowledge, self.document.knowledge)
            of_data = data if is_of(run.data, data) else None
            verdict = overall_verdict(run.result, stability=run.stability, data=of_data)
            same = [(other.name, other.result) for other in state.runs if other.data == run.data]
            self.banner.show_result(
                run.result,
                pag_remark(run, state),
                knowledge=known,
                verdict=verdict,
                others=ranking_sentences(same),
            )

    def manage_runs(self) -> None:
        """Show a list of all runs, to rename and delete them."""
        self.runs_dialog = CollectionDialog(self.runs, self)
        self.runs_dialog.open()

    def _is_live(self, visits: History) -> bool:
        """Whether these are the visits that were followed while they came."""
        live = self.running.visits
        is_shown = self.visits is live and len(live) == len(visits) > 0
        return is_shown and live.candidates[-1] is visits.candidates[-1]

    def _on_full_scores(self) -> None:
        if self.history is not None:
            self.results.show_changes()
            self.dag.say()

    def _show_visits(self, visits: History, *, is_running: bool, reference: float | None = None) -> None:
        self.visits = visits
        self._follows_best = True
        self.results.follow(visits, is_running=is_running, reference=reference)
        self.dag.is_live = is_running
        self.dag.follow(visits)
        if visits.result is not None:
            self.dag.show_visit(visits.result)

    def _on_chosen(self, number: int) -> None:
        self._follows_best = number == self.visits.result
        self.tabs.setCurrentWidget(self.dag)
        self.dag.show_visit(number)

    def show_best(self) -> None:
        """Draw the DAG that is the result, and follow the best while the search goes on."""
        if self.visits.result is not None:
            self._follows_best = True
            self.tabs.setCurrentWidget(self.dag)
            self.results.select(self.visits.result)
            self.dag.show_visit(self.visits.result)


def _with_margins(widget: QWidget) -> QVBoxLayout:
    layout = QVBoxLayout()
    layout.setContentsMargins(SPACE // 2, SPACE // 4, SPACE // 2, SPACE // 2)
    layout.addWidget(widget)
    return layout
