"""Asks the model that is shown: holds what is seen and set, shows the answers in the drawing and the panel."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, QPoint, Signal

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.data.dataset import Dataset
from latconf_core.effects.class_range import AnswerRange
from latconf_core.inference.asking import Answer
from latconf_core.wording.effect_ranges import NO_RANGE_YET, range_sentence
from latconf_gui.drawing.content.graph_drawing import NO_STATES, Beliefs
from latconf_gui.drawing.items.node_item import NodeItem
from latconf_gui.pages.dag_classes import shown_knowledge
from latconf_gui.pages.model.asking.ask_panel import AskPanel
from latconf_gui.pages.model.asking.effect_asking import EffectAsking
from latconf_gui.pages.model.asking.held_states import HeldStates
from latconf_gui.pages.model.asking.model_questions import ModelQuestions
from latconf_gui.pages.model.asking.sentences import held_sentence, latents_sentence
from latconf_gui.pages.model.canvas import DagCanvas
from latconf_gui.pages.page import PageContext

WHERE = "Asking the model"
REASON = "back-door paths"  # why edges are lit
MENU = ("model.ask", "model.see", "model.set", "model.take", "model.clear", "model.next_row", "model.previous_row")


class Asking(QObject):
    """`changed()` when the drawing has to show other nodes or edges: the mode, or what is cut."""

    changed = Signal()

    def __init__(self, context: PageContext, canvas: DagCanvas, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._canvas = canvas
        self.panel = AskPanel()
        self.panel.hide()
        self.questions = ModelQuestions(self)
        self.is_on = False
        self.held = HeldStates()
        self.answer: Answer | None = None
        self._answered = HeldStates()  # what the last answer is about
        self._clicked: tuple[int, int] | None = None  # chosen in the table with the answer, so that it is painted once
        self._network: BayesNet | None = None
        self._data: Dataset | None = None
        self._source: tuple[object, object] = (None, None)
        self._add_actions()
        self._connect()

    def _add_actions(self) -> None:
        add = self._context.actions.add
        tip = "Show all probabilities in the drawing; observe or set states to update them"
        add("model.ask", "&Ask the model", slot=self.set_on, shortcut="F7", tip=tip, checkable=True)
        table = self.panel.table
        add("model.see", "&Observe the selected state", slot=table.see_chosen, tip="Condition on the state")
        add(
            "model.set",
            "S&et the selected state",
            slot=table.set_chosen,
            tip="Set the state by intervention, cut off from its causes",
        )
        add("model.take", "&Remove evidence", slot=table.take_chosen, tip="Clear evidence on this variable")
        add("model.clear", "&Clear evidence and interventions", slot=self.clear, shortcut="Shift+F7")
        add("model.next_row", "Ne&xt row of the data", slot=lambda: self.step_row(1), shortcut="Ctrl+PgDown")
        add("model.previous_row", "Previous ro&w of the data", slot=lambda: self.step_row(-1), shortcut="Ctrl+PgUp")
        actions = self._context.actions
        self.panel.add_buttons(
            [(actions["model.previous_row"], "◀"), (actions["model.next_row"], "▶"), (actions["model.clear"], "Clear")]
        )

    def _connect(self) -> None:
        panel, report = self.panel, self._context.report
        self._canvas.dag_scene.state_clicked.connect(self._on_clicked)
        self._canvas.scene.menu_requested.connect(self._on_menu)
        panel.table.see_asked.connect(lambda i, k: self.hold(self.held.with_seen(i, k)))
        panel.table.set_asked.connect(lambda i, k: self.hold(self.held.with_set(i, k)))
        panel.table.take_asked.connect(lambda i: self.hold(self.held.without(i)))
        panel.table.selectionModel().currentRowChanged.connect(lambda *_: self.show_enabled())
        panel.row_asked.connect(self.see_row)
        panel.pair.changed.connect(self._ask_pair)
        self.effects = EffectAsking(self._context, panel.pair, self.questions)
        panel.tabs.currentChanged.connect(lambda _: self._ask_pair())
        panel.pair.highlights_changed.connect(lambda lit: self._canvas.highlight(REASON, lit if self.is_on else {}))
        self.questions.answered.connect(self._on_answered)
        self.questions.compared.connect(self._on_compared)
        self.questions.refused.connect(self._on_refused)
        self.questions.pair_answered.connect(panel.pair.show_answer)
        self.questions.failed.connect(lambda error: report(error, WHERE))

    @property
    def is_busy(self) -> bool:
        """Whether a question is being answered."""
        return self.questions.is_busy

    def stop(self) -> None:
        """End every question that is being answered."""
        self.questions.stop()

    # What is asked --------------------------------------------------------------------------------

    def follow(self, source: tuple[object, object]) -> None:
        """Another DAG may be shown; of another than before nothing is seen or set, and its tables are not known."""
        is_same = source[0] is self._source[0] and source[1] == self._source[1]
        self._source = source
        self._network = self.answer = self._clicked = None
        self.questions.forget()
        if not is_same:
            self.held = self._answered = HeldStates()
            self.panel.show_problem("")
        self.panel.beliefs.show_network(None)
        self.panel.pair.show_network(None)
        self._show_held()

    def show_model(self, network: BayesNet | None, data: Dataset | None) -> None:
        """The tables of the DAG, under the names that everything has now."""
        if network == self._network:
            return
        self._network, self._data, self.answer = network, data, None
        self.panel.beliefs.show_network(network)
        self.panel.pair.show_network(network)
        self.panel.show_rows(0 if data is None else data.n_rows)
        self.panel.show_row(self.held.row)
        self.changed.emit()
        self._ask()

    def set_on(self, is_on: bool) -> None:
        """Show the bars and the panel, or not; what is seen and set is kept meanwhile."""
        self.is_on = is_on
        self._context.actions["model.ask"].setChecked(is_on)
        if is_on:
            self._context.actions["model.determined"].setChecked(False)  # a DAG is asked, no PAG
        self.panel.setVisible(is_on)
        self.changed.emit()
        self._canvas.view.fit()
        self._canvas.highlight(REASON, {})
        self._ask()
        self.show_enabled()

    def hold(self, held: HeldStates) -> None:
        """See and set exactly this."""
        if self._network is not None and held != self.held:
            self.held = held
            self.panel.show_problem("")
            self._ask()

    def clear(self) -> None:
        """See and set nothing."""
        self.hold(HeldStates())

    def see_row(self, row: int) -> None:
        """See all states of a row of the data, and set nothing."""
        data, network = self._data, self._network
        if data is None or network is None or not 0 <= row < data.n_rows:
            return
        position_of = {name: i for i, name in enumerate(network.variables)}
        states = zip(data.names, data.codes[row].tolist())
        self.hold(
            HeldStates(
                {position_of[name]: state for name, state in states if name in position_of and state >= 0}, row=row
            )
        )

    def step_row(self, step: int) -> None:
        """See the next row of the data, or the one before; from the last on to the first."""
        if self._data is not None and self._data.n_rows:
            last = self._data.n_rows - 1 if step < 0 else 0
            row = last if self.held.row is None else (self.held.row + step) % self._data.n_rows
            self.see_row(row)

    def _on_clicked(self, name: str, state: int, is_set: bool) -> None:
        if self._network is None:
            return
        variable = self._network.variables.index(name)
        self._clicked = variable, state
        self.hold(self.held.with_set(variable, state) if is_set else self.held.with_seen(variable, state))

    def _on_menu(self, item: object, point: QPoint) -> None:
        """The commands for the state under the mouse."""
        if not self.is_on or self._network is None or not isinstance(item, NodeItem):
            return
        view = self._canvas.view
        state = item.state_at(view.mapToScene(view.viewport().mapFromGlobal(point)))
        if state is not None:
            self.panel.table.choose(self._network.variables.index(item.name), state)
            actions = self._context.actions
            ids = ("model.see", "model.set", "model.take", None, "model.clear")
            self._canvas.menu_at([None if id is None else actions[id] for id in ids], point)

    def _ask(self) -> None:
        if self.is_on and self._network is not None:
            question, knowledge = self.held.question(self._network), shown_knowledge(self._context.document)
            self.questions.ask(self._network, question, knowledge=knowledge)
        self._ask_pair()
        self.show_enabled()

    def _ask_pair(self) -> None:
        pair = self.panel.pair
        is_open = self.is_on and self.panel.tabs.currentWidget() is pair
        if self._network is None or not is_open or pair.asked is None:
            self.questions.forget_pair()
            pair.show_answer(None)
            self.effects.follow(None, None)
            return
        cause, effect = pair.asked
        given, knowledge = self.held.question(self._network), shown_knowledge(self._context.document)
        self.questions.ask_pair(self._network, cause, effect, given=given, knowledge=knowledge)
        self.effects.follow(self._network, self._data)

    # What is shown --------------------------------------------------------------------------------

    def _on_answered(self, answer: Answer) -> None:
        self.answer = answer
        self._choose_clicked()
        had_cut, self._answered = set(self._answered.set_to), self.held
        self._show_held()
        self.panel.beliefs.show_answer(answer, self.held)
        if had_cut != set(self.held.set_to):
            self.changed.emit()
        else:
            self.show_bars()

    def _on_compared(self, answer_range: AnswerRange) -> None:
        """The least and the greatest of all DAGs that fit as well."""
        self.panel.beliefs.show_range(answer_range)
        self.panel.show_range(range_sentence(answer_range))
        self.panel.caveat.setVisible(not answer_range.is_same)

    def _choose_clicked(self) -> None:
        """Choose in the table what was clicked in the drawing."""
        if self._clicked is not None:
            self.panel.table.choose(*self._clicked)
            self._clicked = None

    def _on_refused(self, error: Exception) -> None:
        """What cannot be answered is said and taken back."""
        self.panel.show_problem(f"{str(error)[:1].upper()}{str(error)[1:]}. The last change was undone.")
        self.held = self._answered
        self._choose_clicked()
        self._show_held()
        self.show_enabled()
        self._ask_pair()

    def _show_held(self) -> None:
        self.panel.show_row(self.held.row)
        network, answer = self._network, self.answer
        if network is None or answer is None or self.held.is_empty:
            self.panel.show_held("", "", has_set=False)
        else:
            text = held_sentence(answer, self.held.row)
            has_set = bool(self.held.set_to)
            self.panel.show_held(text, latents_sentence(answer), has_set=has_set)
            if has_set:
                self.panel.show_range(NO_RANGE_YET)

    def states(self) -> Mapping[str, tuple[str, ...]]:
        """The states that the nodes of the drawing show."""
        network = self._network
        return NO_STATES if network is None or not self.is_on else {name: network.states(name) for name in network.cpts}

    def cut(self) -> tuple[str, ...]:
        """The variables that are set."""
        network = self._network
        if network is None or not self.is_on:
            return ()
        return tuple(network.variables[i] for i in self._answered.set_to)

    def show_bars(self) -> None:
        """Fill the bars of the drawing."""
        answer, held = self.answer, self._answered
        beliefs = {}
        if answer is not None and self.is_on:
            for i, (name, shares) in enumerate(answer.probabilities.items()):
                beliefs[name] = Beliefs(
                    tuple(shares.tolist()), tuple(answer.before[name].tolist()), held.seen.get(i), held.set_to.get(i)
                )
        self._canvas.scene.show_beliefs(beliefs)

    def show_enabled(self) -> None:
        """Offer the commands that can be used now."""
        network, chosen = self._network, self.panel.table.chosen
        is_ready = self.is_on and network is not None
        has_chosen = is_ready and chosen is not None
        is_latent = network is not None and chosen is not None and network.variables[chosen[0]] in network.latents
        has_rows = is_ready and self._data is not None
        can = {
            "model.ask": self._source != (None, None),
            "model.see": has_chosen,
            "model.set": has_chosen and not is_latent,
            "model.take": has_chosen,
            "model.clear": is_ready and not self.held.is_empty,
            "model.next_row": has_rows,
            "model.previous_row": has_rows,
        }
        for id, is_possible in can.items():
            self._context.actions[id].setEnabled(is_possible)
