"""What stands on the Compare page while nothing is compared: what it is for, and pairs worth a look."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from latconf_gui.pages.compare.comparable_graphs import Offer
from latconf_gui.widgets.text import SPACE, Heading, Quiet

TEXT = (
    "See where two graphs differ and what each difference is worth: PAGs by two methods, DAGs with and "
    "without latents, or a result and the truth. Add graphs with Add… on the left, by dragging, or with Add "
    "to Compare on other pages. The first is the reference A."
)
PAIRS = (
    ("Results of two searches", "best", "best"),
    ("With and without latents", "without latents", "with latents"),
    ("PAGs by two methods", "PAG", "PAG"),
    ("The best DAG and the truth", "truth", "best"),
    ("The PAG and the true PAG", "true PAG", "PAG"),
)


class Invitation(QWidget):
    """`chosen` carries the offers that a person wants to compare."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._buttons = QVBoxLayout()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, SPACE, 4 * SPACE, SPACE)
        layout.addStretch(2)
        layout.addWidget(Heading("No graphs yet"))
        layout.addWidget(Quiet(TEXT))
        layout.addSpacing(SPACE)
        layout.addLayout(self._buttons)
        layout.addStretch(3)

    def show_offers(self, offers: Sequence[Offer]) -> None:
        """Buttons for the pairs that there are."""
        while (item := self._buttons.takeAt(0)) is not None:
            row = item.widget()
            if row is not None:
                row.deleteLater()
        for text, first, second in PAIRS:
            pair = [offer for offer in offers if offer.role == first][:1]
            pair += [offer for offer in offers if offer.role == second and offer not in pair][:1]
            if len(pair) == 2:
                self._buttons.addWidget(self._make_row(text, pair))

    def _make_row(self, text: str, pair: list[Offer]) -> QWidget:
        row = QWidget()
        button = QPushButton(text)
        button.clicked.connect(lambda: self.chosen.emit(pair))
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(button)
        layout.addStretch(1)
        return row
