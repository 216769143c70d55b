"""The Inspector of the Model page: the whole model, one variable, or one latent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFormLayout, QLabel, QWidget

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.phrases import counted
from latconf_core.score.posterior import Posterior
from latconf_core.search.model_facts import ModelFacts
from latconf_core.search.outcome.result import SearchResult
from latconf_core.wording.row_words import row_sentences
from latconf_core.wording.verdicts import is_too_small, too_small_text
from latconf_gui.pages.model.latent_card import LatentCard
from latconf_gui.pages.model.latent_list import LatentList
from latconf_gui.pages.model.sentences import (
    MEANINGS,
    Rows,
    gain_sentence,
    hidden_sentences,
    model_rows,
    rank_sentence,
    run_rows,
)
from latconf_gui.pages.page import INSPECTOR_LINES
from latconf_gui.widgets.scroll import LeastLines, ScrollColumn
from latconf_gui.widgets.terms.term_label import TermLabel
from latconf_gui.widgets.text import SPACE, Heading, Quiet

NO_NAMES: Mapping[str, str] = MappingProxyType({})
HINT = (
    "Click a variable or a hidden cause (dashed ellipse) to see its table, or an arrow to see what the data determine."
)
LEAST_LINES_FOR_COLUMNS = 15  # the width, in heights of a line, from which names and values stand beside each other


class ModelInspector(ScrollColumn):
    """Shows values that others computed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Inspector of the model", parent)
        self.setAccessibleName("Inspector of the model")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.title, self.text, self.hint = Heading(), TermLabel(), Quiet()
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text.setContentsMargins(0, SPACE // 2, 0, SPACE // 2)
        self.form = QFormLayout()
        self.form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.latent, self.latents = LatentCard(), LatentList()
        layout = self.column
        layout.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        layout.addWidget(self.title)
        layout.addLayout(self.form)
        layout.addWidget(self.latents)
        layout.addWidget(self.text)
        layout.addWidget(self.hint)
        layout.addWidget(self.latent)
        layout.addStretch(1)
        LeastLines(self, wide=INSPECTOR_LINES)
        self.show_nothing()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow inspector names stand above their values."""
        super().resizeEvent(event)
        policy = QFormLayout.RowWrapPolicy
        is_narrow = self.viewport().width() < self.fontMetrics().height() * LEAST_LINES_FOR_COLUMNS
        self.form.setRowWrapPolicy(policy.WrapAllRows if is_narrow else policy.WrapLongRows)

    def showEvent(self, event: QShowEvent) -> None:
        """Rows that came while this was hidden have their heights for another width."""
        super().showEvent(event)
        self.column.invalidate()
        self.column.activate()

    def show_nothing(self) -> None:
        """No model yet."""
        self._show("No model yet", [], "Run a search first.", "")

    def show_waiting(self) -> None:
        """The model is being fitted."""
        self._show("The model", [], "The tables of this DAG are being computed.", "")

    def show_model(
        self,
        facts: ModelFacts,
        result: SearchResult,
        truth: LatentDag | None,
        names: Mapping[str, str] = NO_NAMES,
        run: Sequence[tuple[str, str]] = (),
    ) -> None:
        """The whole model; `names` are those given to its latents, `run` says which run it is of."""
        posterior = facts.posterior
        lines = [rank_sentence(posterior, result), gain_sentence(posterior, result)]
        lines += [f"{too_small_text(result)}."] if is_too_small(result) else []
        lines += hidden_sentences(posterior.dag.with_latent_names(names), truth) if truth is not None else []
        lines += [f"{text[:1].upper()}{text[1:]}." for text in posterior.warnings]
        lines += row_sentences(result)
        rows = [*model_rows(posterior), *run, *run_rows(result)]
        self._show(
            "The model",
            rows,
            "\n\n".join(lines),
            HINT,
        )
        self.latents.show_latents(posterior.dag, names)

    def show_variable(self, name: str, posterior: Posterior, names: Mapping[str, str] = NO_NAMES) -> None:
        """A measured variable."""
        cpt = posterior.cpts[name]
        dag = posterior.dag.with_latent_names(names)
        hidden = [latent.name for latent in dag.latents if name in latent.children]
        children = [child for child, parents in dag.parents_with_latents.items() if name in parents]
        rows = [
            ("States", ", ".join(cpt.states)),
            ("Parents", ", ".join(dag.parents[name]) or "none"),
            ("Latents", ", ".join(hidden) or "none"),
            ("Children", ", ".join(children) or "none"),
            ("Free parameters", f"{cpt.n_free_parameters:,}"),
        ]
        configurations = cpt.n_free_parameters // max(len(cpt.states) - 1, 1)
        hint = f"Its table below has {counted(configurations, 'row')}, one for each combination of its parents' states."
        self._show(name, rows, "", hint if cpt.parents else "It has no parents: its table has one row.")

    def show_edge(self, title: str, rows: Rows, text: str) -> None:
        """An edge of the DAG, or of the PAG that is shown in its place."""
        self._show(title, rows, text, "")

    def show_latent(
        self, latent: Latent, posterior: Posterior, *, name: str, states: tuple[str, ...], truth: LatentDag | None
    ) -> None:
        """A latent under the name given to it; what takes longer to compute follows through `latent.show_facts`."""
        self.latent.show_latent(latent, posterior, name=name, states=states, truth=truth)
        for widget in (self.title, self.text, self.hint, self.latents):
            widget.hide()
        self._show_rows([])
        self.latent.show()

    def _show(self, title: str, rows: Rows, text: str, hint: str) -> None:
        self.latent.hide()
        self.latents.hide()
        self.title.setText(title)
        self.text.setText(text)
        self.hint.setText(hint)
        self.title.show()
        self.text.setVisible(bool(text))
        self.hint.setVisible(bool(hint))
        self._show_rows(rows)

    def _show_rows(self, rows: Rows) -> None:
        while self.form.rowCount():
            self.form.removeRow(0)
        for name, value in rows:
            label = QLabel(value)
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setAccessibleName(name)
            title = Quiet(name)
            for widget in (title, label):
                widget.setToolTip(MEANINGS.get(name, ""))
            self.form.addRow(title, label)

    def value(self, name: str) -> str:
        """What stands beside a name."""
        for row in range(self.form.rowCount()):
            item = self.form.itemAt(row, QFormLayout.ItemRole.FieldRole)
            field = None if item is None else item.widget()
            if isinstance(field, QLabel) and field.accessibleName() == name:
                return field.text()
        raise KeyError(name)
