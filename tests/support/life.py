"""A document's life: a person who opens, learns, searches, edits, saves and is cut off, at random but by a seed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.killing import kill

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.errors import OptionError
from latconf_core.formats.projects.project_state import OpenedProject, ProjectState, open_project
from latconf_core.formats.projects.state_changes import choose_run, delete_run, rename_run
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.searching import SearchOptions
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_search
from latconf_gui.application.autosave import AutoSave
from latconf_gui.application.document import Document
from latconf_gui.application.document_file import Ticket
from latconf_gui.application.opener import Opener
from latconf_gui.application.path_request import PathRequest
from latconf_gui.application.project_files import ChangedOnDisk, ProjectFiles
from latconf_gui.application.project_lock import ProjectLock
from latconf_gui.application.recovering import Offer, Recovering
from latconf_gui.application.settings import Settings
from latconf_gui.application.unsaved_work import UnsavedQuestion, UnsavedWork
from latconf_gui.background.runs import Runs

LONG = 30_000
SIGN = "sign"  # a node that is nowhere drawn: its place says which document this is, and how often it was edited
TABLES = {"ab": "ABC", "de": "DEF", "gh": "GHI"}
Sign = tuple[float, float]


@cache
def graph_of(names: tuple[str, ...]) -> MixedGraph:
    first, second, third = names
    return mixed(f"{first} o-> {second}", f"{third} o-> {second}", nodes=list(names))


@cache
def result_of(data: Dataset) -> SearchResult:
    return run_search(data, graph_of(data.names), "hclc-v", options=SearchOptions(max_bidirected=1, seed=1))


def write_tables(folder: Path) -> list[Path]:
    rng = np.random.default_rng(5)
    paths = []
    for name, variables in TABLES.items():
        rows = rng.integers(2, size=(60, 3))
        text = "\n".join([",".join(variables), *(",".join(map(str, row)) for row in rows)])
        paths.append(folder / f"{name}.csv")
        paths[-1].write_text(text + "\n", encoding="utf-8")
    return paths


def sign_of(state: ProjectState) -> Sign | None:
    return state.positions.get(SIGN)


def read_sign(path: Path) -> Sign | None:
    """The sign of the state in a project."""
    events = open_project(path, RunControl(), post=lambda _event: None)
    return next(sign_of(event.state) for event in events if isinstance(event, OpenedProject))


class Program(QObject):
    """All of the program but its widgets."""

    def __init__(self, recovery_folder: Path) -> None:
        super().__init__()
        self.problems: list[str] = []
        settings, log = Settings(), lambda: ""
        self.document = Document(self)
        self.runs = Runs(self.report, parent=self)
        self.opener = Opener(self.document, settings, self.runs, report=self.report, parent=self)
        recent = self.opener.recent
        self.project = ProjectFiles(self.document, recent, self.runs, report=self.report, log=log, parent=self)
        self.unsaved = UnsavedWork(self.document, self.project, parent=self)
        self.lock = ProjectLock(self.document, parent=self)
        self.autosave = AutoSave(self.document, self.lock, log=log, after=1, parent=self)
        self.recovering = Recovering(self.document, self.autosave, parent=self)
        self.opener.before_replacing = self.recovering.before_replacing = self.unsaved.settle
        self.project.before_saving = self.autosave.suspend
        self.project.ended.connect(self.autosave.resume)
        self.lock.start()
        self.autosave.start(recovery_folder)

    def report(self, problem: BaseException | str, where: str) -> None:
        self.problems.append(f"{where}: {problem}")

    @property
    def is_busy(self) -> bool:
        return bool(
            self.runs.texts
            or self.project.is_saving
            or self.autosave._thread
            or self.autosave._timer.isActive()
            or self.recovering.is_looking
        )


class Person:
    """Does something at random; knows what must then be on the disk."""

    def __init__(self, folder: Path, *, recovery_folder: Path, rng: np.random.Generator, qtbot: QtBot) -> None:
        self.rng, self.qtbot = rng, qtbot
        self.answers = rng.spawn(1)[0]  # apart: how many questions are asked depends on the speed of the machine
        self.recovery_folder = recovery_folder
        self.tables = write_tables(folder)
        self.projects = [folder / f"{name}.latconf" for name in "wxyz"]
        self.n_documents = 0.0
        self.done: dict[str, int] = {}
        self.saved: dict[Path, Sign | None] = {}  # what the last completed save wrote
        self.explicit: set[Path] = set()  # files that the person chose or agreed to overwrite
        self.kept: set[Sign | None] = set()  # what the recovery file may hold: as written last, or a later state
        self.learning: Ticket | None = None
        self.acts: list[Callable[[], object]] = [
            self.open_table,
            self.open_project,
            self.new,
            *[self.edit] * 4,
            *[self.undo] * 2,
            self.redo,
            self.learn,
            self.end_learning,
            self.search,
            self.end_search,
            self.change_a_run,
            *[self.save] * 2,
            self.save_as,
            *[self.wait] * 3,
            self.rest,
            self.kill,
        ]
        self.program = self._start()

    def _start(self) -> Program:
        program = Program(self.recovery_folder)
        program.opener.opened.connect(self._sign)
        program.opener.path_asked.connect(lambda request: self._choose(request, self.tables))
        program.project.path_asked.connect(lambda request: self._choose(request, self.projects))
        program.project.overwrite_asked.connect(self._answer_changed)
        program.project.saved.connect(self._on_saved)
        program.unsaved.asked.connect(self._answer_unsaved)
        program.autosave.written.connect(self._on_kept)
        program.document.file_changed.connect(self._on_changed)
        return program

    # What happens ---------------------------------------------------------------------------------

    def _sign(self) -> None:
        """A document that comes from a table gets a number of its own."""
        if sign_of(self.document.state) is None and self.document.has_content:
            self.n_documents += 1
            self.document.move_nodes({SIGN: (self.n_documents, 0.0)}, "Sign")

    def _on_saved(self, path: Path) -> None:
        new = read_sign(path)
        old = self.saved.get(path)
        if path not in self.explicit and old is not None and new is not None:
            assert old[0] == new[0], f"document {new[0]} was written into the file of document {old[0]}"
        self.explicit.discard(path)
        self.saved[path] = new
        if path == self.document.path:
            self.kept.clear()  # what was kept before is older than the project now

    def _on_kept(self, _path: Path) -> None:
        kept = self.program.autosave._kept
        if kept is not None and self.document.is_modified:
            self.kept = {sign_of(kept), sign_of(self.document.state)}

    def _on_changed(self) -> None:
        if not self.document.is_modified:
            self.kept.clear()
        elif self.kept:
            self.kept.add(sign_of(self.document.state))

    def _choose(self, request: PathRequest, paths: list[Path]) -> None:
        if self.answers.random() < 0.2:
            request.give_up()
            return
        path = paths[self.answers.integers(len(paths))]
        self.explicit.add(path)
        request.take(path)

    def _answer_changed(self, question: ChangedOnDisk) -> None:
        act = (question.overwrite, question.save_elsewhere, question.cancel)[self.answers.integers(3)]
        if act == question.overwrite:
            self.explicit.add(question.path)
        act()

    def _answer_unsaved(self, question: UnsavedQuestion) -> None:
        (question.save, question.discard, question.cancel)[self.answers.integers(3)]()

    # What the person does -------------------------------------------------------------------------

    @property
    def document(self) -> Document:
        return self.program.document

    def act(self) -> None:
        act = self.acts[self.rng.integers(len(self.acts))]
        self.done[act.__name__] = self.done.get(act.__name__, 0) + 1
        act()
        self.check()

    def open_table(self) -> None:
        self.program.opener.open_path(self.tables[self.rng.integers(len(self.tables))])

    def open_project(self) -> None:
        there = [path for path in self.projects if path.exists()]
        if there:
            self.program.opener.open_path(there[self.rng.integers(len(there))])

    def new(self) -> None:
        self.program.opener.close_document("New document")

    def edit(self) -> None:
        sign = sign_of(self.document.state)
        if sign is not None:
            self.document.move_nodes({SIGN: (sign[0], sign[1] + 1)}, "Edit")

    def undo(self) -> None:
        self.document.undo_stack.undo()

    def redo(self) -> None:
        self.document.undo_stack.redo()

    def learn(self) -> None:
        if self.document.dataset is not None and not self.document.held_reason:
            self.learning = self.document.ticket()

    def end_learning(self) -> None:
        ticket, self.learning = self.learning, None
        if ticket is not None and ticket.dataset is not None and self.document.is_valid(ticket):
            self.document.set_pag(graph_of(ticket.dataset.names), "Learn", origin="GFCI")

    def search(self) -> None:
        if self.document.dataset is not None and self.document.pag is not None:
            self.document.hold("A search is running.")

    def end_search(self) -> None:
        if self.document.held_reason:
            self.document.release()
            assert self.document.dataset is not None
            self.document.add_result(result_of(self.document.dataset), "HCLC-V")

    def change_a_run(self) -> None:
        """Show, rename or delete one of the runs, those of other data too."""
        state = self.document.state
        if not state.runs:
            return
        name = state.runs[self.rng.integers(len(state.runs))].name
        changes = (choose_run, delete_run, lambda state, name: rename_run(state, name, f"{name}'"))
        try:
            after = changes[self.rng.integers(len(changes))](state, name)
        except OptionError:  # of other data, and said so
            return
        self.document.change(after, "Change a run")

    def save(self) -> None:
        self.program.project.save()

    def save_as(self) -> None:
        self.program.project.ask_path()

    def wait(self) -> None:
        QApplication.processEvents()

    def rest(self) -> None:
        """Let everything come to its end, and look at the disk."""
        self.qtbot.waitUntil(lambda: not self.program.is_busy, timeout=LONG)
        for path, sign in self.saved.items():
            assert read_sign(path) == sign, "a completed save was lost"

    def kill(self) -> None:
        """End without closing; begin again, and be offered what was not saved."""
        self.qtbot.waitUntil(lambda: not self.program.runs.texts, timeout=LONG)
        kill(self.program.autosave, self.program.lock)
        self.program.deleteLater()
        kept, self.kept, self.learning = self.kept, set(), None
        self.program = self._start()
        offers: list[Offer] = []
        self.program.recovering.offered.connect(offers.append)
        self.program.recovering.look_in(self.recovery_folder)
        self.qtbot.waitUntil(lambda: not self.program.recovering.is_looking, timeout=LONG)
        found = [sign_of(offer.recovery.state) for offer in offers]
        found += [sign_of(waiting.recovery.state) for waiting in self.program.recovering._waiting]
        assert not kept or kept & set(found), "what came after the save is not offered"
        while offers:
            self._answer_offer(offers.pop())

    def _answer_offer(self, offer: Offer) -> None:
        (offer.restore, offer.restore, offer.discard, offer.decide_later)[self.answers.integers(4)]()

    def check(self) -> None:
        """Nothing that is shown is of other data."""
        state = self.document.state
        if state.dataset is not None and state.pag is not None:
            assert state.pag.nodes == state.dataset.names
        if isinstance(state.result, SearchResult):
            assert state.dataset is not None
            assert state.result.dataset_digest == state.dataset.digest

    def end(self) -> None:
        self.end_search()
        self.rest()
        self.program.autosave.close()
        self.program.lock.release()
        self.program.deleteLater()
