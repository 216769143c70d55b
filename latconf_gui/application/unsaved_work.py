"""The one place that asks before work is lost: save it, discard it, or leave everything as it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from latconf_gui.application.document import Document
from latconf_gui.application.project_files import ProjectFiles

Act = Callable[[], object]


@dataclass(frozen=True)
class UnsavedQuestion:
    """What the person is asked; one of the three answers has to be given.

    before : what waits for the answer, e.g. "the window closes"
    """

    title: str
    before: str
    save: Act
    discard: Act
    cancel: Act


class UnsavedWork(QObject):
    """Lets through what would lose nothing; for the rest, `asked(UnsavedQuestion)` puts the question on the screen."""

    asked = Signal(object)

    def __init__(self, document: Document, project: ProjectFiles, *, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._project = project
        self._is_asking = False

    def settle(self, then: Act, *, before: str, otherwise: Act) -> None:
        """Do `then` when nothing is lost by it any more, or `otherwise` where the person says so."""
        if not self._document.is_modified:
            then()
        elif self._is_asking:  # one question at a time
            otherwise()
        else:
            self._ask(then, before, otherwise)

    def _ask(self, then: Act, before: str, otherwise: Act) -> None:
        def answer(act: Act) -> Act:
            def end_and_act() -> None:
                self._is_asking = False
                act()

            return end_and_act

        def save() -> None:  # and ask again where something was changed meanwhile
            self._project.save(lambda: self.settle(then, before=before, otherwise=otherwise), otherwise=otherwise)

        self._is_asking = True
        title = self._document.title or "Your work"
        self.asked.emit(UnsavedQuestion(title, before, answer(save), answer(then), answer(otherwise)))
