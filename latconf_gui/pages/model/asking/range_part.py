"""An effect in this DAG and in all that fit as well: bars with ranges, and a sentence."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from latconf_core.effects.class_range import AnswerRange
from latconf_core.wording.effect_ranges import NO_RANGE_YET, effect_range_sentence
from latconf_gui.widgets.range_bars import RangeBar, RangeBars
from latconf_gui.widgets.terms.term_label import TermLabel
from latconf_gui.widgets.text import Heading

TITLE = "Range over equally good DAGs"


class RangePart(QWidget):
    """Shows values that others computed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars, self.sentence = RangeBars(), TermLabel()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for widget in (Heading(TITLE, factor=1.0), self.bars, self.sentence):
            layout.addWidget(widget)

    def show_waiting(self) -> None:
        """The range is being computed."""
        self.bars.show_bars(())
        self.sentence.setText(NO_RANGE_YET)
        self.show()

    def show_nothing(self) -> None:
        """There is nothing to compare."""
        self.hide()

    def show_range(self, answer_range: AnswerRange, effect: str) -> None:
        """Each state of the effect: its probability in this DAG, and the least and greatest of all."""
        in_this = answer_range.answer[effect]
        bars = [
            RangeBar(state, in_this[state], least, greatest)
            for state, (least, greatest) in answer_range.of(effect).items()
        ]
        self.bars.show_bars(bars, title=f"{effect} after the intervention, in this DAG and in all equally good DAGs")
        self.sentence.setText(effect_range_sentence(answer_range, effect))
        self.show()
