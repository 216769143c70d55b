"""Seeing a cause against setting it, for one effect: the numbers, the open back-door paths, what to adjust for."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFormLayout,
    QHeaderView,
    QListWidget,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.effects.class_range import AnswerRange
from latconf_core.effects.effect_question import EffectQuestion
from latconf_core.effects.routes import Identified
from latconf_core.graph.paths import PathVerdict
from latconf_core.inference.asking import CAVEAT
from latconf_core.inference.contrast import Contrast, contrast_sentence, path_text
from latconf_core.wording.adjustment_sentences import adjustment_sentences, set_text
from latconf_gui.drawing.content.graph_drawing import Pair
from latconf_gui.look.colours import Highlight
from latconf_gui.pages.model.asking.effect_part import EffectPart
from latconf_gui.pages.model.asking.model_questions import PairAnswer
from latconf_gui.pages.model.asking.range_part import RangePart
from latconf_gui.widgets.scroll import ScrollColumn
from latconf_gui.widgets.terms.term_label import TermLabel
from latconf_gui.widgets.text import SPACE, Heading, Quiet
from latconf_gui.widgets.text_size import FollowTextSize

COLUMNS = ("Effect", "Before", "Observe", "Intervene")
CHOOSE = "Choose two different measured variables: a cause with its state, and an effect."
LETTERS_OF_NAME = 10
MOST_LINES = 7  # of a list before it scrolls


class PairPanel(QWidget):
    """`changed()` when another pair is asked for, `contrast_changed()` when another contrast of the same pair.

    `highlights_changed` carries the back-door paths that are lit.
    """

    changed = Signal()
    contrast_changed = Signal()
    highlights_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Cause and effect")
        self._network: BayesNet | None = None
        self._paths: tuple[PathVerdict, ...] = ()
        self.cause, self.state, self.effect = QComboBox(), QComboBox(), QComboBox()
        self.numbers = QTableWidget(0, len(COLUMNS))
        self.sentence, self.adjustment, self.more = TermLabel(), TermLabel(), TermLabel()
        self.paths, self.sets = QListWidget(), QListWidget()
        self.range, self.numbers_of_effect = RangePart(), EffectPart()
        self._build()
        self.cause.currentIndexChanged.connect(self._on_cause)
        for box in (self.state, self.effect):
            box.currentIndexChanged.connect(lambda _: self._on_chosen())
        self.numbers_of_effect.changed.connect(self.contrast_changed)
        self.paths.currentRowChanged.connect(self._show_lights)
        FollowTextSize(self, self._fit)
        self.show_answer(None)

    def _build(self) -> None:
        scroll = ScrollColumn("Cause and effect")
        column = scroll.column
        form = QFormLayout()
        for box, text, name in (
            (self.cause, "&Cause", "Cause"),
            (self.state, "&State", "State of the cause"),
            (self.effect, "E&ffect", "Effect"),
        ):
            box.setAccessibleName(name)
            box.setMinimumContentsLength(LETTERS_OF_NAME)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            form.addRow(text, box)
        column.addLayout(form)
        self._build_numbers()
        self.paths.setAccessibleName("Open back-door paths")
        self.sets.setAccessibleName("Adjustment sets")
        for shown in (self.paths, self.sets):
            shown.setWordWrap(True)
            shown.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            shown.setResizeMode(QListWidget.ResizeMode.Adjust)
        column.addWidget(Heading("Observing versus intervening", factor=1.0))
        self.caveat = Quiet(CAVEAT)
        for widget in (self.numbers, self.sentence, self.paths, self.caveat):
            column.addWidget(widget)
        column.addSpacing(SPACE // 2)
        column.addWidget(self.range)
        column.addWidget(self.numbers_of_effect)
        column.addSpacing(SPACE // 2)
        column.addWidget(Heading("Adjustment set", factor=1.0))
        for widget in (self.adjustment, self.sets, self.more):
            column.addWidget(widget)
        column.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll)

    def _build_numbers(self) -> None:
        table = self.numbers
        table.setHorizontalHeaderLabels(COLUMNS)
        table.setAccessibleName("The effect before, after observing and after setting the cause")
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.horizontalHeader().setHighlightSections(False)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    # Choosing -------------------------------------------------------------------------------------

    def show_network(self, network: BayesNet | None) -> None:
        """Offer the measured variables of a network; a choice that is still there is kept."""
        self._network = network
        names = [] if network is None else [name for name in network.variables if name not in network.latents]
        for box, fallback in ((self.cause, 0), (self.effect, 1)):
            self._fill(box, names, min(fallback, len(names) - 1))
        self._fill_states()
        self._offer_contrasts()
        self.show_answer(None)

    def _fill(self, box: QComboBox, names: list[str], fallback: int) -> None:
        kept = box.currentText()
        box.blockSignals(True)
        box.clear()
        box.addItems(names)
        box.setCurrentIndex(names.index(kept) if kept in names else fallback)
        box.blockSignals(False)

    def _fill_states(self) -> None:
        network, name = self._network, self.cause.currentText()
        states = list(network.states(name)) if network is not None and name in network.cpts else []
        self._fill(self.state, states, 0)

    def _on_cause(self) -> None:
        self._fill_states()
        self._on_chosen()

    def _on_chosen(self) -> None:
        self._offer_contrasts()
        self.changed.emit()

    def _offer_contrasts(self) -> None:
        """The states that can be compared, of the pair that is chosen."""
        network, cause, effect = self._network, self.cause.currentText(), self.effect.currentText()
        if network is not None and cause in network.cpts and effect in network.cpts:
            states = network.states(cause), network.states(effect)
            self.numbers_of_effect.offer(*states, chosen=self.state.currentText())

    @property
    def question(self) -> EffectQuestion | None:
        """The effect that is asked for in numbers; None where the two are no pair."""
        contrast, asked = self.numbers_of_effect.asked, self.asked
        if asked is None or contrast is None:
            return None
        (cause, state), effect = asked
        return EffectQuestion(cause, state, contrast[0], effect, contrast[1])

    @property
    def asked(self) -> tuple[tuple[str, str], str] | None:
        """The cause with its state and the effect; None where they are no pair."""
        cause, effect = self.cause.currentText(), self.effect.currentText()
        return None if not cause or not effect or cause == effect else ((cause, self.state.currentText()), effect)

    def ask_about(self, cause: str, effect: str, state: str | None = None) -> None:
        """Choose a pair."""
        self.cause.setCurrentText(cause)
        self.effect.setCurrentText(effect)
        if state is not None:
            self.state.setCurrentText(state)

    # Showing --------------------------------------------------------------------------------------

    def show_answer(self, answer: PairAnswer | AnswerRange | None) -> None:
        """Show what is known of the pair; the range comes after the rest."""
        if isinstance(answer, AnswerRange):
            asked = self.asked
            if asked is not None:
                self.range.show_range(answer, asked[1])
                self.caveat.setVisible(not answer.is_same)
            return
        contrast = None if answer is None else answer.contrast
        self._paths = () if contrast is None else contrast.open_paths
        self._show_numbers(contrast)
        self.sentence.setText(
            "" if answer is None else answer.problem if contrast is None else contrast_sentence(contrast)
        )
        self.caveat.setVisible(contrast is not None)
        self.paths.blockSignals(True)
        self.paths.clear()
        if contrast is not None and self._network is not None:
            network = self._network
            self.paths.addItems([path_text(network, path) for path in contrast.open_paths])
        self.paths.blockSignals(False)
        self.numbers_of_effect.setVisible(contrast is not None)
        if contrast is None:
            self.range.show_nothing()
            self.numbers_of_effect.show_answer(None)
        else:
            self.range.show_waiting()
        self._show_identified(None if answer is None else answer.identified)
        if self.asked is None:
            self.sentence.setText(CHOOSE)
        for shown in (self.paths, self.sets):
            self._fit_list(shown)
        self._show_lights()

    def _show_numbers(self, contrast: Contrast | None) -> None:
        self.numbers.setVisible(contrast is not None)
        if contrast is None:
            return
        self.numbers.setHorizontalHeaderItem(0, QTableWidgetItem(contrast.effect))
        self.numbers.setRowCount(len(contrast.states))
        for row, (state, *shares) in enumerate(zip(contrast.states, contrast.before, contrast.seen, contrast.set_to)):
            self.numbers.setItem(row, 0, QTableWidgetItem(state))
            for column, share in enumerate(shares, start=1):
                item = QTableWidgetItem(f"{share:.3f}")
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.numbers.setItem(row, column, item)
        self._fit_numbers()

    def _fit_numbers(self) -> None:
        line, header = round(self.fontMetrics().height() * 1.5), self.numbers.horizontalHeader()
        self.numbers.verticalHeader().setDefaultSectionSize(line)
        n_lines = min(self.numbers.rowCount(), MOST_LINES)
        self.numbers.setFixedHeight(header.sizeHint().height() + n_lines * line + 4)

    def _fit(self) -> None:
        """Heights for the text at its present size."""
        self._fit_numbers()
        for shown in (self.paths, self.sets):
            self._fit_list(shown)

    def _show_identified(self, identified: Identified | None) -> None:
        """Adjustment set; that a hidden cause would have to be measured is said only where nothing else helps."""
        adjustment = None if identified is None else identified.adjustment
        said = [] if adjustment is None else adjustment_sentences(adjustment, identified)
        self.adjustment.setText(said[0] if said else "")
        self.more.setText("\n".join(said[1:]))
        self.more.setVisible(len(said) > 1)
        self.sets.clear()
        if adjustment is not None and adjustment.is_cause:
            self.sets.addItems([set_text(names) for names in adjustment.sets if names])

    def _fit_list(self, shown: QListWidget) -> None:
        shown.setVisible(shown.count() > 0)
        line = round(self.fontMetrics().height() * 1.5)
        shown.setFixedHeight(min(max(shown.count(), 1), MOST_LINES) * line + 6)

    def _show_lights(self) -> None:
        """Light the chosen path, or all open ones."""
        row = self.paths.currentRow()
        paths = (self._paths[row],) if 0 <= row < len(self._paths) else self._paths
        lit: dict[Pair, Highlight] = {
            frozenset(step): Highlight.PATH for path in paths for step in zip(path.nodes, path.nodes[1:])
        }
        self.highlights_changed.emit(lit)
