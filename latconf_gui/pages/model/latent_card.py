"""The card of a latent: its states, the evidence for it, and what it goes with."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.score.posterior import Posterior
from latconf_core.search.model_facts import LatentFacts
from latconf_core.wording.agreement_sentences import agreement_sentences
from latconf_core.wording.evidence_texts import SAME_NATS, nats_apart
from latconf_gui.look.icons import icon
from latconf_gui.pages.model.associations_model import NAME, STRENGTH, STRENGTH_ROLE, AssociationsModel
from latconf_gui.pages.model.sentences import (
    density_sentence,
    more_asked_lines,
    orientation_lines,
    truth_sentence,
    warning_lines,
)
from latconf_gui.pages.model.states_curve_chart import StatesCurve
from latconf_gui.widgets.probability import ProbabilityDelegate
from latconf_gui.widgets.state_table import fit_rows, make_state_table
from latconf_gui.widgets.states_model import StatesModel
from latconf_gui.widgets.table_looks import choose_single_rows
from latconf_gui.widgets.terms.term_label import TermLabel
from latconf_gui.widgets.text import SPACE, Heading, Quiet, keep_arrows_whole
from latconf_gui.widgets.text_size import FollowTextSize

MOST_ROWS = 8  # of a table before it scrolls
WAITING = "Computing…"


class LatentCard(QWidget):
    """One latent. It changes nothing itself: `name_asked(name)`, `rename_asked(old, new)` (a state), `rows_asked()`."""

    rename_asked = Signal(str, str)
    name_asked = Signal(str)
    rows_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Latent")
        self.title, self.summary, self.truth, self.agreement = Heading(), Quiet(), _text(), _text()
        self.name = QLineEdit()
        self._shown_name = ""
        self.states = StatesModel(self)
        self.state_table = make_state_table(self.states)
        self.warnings = _text()
        self.orientation, self.density, self.notes, self.spread = _text(), _text(), _text(), _text()
        self.sureness = _text()
        self.curve = StatesCurve()
        self.associations = AssociationsModel(self)
        self.association_table = QTableView()
        self.rows = QPushButton(icon("save"), "Export states per row…")
        self._build()
        self.states.renamed.connect(self.rename_asked)
        self.name.editingFinished.connect(self._on_named)
        self.rows.clicked.connect(self.rows_asked)
        FollowTextSize(self, self._fit_tables)

    def _build(self) -> None:
        self.rows.setToolTip("Write the probability of each state and the most probable state per row (CSV)")
        self.state_table.setAccessibleName("States of the latent with expected numbers of rows")
        self._build_association_table()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        self.name.setAccessibleName("Name of the hidden cause")
        self.name.setPlaceholderText("Enter a name")
        self.name.setToolTip("Your interpretation of this hidden cause; kept in every DAG with these children")
        for widget in (self.title, self.name, self.summary, self.truth, self.agreement):
            layout.addWidget(widget)
        parts: tuple[tuple[str, tuple[QWidget, ...]], ...] = (
            ("States", (self.state_table, self.warnings, Quiet("Double-click a state, or press F2, to name it."))),
            ("Evidence in the data", (self.density, self.notes)),
            ("Verdict of the PAG", (self.orientation,)),
            ("Stability", (self.sureness,)),
            ("Score by number of states", (self.curve,)),
            ("Spread over random starts", (self.spread,)),
            ("Associated variables", (self.association_table,)),
        )
        for heading, inside in parts:
            layout.addSpacing(SPACE // 2)
            layout.addWidget(Heading(heading, factor=1.0))
            for each in inside:
                layout.addWidget(each)
        layout.addWidget(self.rows)

    def _build_association_table(self) -> None:
        table = self.association_table
        table.setModel(self.associations)
        table.setAccessibleName("Association of the latent with each variable")
        table.setItemDelegateForColumn(STRENGTH, ProbabilityDelegate(STRENGTH_ROLE, table))
        choose_single_rows(table)
        table.horizontalHeader().setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        table.horizontalHeader().setSectionResizeMode(STRENGTH, QHeaderView.ResizeMode.ResizeToContents)

    def set_editable(self, is_editable: bool) -> None:
        """Whether the latent and its states can be named here."""
        self.states.set_editable(is_editable)
        self.name.setReadOnly(not is_editable)

    def show_latent(
        self, latent: Latent, posterior: Posterior, *, name: str, states: tuple[str, ...], truth: LatentDag | None
    ) -> None:
        """Show what the posterior says; the rest is still being computed."""
        latent_posterior = posterior.latents[latent.name]
        self.title.setText(name)
        self._shown_name = "" if name == latent.name else name
        self.name.setText(self._shown_name)
        self.summary.setText(
            f"{latent.n_states} states ({latent_posterior.effective_states:.2f} effective) · hidden common cause of "
            f"{', '.join(latent.children)}{'' if latent.parent is None else f', with the parent {latent.parent}'}"
        )
        self.truth.setVisible(truth is not None)
        if truth is not None:
            self.truth.setText(truth_sentence(latent, truth))
        expected = np.round(latent_posterior.weights * posterior.dataset.n_rows).astype(np.int64)
        self.states.show(states, expected)
        self.warnings.setText("\n".join(_capital(text) for text in latent_posterior.warnings))
        self.warnings.setVisible(bool(latent_posterior.warnings))
        for label in (self.orientation, self.density, self.spread, self.sureness):
            label.setText(WAITING)
        self._show_notes([])
        self.agreement.hide()
        self.curve.show_points((), 0)
        self.associations.show(())
        self._fit_tables()

    def _on_named(self) -> None:
        if self.name.text().strip() != self._shown_name:
            self.name_asked.emit(self.name.text().strip())

    def take_back_name(self) -> None:
        """Show the name it has, because the one that was typed cannot be given."""
        self.name.setText(self._shown_name)

    def show_facts(self, facts: LatentFacts, criteria: str = "") -> None:
        """Show what took longer to compute; `criteria` says what BIC and log-likelihood prefer."""
        said = orientation_lines(facts.evidence) or ["No verdict: the search had no PAG."]
        self.orientation.setText(keep_arrows_whole("\n".join(said)))
        lines = [density_sentence(facts.evidence), criteria, *more_asked_lines(facts.evidence)]
        self.density.setText("\n".join(filter(None, lines)))
        self._show_notes(warning_lines(facts.evidence))
        self.agreement.setText("\n".join(agreement_sentences(facts.agreements, self.states.states)))
        self.agreement.setVisible(bool(facts.agreements))
        self.curve.show_points(facts.curve, facts.latent.n_states)
        self.spread.setText(spread_sentence(facts))
        self.associations.show(facts.associations)
        self._fit_tables()

    def show_sureness(self, lines: list[str]) -> None:
        """What samples of the rows say, and the weight among the visited DAGs."""
        self.sureness.setText("\n".join(lines))

    def _show_notes(self, lines: list[str]) -> None:
        self.notes.setText("\n".join(lines))
        self.notes.setVisible(bool(lines))

    def _fit_tables(self) -> None:
        for table in (self.state_table, self.association_table):
            line = round(self.fontMetrics().height() * 1.7)
            if table is self.association_table:
                table.verticalHeader().setDefaultSectionSize(line)
            else:
                fit_rows(table)
                table.resizeColumnToContents(NAME)
                table.setColumnWidth(NAME, min(table.columnWidth(NAME), table.viewport().width() // 2))
            n_rows = min(max(table.model().rowCount(), 1), MOST_ROWS)
            heights = sum(table.rowHeight(row) for row in range(table.model().rowCount())[:n_rows]) or line
            table.setFixedHeight(table.horizontalHeader().sizeHint().height() + heights + 6)


def spread_sentence(facts: LatentFacts) -> str:
    """How far the runs that were finished end apart."""
    bounds = facts.spread
    if len(bounds) < 2:
        return "One random start."
    apart = float(bounds[0] - bounds[-1])
    if apart < SAME_NATS:
        return f"{len(bounds)} random starts; all reached the same score."
    text = f"{len(bounds)} random starts; the worst is {nats_apart(apart)} below the best"
    return f"{text}." if apart < 1 else f"{text}: the starts reach different optima."


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _text() -> TermLabel:
    label = TermLabel()
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
