"""Saves and autosaves in a process that is killed at a random moment, again and again; says what was lost.

python tests/support/killed_saves.py FOLDER N_KILLS SEED: prints a line for each kill, and "nothing lost" at the end.
"""

from __future__ import annotations

import os
import random
import select
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from PySide6.QtCore import QCoreApplication, QSettings
from support.life import SIGN, Program, read_sign, sign_of, write_tables

from latconf_core.control import RunControl
from latconf_core.data.read_options import ReadOptions
from latconf_core.formats.projects.opening import read_file
from latconf_core.formats.projects.project_state import ProjectState
from latconf_gui.application.recovering import _find_left, _Found

LONGEST = 0.4  # seconds from the first save to the kill


def work(folder: Path, begin: float, says: int) -> None:
    """Edit, save, edit, wait for the recovery file, without end; every completed step is said."""
    app = QCoreApplication([])
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(folder / "settings"))
    program = Program(folder / "recovery")
    project, state = folder / "p.latconf", table_state(folder)
    steps = [begin]

    def edit() -> None:
        steps[0] += 1
        program.document.move_nodes({SIGN: (1.0, steps[0])}, "Edit")

    def on_saved() -> None:
        os.write(says, f"saved {steps[0]}\n".encode())
        edit()

    def on_kept() -> None:
        os.write(says, f"kept {steps[0]}\n".encode())
        if random.random() < 0.5:
            edit()
        else:
            program.project.save()

    program.project.saved.connect(lambda _path: on_saved())
    program.autosave.written.connect(lambda _path: on_kept())
    program.document.open_state(state, "Open")
    edit()
    program.project.save_to(project, may_overwrite=True)
    app.exec()


def table_state(folder: Path) -> ProjectState:
    path = write_tables(folder)[0]
    events = read_file(path, ReadOptions(), RunControl(), post=lambda _event: None)
    return next(event for event in events if isinstance(event, ProjectState))


def kill_once(folder: Path, begin: float, delay: float) -> list[tuple[str, float]]:
    """Let a process work, kill it, and give what it had said."""
    listens, says = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(listens)
        work(folder, begin, says)
        os._exit(0)
    os.close(says)
    with os.fdopen(listens) as lines:
        first = lines.readline()
        select.select([], [], [], delay)  # the moment is what is tried: nothing is waited for
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return list(_said(first, lines))


def _said(first: str, lines: IO[str]) -> Iterator[tuple[str, float]]:
    for line in (first, *lines):
        word, number = line.split()
        yield word, float(number)


def check(folder: Path, said: list[tuple[str, float]]) -> float:
    """The newest step that is on the disk; AssertionError where one was lost."""
    in_project = read_sign(folder / "p.latconf")
    assert in_project is not None, "the project holds something else"
    last_saved = max(number for word, number in said if word == "saved")
    assert in_project[1] >= last_saved, f"save {last_saved} was lost, the project holds {in_project[1]}"
    eaches = [each for each in _find_left(folder / "recovery", RunControl()) if isinstance(each, _Found)]
    recovered = [sign[1] for each in eaches if (sign := sign_of(each.recovery.state)) is not None]
    newest = max(number for _, number in said)
    assert max([in_project[1], *recovered]) >= newest, f"step {newest} was kept, but is not offered"
    assert all(number > in_project[1] for number in recovered), "what is older than the project is offered"
    for each in eaches:
        each.recovery.path.unlink()
        if each.list_file is not None:
            each.list_file.unlink(missing_ok=True)
        if each.lock is not None:
            each.lock.unlock()
    return max([in_project[1], *recovered])


def main(folder: Path, n_kills: int, seed: int) -> None:
    rng, step = random.Random(seed), 0.0
    for number in range(n_kills):
        said = kill_once(folder, step, rng.uniform(0, LONGEST))
        step = check(folder, said)
        sys.stdout.write(f"kill {number + 1}: {said[-1][0]} {said[-1][1]:g}, {step:g} on the disk\n")
    sys.stdout.write("nothing lost\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
