"""Rules about causes as a table: cause, rule, effect."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from latconf_core.knowledge.knowledge import Cause
from latconf_gui.pages.knowledge.draft import Draft

Index = QModelIndex | QPersistentModelIndex


class RuleKind(Enum):
    """What can be said about a cause and an effect; the value is the field of a draft."""

    REQUIRED = "required"
    FORBIDDEN = "forbidden"
    FORBIDDEN_INDIRECT = "forbidden_indirect"


RULE_TEXTS: dict[RuleKind, str] = {
    RuleKind.REQUIRED: "directly causes",
    RuleKind.FORBIDDEN: "does not directly cause",
    RuleKind.FORBIDDEN_INDIRECT: "has no effect on",
}
RULE_TIPS: dict[RuleKind, str] = {
    RuleKind.REQUIRED: "Required: this edge is in every DAG",
    RuleKind.FORBIDDEN: "Forbidden: this edge is in no DAG; an indirect effect stays possible",
    RuleKind.FORBIDDEN_INDIRECT: "Forbidden: no direct or indirect effect",
}
TITLES = ("From", "Rule", "To")


@dataclass(frozen=True)
class Rule:
    """A rule about a cause and an effect."""

    kind: RuleKind
    cause: str
    effect: str

    def __str__(self) -> str:
        return f"{self.cause} {RULE_TEXTS[self.kind]} {self.effect}"


def rules_of(draft: Draft) -> list[Rule]:
    """Every rule of a draft, required ones first."""
    return [Rule(kind, *pair) for kind in RuleKind for pair in _pairs(draft, kind)]


def with_rule(draft: Draft, rule: Rule) -> Draft:
    """The draft with one more rule."""
    pairs = (*_pairs(draft, rule.kind), (rule.cause, rule.effect))
    return _with_pairs(draft, rule.kind, tuple(dict.fromkeys(pairs)))


def without_rules(draft: Draft, rules: Collection[Rule]) -> Draft:
    """The draft without some rules."""
    for kind in RuleKind:
        gone = {(rule.cause, rule.effect) for rule in rules if rule.kind == kind}
        draft = _with_pairs(draft, kind, tuple(pair for pair in _pairs(draft, kind) if pair not in gone))
    return draft


def _pairs(draft: Draft, kind: RuleKind) -> tuple[Cause, ...]:
    pairs: tuple[Cause, ...] = getattr(draft, kind.value)
    return pairs


def _with_pairs(draft: Draft, kind: RuleKind, pairs: tuple[Cause, ...]) -> Draft:
    match kind:
        case RuleKind.REQUIRED:
            return replace(draft, required=pairs)
        case RuleKind.FORBIDDEN:
            return replace(draft, forbidden=pairs)
    return replace(draft, forbidden_indirect=pairs)


class RulesModel(QAbstractTableModel):
    """Cause, rule, effect; a filter leaves the rules about some variables."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rules: list[Rule] = []

    def show_rules(self, rules: Sequence[Rule]) -> None:
        """Show these rules."""
        if list(rules) != self._rules:
            self.beginResetModel()
            self._rules = list(rules)
            self.endResetModel()

    def rule(self, row: int) -> Rule:
        """The rule in a row."""
        return self._rules[row]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rules)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(TITLES)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return TITLES[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        rule = self._rules[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return (rule.cause, RULE_TEXTS[rule.kind], rule.effect)[index.column()]
            case Qt.ItemDataRole.ToolTipRole:
                return f"{rule}\n{RULE_TIPS[rule.kind]}"
            case Qt.ItemDataRole.AccessibleTextRole:
                return str(rule)
        return None
