"""The Gallery's column: which lesson, its text, the question with its answer, and what to do with the graph."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QHBoxLayout, QLabel, QPushButton, QSpinBox, QToolButton

from latconf_core.teaching.lessons import Lesson
from latconf_gui.look.icons import icon
from latconf_gui.pages.learn.text_column import Paragraph, TextColumn
from latconf_gui.widgets.text import Card

ROWS = 5_000
MOST_ROWS = 1_000_000
SHOW_ANSWER, HIDE_ANSWER = "Show the answer", "Hide the answer"


class LessonColumn(TextColumn):
    """`chosen` carries the place of a lesson in the list; `revealed` whether the answer is shown now."""

    chosen = Signal(int)
    revealed = Signal(bool)

    def __init__(self) -> None:
        super().__init__("")
        self.box = QComboBox()
        self.box.setAccessibleName("Lesson")
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMinimumContentsLength(10)
        self.previous, self.next = QPushButton("Previous"), QPushButton("Next")
        self._put_on_top()
        self.paragraphs = [self.add_text() for _ in range(3)]
        self.reading = self.add_text("Click an edge of the MAG or the PAG to see what it means.", is_quiet=True)
        self._add_question()
        self.actions_row = QHBoxLayout()
        self.add_layout(self.actions_row)
        self._add_drawing()
        self.box.currentIndexChanged.connect(self.chosen)
        self.answer_button.toggled.connect(self._on_toggled)

    def _put_on_top(self) -> None:
        """Which lesson, above its title: a title of two lines does not move what goes to the next one."""
        row = QHBoxLayout()
        for button in (self.previous, self.next):
            row.addWidget(button)
        self.column.insertWidget(0, self.box)
        self.column.insertLayout(1, row)

    def _add_question(self) -> None:
        card = Card("Question")
        self.question, self.answer = Paragraph(), Paragraph()
        self.answer_button = QPushButton(SHOW_ANSWER)
        self.answer_button.setCheckable(True)
        for widget in (self.question, self.answer_button, self.answer):
            card.body.addWidget(widget)
        self.add_widget(card)

    def _add_drawing(self) -> None:
        card = Card("Data from this graph")
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self.rows, self.seed = QSpinBox(), QSpinBox()
        self.rows.setRange(10, MOST_ROWS)
        self.rows.setSingleStep(1_000)
        self.rows.setGroupSeparatorShown(True)
        self.rows.setValue(ROWS)
        self.seed.setRange(1, 1_000_000)
        for text, field in (("Rows", self.rows), ("Seed", self.seed)):
            label = QLabel(text)
            label.setBuddy(field)
            field.setAccessibleName(text)
            form.addRow(label, field)
        self.draw = QPushButton("Draw data")
        self.draw.setIcon(icon("data"))
        card.body.addLayout(form)
        card.body.addWidget(self.draw)
        self.add_widget(card)

    def add_more(self, button: QToolButton) -> None:
        """What a lecturer needs, below everything else."""
        self.add_widget(button)
        self.column.setAlignment(button, Qt.AlignmentFlag.AlignLeft)

    def show_titles(self, lessons: Sequence[Lesson]) -> None:
        """The lessons there are; none is chosen by it."""
        was_blocked = self.box.blockSignals(True)
        self.box.clear()
        self.box.addItems([f"{number}. {lesson.title}" for number, lesson in enumerate(lessons, 1)])
        self.box.blockSignals(was_blocked)

    def show_lesson(self, lesson: Lesson, index: int, *, is_answered: bool) -> None:
        """Show the text of a lesson; the answer only where it was revealed before."""
        was_blocked = self.box.blockSignals(True)
        self.box.setCurrentIndex(index)
        self.box.blockSignals(was_blocked)
        self.title.setText(lesson.title)
        self.previous.setEnabled(index > 0)
        self.next.setEnabled(index + 1 < self.box.count())
        texts = [*lesson.text[: len(self.paragraphs) - 1], "\n\n".join(lesson.text[len(self.paragraphs) - 1 :])]
        for paragraph, text in zip(self.paragraphs, [*texts, "", ""]):
            paragraph.setText(text)
        self.question.setText(lesson.question)
        self.answer.setText(lesson.answer)
        self.show_answer(is_answered)
        self.verticalScrollBar().setValue(0)

    def show_answer(self, is_shown: bool) -> None:
        """Reveal or hide the answer, without a word."""
        was_blocked = self.answer_button.blockSignals(True)
        self.answer_button.setChecked(is_shown)
        self.answer_button.blockSignals(was_blocked)
        self._show_answer(is_shown)

    def _show_answer(self, is_shown: bool) -> None:
        self.answer_button.setText(HIDE_ANSWER if is_shown else SHOW_ANSWER)
        self.answer.setVisible(is_shown)

    def _on_toggled(self, is_shown: bool) -> None:
        self._show_answer(is_shown)
        self.revealed.emit(is_shown)
