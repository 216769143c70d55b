"""The Lessons page has its own part in the project file, which an older or damaged file may lack."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from latconf_core.formats.projects.project_file import Project, read_project, write_project

LEARNED = {"open": "hide", "activities": {"hide": {"points": 3, "names": ["Größe", "B"]}}}


def test_that_a_project_keeps_it_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "lecture.latconf"
    write_project(Project(name="lecture", learn=LEARNED), path)
    assert read_project(path).learn == LEARNED


def test_that_a_project_without_it_has_none(tmp_path: Path) -> None:
    path = tmp_path / "plain.latconf"
    write_project(Project(name="plain"), path)
    project = read_project(path)
    assert (project.learn, project.notes) == ({}, ())


@pytest.mark.parametrize("text", ["{", "[1, 2]", "\ufffe"])
def test_that_a_damaged_part_is_left_out_and_named(tmp_path: Path, text: str) -> None:
    path, damaged = tmp_path / "whole.latconf", tmp_path / "damaged.latconf"
    write_project(Project(name="lecture", learn=LEARNED), path)
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(damaged, "w") as copy:
        for name in whole.namelist():
            copy.writestr(name, text if name == "learn.json" else whole.read(name))
    project = read_project(damaged)
    assert project.name == "lecture"
    assert project.learn == {}
    assert "the state of the Lessons page could not be read" in project.notes[0]
