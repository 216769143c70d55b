"""The Model page: the DAG that was found, the tables behind it, and all about its latents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.hidden_variables import hidden_truth
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.errors import GraphError
from latconf_core.report.contents import ReportContents
from latconf_core.search.model_facts import ModelFacts
from latconf_core.search.outcome.result import SearchResult
from latconf_gui.application.compared_graph import ComparedGraph
from latconf_gui.application.document import Document
from latconf_gui.application.latent_naming import name_latent, rename_state, shown_names
from latconf_gui.pages.large_graphs.neighbourhood_bar import NeighbourhoodBar
from latconf_gui.pages.large_graphs.node_finder import NodeFinder
from latconf_gui.pages.model.actions import EDITING, MENU, TOOLBAR, VIEW_MENU, add_actions, add_exports
from latconf_gui.pages.model.applying.apply_command import ApplyCommand
from latconf_gui.pages.model.asking_mode import Asking
from latconf_gui.pages.model.canvas import DagCanvas
from latconf_gui.pages.model.chance.chance_command import ChanceCommand
from latconf_gui.pages.model.cpt_table import CptPanel
from latconf_gui.pages.model.cuts.cuts_command import CutsCommand
from latconf_gui.pages.model.dag_choice import DagChoice
from latconf_gui.pages.model.determined_view import COMMAND as DETERMINED
from latconf_gui.pages.model.determined_view import DeterminedView
from latconf_gui.pages.model.files import ModelFiles, ShownModel
from latconf_gui.pages.model.fitting import ModelFitting
from latconf_gui.pages.model.inspector import ModelInspector
from latconf_gui.pages.model.model_places import ModelPlaces
from latconf_gui.pages.model.sentences import Rows, criteria_sentence
from latconf_gui.pages.model.sureness import NOT_COMPARED, origin_rows, sureness_lines
from latconf_gui.pages.page import Page, PageContext
from latconf_gui.pages.presenting import allow_edits
from latconf_gui.pages.stability.page_commands import add_model_command
from latconf_gui.widgets.actions import ToolBar
from latconf_gui.widgets.scroll import ScrollColumn
from latconf_gui.widgets.text import SPACE
from latconf_gui.widgets.text_size import FollowTextSize

WAITING = "The tables of this DAG are being computed."
FITTING = "Fitting the model"


def is_result_with_dag(result: SearchResult | None) -> bool:
    """Whether there is a DAG to look at."""
    return result is not None and result.best is not None


class ModelPage(Page):
    """Wires the drawing, the table and the Inspector to the document; what it shows is computed by `fitting`."""

    title = "Model"
    icon = "model"

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.fitting = ModelFitting(self)
        self.files = ModelFiles(context.runs, context.settings, report=context.report, window=self)
        self.files.document = lambda: self.document.name
        self.files.model = self.shown_model
        self.files.contents = self.report_contents
        self.canvas = DagCanvas()
        self.places = ModelPlaces(self.document, self.canvas, self)
        self.part_bar = NeighbourhoodBar(
            self.canvas, context.actions, "model", finder=NodeFinder(self.canvas, context.report)
        )
        self.asking = Asking(context, self.canvas, self)
        self.determined = DeterminedView(context, self)
        self.stability = add_model_command(context, self)
        self.chance, self.cuts = ChanceCommand(context, self), CutsCommand(context, self)
        self.applying = ApplyCommand(context, lambda: self.network, self)
        self.table = CptPanel()
        self.choice = DagChoice()
        self._inspector = ModelInspector()
        self._dag: LatentDag | None = None
        self._facts: ModelFacts | None = None
        self._chosen_children: tuple[str, ...] = ()  # of the latent that is chosen, whatever it is called
        self._open_sizes = [720, 280]  # of the drawing and the table, when a variable is chosen
        add_actions(self)
        self._build()
        self._connect()
        self._show_dag()

    @classmethod
    def is_available(cls, document: Document) -> bool:
        return is_result_with_dag(document.result)

    @classmethod
    def needs(cls) -> str:
        return "Run a search first"

    def menu(self) -> Sequence[str | None]:
        return MENU

    def view_menu(self) -> Sequence[str]:
        return VIEW_MENU

    def inspector(self) -> ModelInspector:
        return self._inspector

    @property
    def is_busy(self) -> bool:
        return (
            self.fitting.is_busy
            or self.canvas.layouts.is_running
            or self.asking.is_busy
            or self.determined.classes.is_busy
        )

    def stop(self) -> None:
        """End everything this page runs in the background."""
        self.fitting.stop()
        self.asking.stop()
        self.determined.classes.stop()
        self.canvas.layouts.stop()

    # Building -------------------------------------------------------------------------------------

    def _build(self) -> None:
        bar = ToolBar("Model toolbar")
        bar.setStyleSheet("QToolBar { border: none; }")  # the line below it would begin half-way
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        bar.addActions([self.context.actions[id] for id in TOOLBAR])
        bar.addSeparator()
        self.exports = add_exports(self, bar)
        row = QHBoxLayout()
        row.setContentsMargins(SPACE, 0, 0, 0)
        row.addWidget(self.choice)
        row.addWidget(bar, 1)
        drawing = QWidget()
        column = QVBoxLayout(drawing)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.part_bar)
        self.beside = QSplitter(Qt.Orientation.Horizontal)
        for widget, share in ((self.canvas, 1), (self.asking.panel, 0)):
            self.beside.addWidget(widget)
            self.beside.setStretchFactor(self.beside.count() - 1, share)
        self.beside.setChildrenCollapsible(False)
        FollowTextSize(self.beside, self._share_width)
        column.addWidget(self.beside, 1)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.addWidget(drawing)
        self.splitter.addWidget(self.table)
        self.splitter.setStretchFactor(0, 5)
        self.splitter.setStretchFactor(1, 2)
        self.splitter.setSizes(self._open_sizes)
        self.splitter.setChildrenCollapsible(False)
        scroll = ScrollColumn("Model page")  # in a low window with large text
        scroll.column.setContentsMargins(0, 0, 0, 0)
        scroll.column.addWidget(self.splitter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll)

    def _share_width(self) -> None:
        """Give the column beside the drawing the width that its text needs."""
        side = self.asking.panel.sizeHint().width()
        self.beside.setSizes([max(self.beside.width() - side, 0), side])

    def _show_editable(self) -> None:
        """While the model is presented, nothing is named and no node is moved."""
        is_editable = not self.document.is_presenting
        self.canvas.scene.set_editable(is_editable)
        self._inspector.latent.set_editable(is_editable)
        self._show_enabled()

    def _connect(self) -> None:
        document, report = self.document, self.context.report
        document.result_changed.connect(self._show_dag)
        document.dag_opened.connect(self._show_dag)
        for moved in (document.positions_changed, document.model_positions_changed):
            moved.connect(self._draw)
        document.state_names_changed.connect(self._show_facts)
        document.latent_names_changed.connect(self._on_latents_named)
        document.knowledge_changed.connect(self._show_facts)  # the card says whether the run obeys what is said now
        document.presenting_changed.connect(self._show_editable)
        document.collections_changed.connect(self._on_collections_changed)
        document.full_scores_changed.connect(lambda: self.choice.show_scores(document, self._dag))
        self.choice.chosen.connect(lambda offered: document.open_dag(offered.dag, offered.run))
        self.canvas.scene.selectionChanged.connect(self._on_selected)
        self.asking.changed.connect(self._draw)
        self.determined.changed.connect(self._on_determined)
        self.stability.changed.connect(self._draw)
        self.table.chosen.connect(self.choose)
        self.table.export_asked.connect(self.files.ask_table)
        self._inspector.latents.chosen.connect(self.choose)
        self._inspector.latent.rename_asked.connect(self.rename_state)
        self._inspector.latent.name_asked.connect(self.name_latent)
        self._inspector.latent.rows_asked.connect(self.ask_rows)
        self.table.folded.connect(self._on_table_folded)
        self.places.changed.connect(self._on_laid_out)
        self.places.failed.connect(lambda error: report(error, "Laying out the DAG"))
        self.fitting.fitted.connect(self._on_fitted)
        self.fitting.failed.connect(lambda error: report(error, FITTING))

    # What is shown --------------------------------------------------------------------------------

    @property
    def result(self) -> SearchResult | None:
        """Of the run whose DAG is shown."""
        run = self.document.shown_run
        return None if run is None else run.result

    @property
    def dag(self) -> LatentDag | None:
        """The DAG on the page."""
        return self._dag

    @property
    def facts(self) -> ModelFacts | None:
        """What is known about it so far."""
        return self._facts

    def show_best(self) -> None:
        """Look at the best DAG of the run whose DAG is shown."""
        run = self.document.shown_run
        if run is None or run is self.document.state.kept_run:
            self.document.open_dag(None)
        else:
            self.document.open_dag(run.result.best, run)

    def show_dag(self, dag: LatentDag) -> None:
        """Look at a visited DAG."""
        self.document.open_dag(dag)

    def _on_collections_changed(self) -> None:
        """Other names, or other runs beside the one that is shown."""
        self.choice.show_dags(self.document, self._dag)
        self._show_facts()

    def _show_dag(self) -> None:
        result, data = self.result, self.document.dataset
        self._facts = None
        self._dag = None if result is None else self.document.opened_dag or result.best
        self.choice.show_dags(self.document, self._dag)
        self.table.show_network(None)
        self.asking.follow((result, self._dag))
        self._draw()
        if result is None or data is None or self._dag is None:
            self.fitting.forget()
            self._inspector.show_nothing()
        else:
            self.table.show_variable(None, WAITING)
            self._inspector.show_waiting()
            self.fitting.ask(self.document.state, result, self._dag)
        self._show_enabled()

    def _draw(self) -> None:
        if self._dag is None:
            self.places.show(None)
            self.canvas.clear()
            return
        dag = self._dag.with_latent_names(self.names)
        self.places.show(dag)
        places = self.places.positions()
        self.determined.follow(dag)
        if self.determined.pag is not None:
            self.canvas.show_pag(self.determined.pag, places)
        else:
            shares, notes = self.stability.dag_shares(self._dag, self.names)
            states, cut = self.asking.states(), self.asking.cut()
            supports = self.determined.supports(None if shares else self.stability.kept)
            self.canvas.show_dag(dag, places, states, cut, shares=shares, notes=notes, supports=supports)
            self.asking.show_bars()

    def _on_determined(self) -> None:
        """Show the PAG or the DAG; a model is asked about its DAG."""
        if self.determined.is_on and self.asking.is_on:
            self.asking.set_on(False)
        self._draw()
        self._on_selected()

    def _on_laid_out(self) -> None:
        self._draw()
        self.canvas.view.fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.places.suit_room()

    def report_contents(self) -> ReportContents | None:
        """What a report tells of the run that is shown."""
        from latconf_core.report.sources import contents_of_kept

        run = self.document.shown_run
        return None if run is None else contents_of_kept(self.document.state, run, place=self.document.path)

    # The fitted model -----------------------------------------------------------------------------

    def _on_fitted(self, facts: ModelFacts) -> None:
        if facts.posterior.dag == self._dag:
            self._facts = facts
            self._show_facts()
            self._keep_score(facts.posterior.score)

    def _keep_score(self, p_elbo: float) -> None:
        """Tell the document what a visit scores now that it is fitted fully, so that no page says otherwise."""
        run = self.document.shown_run
        if run is not None and self._dag is not None:
            for visit in self.choice.visits_of(run, self._dag):
                self.document.keep_full_score(run, visit, p_elbo)

    def _show_facts(self) -> None:
        """Show tables and Inspector anew, for what is chosen."""
        if self._facts is not None:
            chosen = self.chosen
            self.table.show_network(self.network)
            self.asking.show_model(self.network, self.document.dataset)
            self._show_chosen(chosen)
        self._show_enabled()

    @property
    def network(self) -> BayesNet | None:
        """The posterior means; latents and their states under the names given to them."""
        if self._facts is None:
            return None
        posterior = self._facts.posterior
        names = {
            latent.name: self.document.state_names[latent]
            for latent in posterior.dag.latents
            if latent in self.document.state_names
        }
        return posterior.network().with_state_names(names).with_variable_names(self.names)

    def shown_model(self) -> ShownModel | None:
        """What there is to write; None while the model is being fitted."""
        network, prepared = self.network, self.document.prepared
        if network is None or self._facts is None:
            return None
        rows = None if prepared is None else prepared.rows
        return ShownModel(self._facts.posterior, network, self.names, rows, self.determined.pag)

    @property
    def truth(self) -> LatentDag | None:
        """The true DAG with its hidden common causes, where it is known."""
        network = self.document.truth
        return None if network is None or not network.latents else hidden_truth(network, network.latents)

    # Names ----------------------------------------------------------------------------------------

    @property
    def names(self) -> Mapping[str, str]:
        """What the latents of the DAG are called, by the names that they have in it, where they were given a name."""
        return {} if self._dag is None else shown_names(self._dag, self.document.latent_names)

    def _called(self, name: str) -> str:
        return self.names.get(name, name)

    def name_latent(self, name: str) -> None:
        """Give the chosen latent a name; an empty one takes it away."""
        latent = self._latent(self.chosen)
        if latent is None or self._dag is None:
            return
        try:
            name_latent(self.document, name, latent, self._dag)
        except GraphError as error:
            self._inspector.latent.take_back_name()
            self.context.report(error, "Naming a hidden cause")

    def _on_latents_named(self) -> None:
        """Draw and say everything with the new names; what was chosen stays chosen."""
        children, before = self._chosen_children, self.chosen
        after = next((self._called(latent.name) for latent in self._latents() if latent.children == children), None)
        if before is not None and after is not None:
            self.canvas.follow_name(before, after)
        self._draw()
        self.table.show_network(self.network)
        if after is not None:
            self.choose(after)
        self._show_facts()

    # Choosing -------------------------------------------------------------------------------------

    @property
    def chosen(self) -> str | None:
        """The variable or latent that is chosen in the drawing."""
        names = self.canvas.scene.selected_nodes()
        return names[0] if len(names) == 1 else None

    def choose(self, name: str) -> None:
        """Choose a variable or latent, as a click on it does, wherever it is drawn."""
        self.canvas.reveal(name)
        self.canvas.scene.select_nodes([name])
        self.canvas.view.bring_into_view(name)

    def _on_selected(self) -> None:
        self._show_chosen(self.chosen)
        self._show_enabled()

    def _show_chosen(self, name: str | None) -> None:
        facts, result = self._facts, self.result
        if facts is None or result is None:
            return
        explained = self._explain_edge()
        if explained is not None:
            self._inspector.show_edge(*explained)
            self.table.show_variable(None, "")
            return
        latent = self._latent(name)
        self._chosen_children = () if latent is None else latent.children
        if name is None:
            self._inspector.show_model(facts, result, self.truth, self.names, origin_rows(self.document, facts))
        elif latent is None:
            self._inspector.show_variable(name, facts.posterior, self.names)
        else:
            states = self.document.state_names.get(latent, facts.posterior.cpts[latent.name].states)
            self._inspector.show_latent(latent, facts.posterior, name=name, states=states, truth=self.truth)
            if latent.name in facts.latents:
                criteria = criteria_sentence(facts.posterior, facts.without)
                self._inspector.latent.show_facts(facts.latents[latent.name], criteria)
            sureness = sureness_lines(facts, latent, self.stability.kept, result)
            sureness += [NOT_COMPARED] if self.chance.is_untried(facts.posterior.dag) else []
            self._inspector.latent.show_sureness(sureness)
        self.table.show_variable(name, "")

    def _explain_edge(self) -> tuple[str, Rows, str] | None:
        """What is said of the edge that is chosen; None where none is."""
        pairs = self.canvas.scene.selected_pairs()
        if len(pairs) != 1 or self.canvas.scene.selected_nodes() or self._dag is None:
            return None
        return self.determined.explain(pairs[0], self._dag.with_latent_names(self.names), self.stability.kept)

    def _latent(self, name: str | None) -> Latent | None:
        """The latent that is shown under a name."""
        return next((latent for latent in self._latents() if self._called(latent.name) == name), None)

    def _latents(self) -> tuple[Latent, ...]:
        return () if self._dag is None else self._dag.latents

    def _on_table_folded(self, is_folded: bool) -> None:
        """Give the room of the table to the drawing, and back."""
        if is_folded:
            self._open_sizes = self.splitter.sizes()
        else:
            self.splitter.setSizes(self._open_sizes)

    def rename_state(self, old: str, new: str) -> None:
        """Give a state of the chosen latent another name."""
        latent, network = self._latent(self.chosen), self.network
        if latent is None or network is None:
            return
        name = self._called(latent.name)
        try:
            rename_state(self.document, latent, network.states(name), old=old, new=new, name=name)
        except GraphError as error:
            self.context.report(error, f"Naming a state of {name}")

    def add_to_compare(self) -> None:
        """Compare this DAG with others."""
        run = self.document.shown_run
        if self._dag is not None and run is not None:
            shown = self.choice.shown
            name = run.name if shown is None else shown.name
            pag = self.determined.pag
            dag = ComparedGraph(name, run.origin, self._dag)
            asked = dag if pag is None else ComparedGraph(f"PAG of {name}", run.origin, pag, kind="PAG")
            self.document.compare_asked.emit(asked)

    def ask_table(self) -> None:
        """Where to write the table of the chosen variable."""
        if self.chosen is None:
            self.context.report("First select the variable whose table you want to export.", "Exporting a table")
        else:
            self.files.ask_table(self.chosen)

    def ask_rows(self) -> None:
        """Where to write the chosen latent's states per row."""
        latent = self._latent(self.chosen)
        if latent is None:
            self.context.report("First select the latent whose states you want to export.", "Exporting states per row")
        else:
            self.files.ask_rows(latent.name)

    def _show_enabled(self) -> None:
        actions = self.context.actions
        has_dag, is_fitted = self._dag is not None, self._facts is not None
        is_free = allow_edits(actions, EDITING, self.document)
        self.asking.show_enabled()
        for id in ("model.best", "model.fit", "model.compare", DETERMINED):
            actions[id].setEnabled(has_dag)
        actions["model.layout"].setEnabled(has_dag and is_free)
        for id in ("model.export", "model.report", "model.graph", "model.picture", "model.apply"):
            actions[id].setEnabled(is_fitted)
        actions["model.table"].setEnabled(is_fitted and self.chosen is not None)
        actions["model.name"].setEnabled(is_free and is_fitted and self._latent(self.chosen) is not None)
        actions["model.rows"].setEnabled(is_fitted and self._latent(self.chosen) is not None)
