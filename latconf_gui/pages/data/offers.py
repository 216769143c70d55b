"""Offers about columns, each with a button that takes it up."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from latconf_core.data.preparing.column_plans import ColumnPlan
from latconf_core.data.preparing.offers import Offer
from latconf_core.data.table_load import MANY_STATES
from latconf_core.phrases import counted, first_upper, list_names
from latconf_gui.widgets.text import SPACE, Card, Heading, Quiet

SHOWN_OFFERS = 3
MARKS_TIP = "Adds it to the missing marks of the whole table; you can undo this"
COUNTS_TIP = "Uses this column as the number of times each row occurs, not as a variable"
EXCLUDE_TIP = "Excludes the column; tick it or undo to include it again"
ORDER_TIP = (
    "Takes the states in this order: a hidden cause then has to explain more than one number could; you can undo this"
)
MERGE_TIP = "Merges the states into the most frequent one; you can undo this"


class OfferList(QWidget):
    """A sentence and a button for each offer, the same one of several columns once.

    `accepted(offers)` when a button is pressed: those of all its columns.
    """

    accepted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: list[QPushButton] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(0, 1)

    def show_offers(self, groups: Sequence[Sequence[Offer]], *, names_columns: bool) -> None:
        """Show these offers in place of those before; below each other where the column's name goes without saying."""
        while item := self._grid.takeAt(0):
            if widget := item.widget():
                widget.deleteLater()
        self.buttons = []
        for row, group in enumerate(groups):
            offer, columns = group[0], _columns_text([offer.column for offer in group])
            text = f"{columns}: {offer.text}" if names_columns else first_upper(offer.text)
            label = QLabel(text, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
            button = QPushButton(offer.action)
            button.setToolTip(_tip(offer))
            button.setAccessibleName(f"{offer.action}: {columns}")
            button.clicked.connect(lambda _on=False, group=tuple(group): self.accepted.emit(group))
            self.buttons.append(button)
            self._grid.addWidget(label, 2 * row, 0)
            self._grid.addWidget(button, *((2 * row, 1) if names_columns else (2 * row + 1, 0)))
        self.setVisible(bool(groups))


def group_offers(offers: Sequence[Offer]) -> list[tuple[Offer, ...]]:
    """The offers to declare the same order of several columns together, every other by itself."""
    groups: dict[object, list[Offer]] = {}
    for offer in offers:
        groups.setdefault(offer.order or offer, []).append(offer)
    return [tuple(group) for group in groups.values()]


def _columns_text(names: Sequence[str]) -> str:
    rest = len(names) - SHOWN_OFFERS
    return list_names([*names[:SHOWN_OFFERS], *([counted(rest, "more column")] if rest > 0 else [])])


def _tip(offer: Offer) -> str:
    if offer.excludes:
        return EXCLUDE_TIP
    if offer.counts:
        return COUNTS_TIP
    if offer.order:
        return ORDER_TIP
    return MARKS_TIP if offer.marks else MERGE_TIP


class OffersBanner(Card):
    """What the columns seem to ask for; `dismissed` offers are not shown again."""

    accepted = Signal(object)
    discretise_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(role="banner", parent=parent)
        self._dismissed: set[object] = set()
        self._shown: tuple[object, ...] = ()
        self._numeric: tuple[str, ...] = ()
        self.heading = Heading("Suggestions", factor=1.05)
        self.later = QPushButton("Not now")
        self.later.setToolTip("Keep the columns unchanged; the remarks stay in the list of variables")
        self.list = OfferList()
        self.rest = Quiet()
        self.numbers = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.discretise = QPushButton("Discretise…")
        self._coarse: tuple[str, ...] = ()
        self.coarse_text = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.coarsen = QPushButton("Discretise…")
        head, row, coarse_row = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        head.addWidget(self.heading, 1)
        head.addWidget(self.later)
        for line, text, button in (
            (row, self.numbers, self.discretise),
            (coarse_row, self.coarse_text, self.coarsen),
        ):
            line.setSpacing(SPACE)
            line.addWidget(text, 1)
            line.addWidget(button)
        self.body.addLayout(head)
        self.body.addWidget(self.list)
        self.body.addWidget(self.rest)
        self.body.addLayout(row)
        self.body.addLayout(coarse_row)
        self.body.setSpacing(4)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.list.accepted.connect(self.accepted)
        self.later.clicked.connect(self._on_later)
        self.discretise.clicked.connect(lambda: self.discretise_asked.emit(self._numeric))
        self.coarsen.clicked.connect(lambda: self.discretise_asked.emit(self._coarse))

    def show_plans(self, plans: Sequence[ColumnPlan]) -> None:
        """Show what these columns ask for; hidden where that is nothing new."""
        offers = [offer for plan in plans for offer in plan.offers if offer not in self._dismissed]
        numeric = tuple(plan.name for plan in plans if plan.asks_for_bins)
        self._numeric = () if numeric in self._dismissed else numeric
        coarse = tuple(plan.name for plan in plans if plan.is_numeric and plan.has_many_states)
        self._coarse = () if coarse in self._dismissed else coarse
        self._shown = (*offers, numeric, coarse)
        groups = group_offers(offers)
        self.list.show_offers(groups[:SHOWN_OFFERS], names_columns=True)
        rest = len({offer.column for group in groups[SHOWN_OFFERS:] for offer in group})
        self.rest.setText(f"and {counted(rest, 'more column')}: see the remarks in the list of variables")
        self.rest.setVisible(rest > 0)
        self.numbers.setText(_too_many_values(numeric))
        self.coarse_text.setText(_many_states(coarse))
        for widget, names in (
            (self.numbers, self._numeric),
            (self.discretise, self._numeric),
            (self.coarse_text, self._coarse),
            (self.coarsen, self._coarse),
        ):
            widget.setVisible(bool(names))
        self.setVisible(bool(offers or self._numeric or self._coarse))

    def _on_later(self) -> None:
        self._dismissed.update(self._shown)
        self.hide()


def _too_many_values(names: Sequence[str]) -> str:
    return f"{_named(names)}: too many different numbers to use as states"


def _many_states(names: Sequence[str]) -> str:
    have = "has" if len(names) == 1 else "have"
    return f"{_named(names)} {have} more than {MANY_STATES} states, too many for reliable tests: discretise?"


def _named(names: Sequence[str]) -> str:
    rest = len(names) - SHOWN_OFFERS
    more = [f"{counted(rest, 'more column')} of numbers"] if rest > 0 else []
    return list_names([*names[:SHOWN_OFFERS], *more])
