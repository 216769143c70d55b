"""Rules about causes: a table of them, and a form for one more."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from latconf_core.phrases import counted
from latconf_gui.pages.knowledge.draft import Draft
from latconf_gui.pages.knowledge.name_box import NameBox
from latconf_gui.pages.knowledge.plain_table import PlainTable
from latconf_gui.pages.knowledge.rules_model import (
    RULE_TEXTS,
    RULE_TIPS,
    Rule,
    RuleKind,
    RulesModel,
    rules_of,
    with_rule,
    without_rules,
)
from latconf_gui.widgets.form_fields import Choice
from latconf_gui.widgets.text import SPACE


class RulesPanel(QWidget):
    """`changed(Draft, what)` when a person adds or deletes rules, `said(sentence)` where that cannot be done."""

    changed = Signal(object, str)
    said = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._draft, self._text, self._names = Draft(), "", tuple[str, ...]()
        self.rules = RulesModel(self)
        self.table = PlainTable(self.rules, "Rules about causes", narrow=[1])
        self.cause, self.effect = NameBox("Cause"), NameBox("Effect")
        self.kind = Choice({kind.value: text for kind, text in RULE_TEXTS.items()}, is_wide=True)
        self.kind.setAccessibleName("Rule")
        for row, kind in enumerate(RULE_TEXTS):
            self.kind.setItemData(row, RULE_TIPS[kind], Qt.ItemDataRole.ToolTipRole)
        self.add, self.delete = QPushButton("&Add rule"), QPushButton("&Delete rules")
        for button in (self.add, self.delete):
            button.setAutoDefault(False)
        self.add.clicked.connect(self._on_add)
        self.delete.clicked.connect(self._on_delete)
        self.table.delete_asked.connect(self._on_delete)
        for box in (self.cause, self.effect):
            box.line.returnPressed.connect(self._on_add)
        form, buttons = QHBoxLayout(), QHBoxLayout()
        form.addWidget(self.cause, 1)
        form.addWidget(self.kind)
        form.addWidget(self.effect, 1)
        buttons.addWidget(self.add)
        buttons.addStretch(1)
        buttons.addWidget(self.delete)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(SPACE // 2,) * 4)
        layout.addLayout(form)
        layout.addLayout(buttons)
        layout.addWidget(self.table, 1)

    def show_draft(self, draft: Draft, variables: Sequence[str]) -> None:
        """Show the rules of a draft; the form offers these variables."""
        self._draft = draft
        for box in (self.cause, self.effect):
            box.offer(variables)
        self._show()

    def set_filter(self, text: str) -> None:
        """Show only rules about variables with this text in their names."""
        self._text = text.strip().casefold()
        self._show()

    def _show(self) -> None:
        passing = (
            r for r in rules_of(self._draft) if self._text in r.cause.casefold() or self._text in r.effect.casefold()
        )
        self.rules.show_rules(list(passing))

    def set_editable(self, is_editable: bool) -> None:
        """Whether anything here can be changed."""
        for widget in (self.cause, self.kind, self.effect, self.add, self.delete):
            widget.setEnabled(is_editable)

    def _on_add(self) -> None:
        cause, effect = self.cause.chosen(), self.effect.chosen()
        for box, name, what in ((self.cause, cause, "cause"), (self.effect, effect, "effect")):
            if not name:
                typed = box.currentText().strip()
                self.said.emit(f"There is no variable {typed!r}." if typed else f"First choose the {what}.")
                box.setFocus()
                return
        rule = Rule(RuleKind(self.kind.read()), cause, effect)
        if rule in rules_of(self._draft):
            self.said.emit(f"{rule}: this rule already exists.")
            return
        self.changed.emit(with_rule(self._draft, rule), str(rule))
        self.effect.clear_choice()
        self.effect.setFocus()

    def _on_delete(self) -> None:
        rules = [self.rules.rule(row) for row in self.table.selected_rows()]
        if rules:
            self.changed.emit(without_rules(self._draft, rules), f"Delete {counted(len(rules), 'rule')}")
        else:
            self.said.emit("First select the rules to delete.")
