"""Where a lecturer's own lessons are."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from latconf_core.teaching.lessons import Lesson


def own_lessons_folder() -> Path:
    """The folder of a lecturer's own lessons; `LATCONF_LESSONS_FOLDER` names another one."""
    named = os.environ.get("LATCONF_LESSONS_FOLDER")
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(named) if named else Path(folder) / "lessons"


def make_folder() -> Path:
    """The folder, made where it is not there yet; OSError where that cannot be done."""
    folder = own_lessons_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def copy_lesson(lesson: Lesson) -> Path:
    """A copy of a lesson's file to begin one's own with; no file that is there is overwritten."""
    folder, number = make_folder(), 1
    while (path := folder / f"my-{lesson.key}{'' if number == 1 else f'-{number}'}.json").exists():
        number += 1
    shutil.copyfile(lesson.path, path)
    return path
