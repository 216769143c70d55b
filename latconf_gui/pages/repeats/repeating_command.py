"""A command that repeats something beside the window: its dialog, at most one run at a time, and its outcome kept."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from latconf_core.control import Progress, RunControl
from latconf_gui.application.document import PRESENTING
from latconf_gui.application.document_file import Ticket
from latconf_gui.background.run_thread import RunThread
from latconf_gui.pages.page import PageContext
from latconf_gui.pages.repeats.repeat_dialog import RepeatDialog

Job = TypeVar("Job")
Dialog = TypeVar("Dialog", bound=RepeatDialog)
Outcome = TypeVar("Outcome")


class RepeatingCommand(QObject, Generic[Job, Dialog, Outcome]):
    """What is repeated, how it is asked for and where its outcome goes is said by each kind.

    where : the title under which it reports
    outcome : the class of what comes in the end
    """

    def __init__(self, context: PageContext, window: QWidget, *, where: str, outcome: type[Outcome]) -> None:
        super().__init__(window)
        self._context, self._document, self._window = context, context.document, window
        self._where, self._outcome = where, outcome
        self.dialog: Dialog | None = None
        self._thread: RunThread | None = None

    def listen(self, *more: object) -> None:
        """Follow what is shown, and these other signals; called when the commands are registered."""
        document = self._document
        signals = (
            document.collections_changed,
            document.dataset_changed,
            document.dag_opened,
            document.presenting_changed,
            *more,
        )
        for signal in signals:
            signal.connect(self._follow)  # type: ignore[attr-defined]
        self._follow()

    @property
    def is_running(self) -> bool:
        return self._thread is not None

    @abstractmethod
    def find_job(self) -> Job | str:
        """What is repeated now, or why nothing can be."""

    @abstractmethod
    def make_dialog(self) -> Dialog:
        """The dialog, whose start is connected."""

    @abstractmethod
    def follow(self, job: Job | str, obstacle: str) -> None:
        """Offer what can be done now, and show what is known of it; the obstacle is "" where there is none."""

    @abstractmethod
    def take(self, outcome: Outcome, job: Job, ticket: Ticket) -> None:
        """Report what went wrong, and keep the rest in the document that it was computed for."""

    def _follow(self) -> None:
        job = self.find_job()
        self.follow(job, PRESENTING if self._document.is_presenting else job if isinstance(job, str) else "")

    def report(self, sentence: str) -> None:
        """Say something to the person who asked."""
        self._context.report(sentence, self._where)

    def ask(self) -> None:
        """Show the dialog, beside which everything else can be used."""
        job = self.find_job()
        if isinstance(job, str):
            self.report(job)
            return
        if self.dialog is None:
            self.dialog = self.make_dialog()
            self.dialog.cancel_asked.connect(self.cancel)
        self._follow()
        self.dialog.show()
        self.dialog.raise_()

    def begin(
        self, events: Callable[[Job, RunControl], Iterator[object]], title: Callable[[Job], str], n_repeats: int
    ) -> None:
        """Repeat what is shown, beside the window."""
        job = self.find_job()
        if self.is_running:
            return
        if isinstance(job, str):
            self.report(job)
            return
        own_job = job
        ticket = self._document.ticket()
        thread = RunThread(lambda control: events(own_job, control))
        thread.events.connect(lambda seen: self._on_events(seen, own_job, ticket))
        thread.ended.connect(lambda: self._on_ended(thread))
        self._thread = thread
        self._context.runs.start(thread, title(own_job))
        if self.dialog is not None:
            self.dialog.show_running(True)
            self.dialog.show_progress(Progress(0, n_repeats, "preparing"))

    def cancel(self) -> None:
        """End it; what is done is kept."""
        if self._thread is not None:
            self._thread.cancel()

    def _on_events(self, events: list[object], job: Job, ticket: Ticket) -> None:
        steps = [event for event in events if isinstance(event, Progress)]
        if steps and self.dialog is not None:
            self.dialog.show_progress(steps[-1])
        for event in events:
            if isinstance(event, self._outcome):
                self._thread = None  # from here on another may begin, and the dialog shows this one
                self.take(event, job, ticket)

    def _on_ended(self, thread: RunThread) -> None:
        if self._thread is thread:
            self._thread = None
        if self.dialog is not None:
            self.dialog.show_running(self.is_running)
        self._follow()
