"""The bar above a search: its commands, how far it is, and what came out."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from latconf_core.search.outcome.progress import SearchProgress
from latconf_core.search.outcome.result import SearchResult
from latconf_core.wording.knowledge_sentences import knowledge_sentences
from latconf_core.wording.overall_verdict import overall_verdict
from latconf_core.wording.row_words import completion_sentences, repeats_sentence
from latconf_core.wording.verdicts import chance_sentence, claim_sentence, tried_sentence
from latconf_gui.pages.search.sentences import (
    cut_sentences,
    end_sentence,
    latent_sentences,
    other_sentence,
    reference_sentence,
)
from latconf_gui.widgets.actions import ToolBar
from latconf_gui.widgets.terms.term_label import TermLabel
from latconf_gui.widgets.text import SPACE, Heading, Quiet


class SearchBar(QWidget):
    """Run, Pause, Stop, the progress, and at the end `choice`: which run is shown."""

    def __init__(self, actions: list[QAction], choice: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons = ToolBar("Search toolbar")
        self.buttons.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.buttons.addActions(actions)
        self.buttons.setStyleSheet("QToolBar { border: none; }")  # the line below it would end half-way
        self.state = QLabel()
        self.state.setAccessibleName("Status of the search")
        self.state.setTextFormat(Qt.TextFormat.PlainText)
        self.state.setWordWrap(True)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Progress of this level")
        self.progress.setMaximumHeight(8)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addStretch(1)
        column.addWidget(self.state)
        column.addWidget(self.progress)
        column.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, SPACE, 0)
        row.addWidget(self.buttons)
        row.addLayout(column, 1)
        row.addWidget(choice)
        self.say("")

    def say(self, text: str) -> None:
        """Nothing runs."""
        self.state.setText(text)
        self.progress.hide()

    def show_progress(self, progress: SearchProgress, *, is_paused: bool) -> None:
        """How far the search is."""
        text = progress.text()
        self.state.setText(f"Paused · {text}" if is_paused else text)
        total = progress.step().total
        self.progress.setRange(0, total or 0)
        self.progress.setValue(min(progress.done, total or 0))
        self.progress.show()


class ResultBanner(QFrame):
    """What a search found, with the way to its model."""

    def __init__(self, open_model: QAction, compare: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "banner")
        self.setAccessibleName("Result of the search")
        self.verdict, self.rests_on = Heading(factor=1.0), TermLabel()
        self.verdict.setAccessibleName("Verdict")
        self.rests_on.setAccessibleName("What the verdict rests on")
        self.evidence, self.latents, self.end = TermLabel(), TermLabel(), Quiet()
        self.latents.setAccessibleName("Evidence for each hidden cause")
        for text in (self.verdict, self.rests_on, self.evidence, self.latents, self.end):
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.details = QWidget()
        self.shows_details = QPushButton("Details")
        self.shows_details.setCheckable(True)
        self.shows_details.setToolTip("Each hidden cause by itself, what was tried, and how the search went")
        self.shows_details.toggled.connect(self.details.setVisible)
        self.details.hide()
        self.model = QPushButton(open_model.text().replace("&", ""))
        self.model.setToolTip(open_model.toolTip())
        self.model.clicked.connect(open_model.trigger)
        self.compare = QPushButton(compare.text().replace("&", ""))
        self.compare.setToolTip(compare.toolTip())
        self.compare.clicked.connect(compare.trigger)
        self._open_model, self._compare = open_model, compare
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(self.verdict)
        texts.addWidget(self.rests_on)
        texts.addWidget(self.details)
        texts.addStretch(1)  # beside three buttons the sentences stay together
        details = QVBoxLayout(self.details)
        details.setContentsMargins(0, SPACE // 2, 0, 0)
        details.setSpacing(2)
        for text in (self.evidence, self.latents, self.end):
            details.addWidget(text)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE, SPACE // 2, SPACE, SPACE // 2)
        row.addLayout(texts, 1)
        buttons = QVBoxLayout()
        buttons.addWidget(self.model)
        buttons.addWidget(self.compare)
        buttons.addWidget(self.shows_details)
        buttons.addStretch(1)
        row.addLayout(buttons)
        self.hide()

    def show_result(
        self,
        result: SearchResult | None,
        remark: str = "",
        *,
        knowledge: str = "",
        verdict: Sequence[str] = (),
        others: Sequence[str] = (),
    ) -> None:
        """Say what was found; nothing where there is no result.

        remark : on which PAG it was
        knowledge : under which knowledge, and whether that is what is said now
        verdict : the sentences that sum up all that is known of it; of the result alone where there are none
        others : how it compares with other runs
        """
        self.setVisible(result is not None)
        if result is not None:
            first, *rest = verdict or overall_verdict(result)
            repeats = "" if result.repeats is None else f"{repeats_sentence(result.repeats)} "
            self.verdict.setText(f"{repeats}{first}")
            self.rests_on.setText("\n".join(filter(None, rest)))
            self.rests_on.setVisible(any(rest))
            self.evidence.setText(claim_sentence(result))
            self.latents.setText("\n".join(latent_sentences(result)))
            self.latents.setVisible(bool(result.evidence))
            where = f"Run {remark}." if remark else ""
            said = (
                f"Knowledge: {knowledge}." if knowledge else "",
                *knowledge_sentences(result),
                chance_sentence(result),
                tried_sentence(result),
                reference_sentence(result),
                other_sentence(result),
                *others,
                end_sentence(result),
                *(() if result.completion is None else completion_sentences(result.completion)),
            )
            self.end.setText(" ".join(filter(None, (*said, where, *cut_sentences(result)))))
            self.model.setVisible(self._open_model.isEnabled())
            self.compare.setVisible(self._compare.isEnabled())
