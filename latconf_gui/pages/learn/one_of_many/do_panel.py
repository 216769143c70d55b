"""Answers of do() in each member of a class: a cause, an effect, a bar for each group of members."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QVBoxLayout, QWidget

from latconf_core.teaching.classes.do_answers import DoAnswers
from latconf_core.teaching.classes.sentences import do_sentence, group_label
from latconf_gui.pages.learn.text_column import Paragraph
from latconf_gui.widgets.range_bars import RangeBar, RangeBars
from latconf_gui.widgets.text import Heading

ABOUT = (
    "The cause is set to yes. All members fit the same joint distribution exactly; their answers depend on their "
    "arrows."
)
MOST_BARS = 12
LETTERS_OF_NAME = 8


class DoPanel(QWidget):
    """`changed()` when another cause or effect is asked for."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Answers of do()")
        self.cause, self.effect = QComboBox(), QComboBox()
        self.bars, self.said = RangeBars(), Paragraph()
        form = QFormLayout()
        for box, text, name in ((self.cause, "&Cause", "Cause"), (self.effect, "&Effect", "Effect")):
            box.setAccessibleName(name)
            box.setMinimumContentsLength(LETTERS_OF_NAME)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.currentIndexChanged.connect(lambda _: self.changed.emit())
            form.addRow(text, box)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(Heading("Answers of do()", factor=1.1))
        layout.addLayout(form)
        for widget in (self.bars, self.said, Paragraph(ABOUT, is_quiet=True)):
            layout.addWidget(widget)
        self.said.show()

    def show_names(self, names: Sequence[str], asked: tuple[str, str] | None = None) -> None:
        """Offer the measured variables; what is chosen stays where it still can."""
        wanted = asked or (self.cause.currentText(), self.effect.currentText())
        fallback = 0, len(names) - 1
        for box, name, index in zip((self.cause, self.effect), wanted, fallback):
            was_blocked = box.blockSignals(True)
            box.clear()
            box.addItems(list(names))
            box.setCurrentIndex(names.index(name) if name in names else index)
            box.blockSignals(was_blocked)

    @property
    def asked(self) -> tuple[str, str] | None:
        """Cause and effect; None where they are one variable."""
        cause, effect = self.cause.currentText(), self.effect.currentText()
        return None if not cause or not effect or cause == effect else (cause, effect)

    def show_answers(self, answers: DoAnswers | None, index: int | None, problem: str = "") -> None:
        """Show them; the group of the member at this place stands out."""
        if answers is None:
            self.bars.show_bars(())
            self.said.setText(problem or ("" if self.asked else "Choose two different variables."))
            return
        groups = sorted(answers.groups, key=lambda group: group.answer)
        shown = [group for group in groups if index in group.members or len(groups) <= MOST_BARS] or groups[:MOST_BARS]
        bars = [
            RangeBar(group_label(group, answers.cause), group.answer, is_chosen=index in group.members)
            for group in shown
        ]
        self.bars.show_bars(bars, title=f"{answers.effect} = yes after setting {answers.cause} = yes")
        self.said.setText(do_sentence(answers))

    def state(self) -> Mapping[str, str]:
        return {"cause": self.cause.currentText(), "effect": self.effect.currentText()}
