"""Background knowledge for learning: tiers, forbidden and required causes, and knowledge files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from latconf_core.errors import LatconfError
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_gui.application.document import Document
from latconf_gui.background.runs import Report
from latconf_gui.pages.pag.knowledge_model import CauseTableModel, TierTableModel, tiers_of, with_cause, with_tiers
from latconf_gui.widgets.scroll import LeastLines, ScrollColumn
from latconf_gui.widgets.text import Quiet
from latconf_gui.widgets.text_size import FollowTextSize

WHERE = "Background knowledge"
ABOUT = (
    "What you know before any data: who comes later in time, who causes whom or does not. "
    "The next PAG that you learn keeps to it; the one you have stays as it is."
)


class KnowledgePanel(QWidget):
    """Edits the document's knowledge; each change is one undo step, and a contradiction is said and not taken over."""

    import_asked = Signal()
    export_asked = Signal()

    def __init__(self, document: Document, report: Report, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Background knowledge")
        self._document = document
        self._report = report
        self.tiers = TierTableModel(self)
        self.causes = CauseTableModel(self)
        self.tiers.tier_chosen.connect(self._on_tier)
        self._build()
        document.knowledge_changed.connect(self.show_knowledge)
        document.dataset_changed.connect(self.show_knowledge)
        document.pag_changed.connect(self.show_knowledge)
        self.show_knowledge()

    def _build(self) -> None:
        self.tier_table = _table(self.tiers, "Tiers of the variables")
        self.closed = QListWidget()
        self.closed.setAccessibleName("Tiers without causes inside")
        self.closed.setWordWrap(True)
        self.closed.setSpacing(1)
        self.closed.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.closed.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.closed.itemChanged.connect(self._on_closed)
        self.closed_title = QLabel("Tiers without causes inside")
        self.cause_table = _table(self.causes, "Forbidden and required causes")
        self.cause_table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.cause_table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        scroll = ScrollColumn()
        layout = scroll.column
        layout.addWidget(Quiet(ABOUT))
        layout.addLayout(self._file_buttons())
        layout.addWidget(self.tier_table, 3)
        layout.addWidget(self.closed_title)
        layout.addWidget(self.closed, 1)
        layout.addWidget(self.cause_table, 2)
        layout.addLayout(self._form())
        for shown, n_lines in ((self.tier_table, 7), (self.closed, 4), (self.cause_table, 5)):
            LeastLines(shown, n_lines)
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.addWidget(scroll)

    def _file_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self._editing: list[QPushButton] = []
        for text, tip, slot in (
            ("Import…", "Read background knowledge from a Tetrad file or a CSV table", self.import_asked.emit),
            ("Export…", "Write the background knowledge as a Tetrad file or a CSV table", self.export_asked.emit),
            ("Clear", "Forget all background knowledge; it can be undone", self.clear),
        ):
            button = QPushButton(text)
            button.setToolTip(tip)
            button.clicked.connect(slot)
            row.addWidget(button)
            self._editing += [button] if text != "Export…" else []
        row.addStretch(1)
        return row

    def _form(self) -> QVBoxLayout:
        self.first, self.rule, self.second = QComboBox(), QComboBox(), QComboBox()
        self.rule.addItems(["does not cause", "causes"])
        self.rule.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        for box, name in ((self.first, "Cause"), (self.rule, "Rule"), (self.second, "Effect")):
            box.setAccessibleName(name)
        for box in (self.first, self.second):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumWidth(self.fontMetrics().height() * 3)  # the rule between them must be readable
        self.add = QPushButton("Add rule")
        self.add.clicked.connect(self._on_add)
        self.delete = QPushButton("Delete rule")
        self.delete.clicked.connect(self._on_delete)
        boxes, buttons = QHBoxLayout(), QHBoxLayout()
        for box in (self.first, self.rule, self.second):
            boxes.addWidget(box, 0 if box is self.rule else 1)
        buttons.addWidget(self.add)
        buttons.addStretch(1)
        buttons.addWidget(self.delete)
        form = QVBoxLayout()
        form.addLayout(boxes)
        form.addLayout(buttons)
        return form

    def set_editable(self, is_editable: bool) -> None:
        """Whether anything here can be changed."""
        triggers = QAbstractItemView.EditTrigger
        usual = triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed
        self.tier_table.setEditTriggers(usual if is_editable else triggers.NoEditTriggers)
        for widget in (self.closed, self.first, self.rule, self.second, self.add, self.delete, *self._editing):
            widget.setEnabled(is_editable)

    def names(self) -> tuple[str, ...]:
        """The variables knowledge can be about."""
        if self._document.dataset is not None:
            return self._document.dataset.names
        return () if self._document.pag is None else self._document.pag.nodes

    def show_knowledge(self) -> None:
        """Follow the document."""
        knowledge, names = self._document.knowledge, self.names()
        self.tiers.show_tiers(names, knowledge)
        self.causes.show_causes(knowledge)
        for box in (self.first, self.second):
            if [box.itemText(i) for i in range(box.count())] != list(names):
                box.clear()
                box.addItems(names)
        self.closed.blockSignals(True)
        self.closed.clear()
        for tier in range(len(knowledge.tiers)):
            item = QListWidgetItem(f"No variable of tier {tier + 1} causes another of it")
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            is_closed = tier in knowledge.closed_tiers
            item.setCheckState(Qt.CheckState.Checked if is_closed else Qt.CheckState.Unchecked)
            self.closed.addItem(item)
        self.closed.blockSignals(False)
        for widget in (self.closed, self.closed_title):
            widget.setVisible(bool(knowledge.tiers))

    def change(self, make: Callable[[], Knowledge], text: str) -> None:
        """Take over other knowledge, or say what contradicts itself in it."""
        try:
            knowledge = make()
        except LatconfError as error:
            self._report(error, WHERE)
            self.show_knowledge()
            return
        if knowledge != self._document.knowledge:
            self._document.set_knowledge(knowledge, text)

    def clear(self) -> None:
        """Forget everything that is known."""
        self.change(lambda: NO_KNOWLEDGE, "Clear the background knowledge")

    def _on_tier(self, name: str, tier: int) -> None:
        tiers = {own: number for own, number in tiers_of(self._document.knowledge).items() if own != name}
        if tier:
            tiers[name] = tier
        ordered = {own: tiers[own] for own in self.names() if own in tiers}
        text = f"Put {name} into tier {tier}" if tier else f"Take {name} out of the tiers"
        self.change(lambda: with_tiers(self._document.knowledge, ordered), text)

    def _on_closed(self, item: QListWidgetItem) -> None:
        tier = self.closed.row(item)
        closed = self._document.knowledge.closed_tiers ^ {tier}
        self.change(lambda: replace(self._document.knowledge, closed_tiers=closed), f"Close or open tier {tier + 1}")

    def _on_add(self) -> None:
        cause = self.first.currentText(), self.second.currentText()
        text = f"{cause[0]} {self.rule.currentText()} {cause[1]}"
        is_required = self.rule.currentIndex() == 1
        self.change(lambda: with_cause(self._document.knowledge, cause, is_required=is_required), text)

    def _on_delete(self) -> None:
        rows = [index.row() for index in self.cause_table.selectionModel().selectedRows()]
        if rows:
            self.change(lambda: self.causes.without(rows), "Delete background knowledge")
        else:
            self._report("Choose the rules to delete in the table of rules first.", WHERE)


def _table(model: TierTableModel | CauseTableModel, name: str) -> QTableView:
    table = QTableView()
    table.setModel(model)
    table.setAccessibleName(name)
    table.verticalHeader().hide()
    table.setAlternatingRowColors(True)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
    table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def fit_rows() -> None:
        table.verticalHeader().setDefaultSectionSize(round(table.fontMetrics().height() * 1.6))

    FollowTextSize(table, fit_rows)
    fit_rows()
    return table
