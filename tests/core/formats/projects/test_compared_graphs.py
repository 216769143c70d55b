"""The graphs that are compared are part of a project: by reference where it has them, else with their content."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

from support.builders import mixed
from support.small_runs import kept_pag, kept_run

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.formats.projects.compared_graphs import MOST, NAME, ComparedItem, GraphSource
from latconf_core.formats.projects.project_file import Project, read_project, write_project

PAG, RUN = kept_pag(), kept_run()
OF_PAG = ComparedItem("the PAG", PAG.graph, "PAG", "drawn", GraphSource(pag=PAG.name))
OF_RUN = ComparedItem("a visit", RUN.result.history.dag(1), "DAG", RUN.name, GraphSource(run=RUN.name, visit=1))
TRUTH = ComparedItem("Truth", LatentDag("ABCD", [("A", "C")], [Latent("H", 3, ("A", "B"))]), "DAG", "the example")
OF_FILE = ComparedItem("other.txt", mixed("A o-> B", nodes=list("ABCD")), "PAG", "file")
EVERYTHING = (TRUTH, OF_RUN, OF_FILE, OF_PAG)


def save(path: Path, *items: ComparedItem, **parts: object) -> Path:
    write_project(replace(Project("x", pags=(PAG,), runs=(RUN,), compared=items), **parts), path)
    return path


def entries(path: Path) -> list[dict[str, object]]:
    with zipfile.ZipFile(path) as archive:
        load: list[dict[str, object]] = json.loads(archive.read(NAME))["graphs"]
    return load


def put(path: Path, text: str) -> Path:
    """The project with another list of compared graphs."""
    changed = path.with_name("changed.latconf")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            new.writestr(name, text if name == NAME else old.read(name))
    return changed


def test_that_names_order_reference_and_origins_come_back(tmp_path: Path) -> None:
    assert read_project(save(tmp_path / "x.latconf", *EVERYTHING)).compared == EVERYTHING


def test_that_only_graphs_of_files_and_truths_are_written_again(tmp_path: Path) -> None:
    written = entries(save(tmp_path / "x.latconf", *EVERYTHING))
    assert ["graph" in one for one in written] == [True, False, True, False]


def test_that_a_graph_whose_pag_or_run_was_changed_or_deleted_keeps_its_content(tmp_path: Path) -> None:
    edited = replace(PAG, graph=mixed("A <-> B", nodes=list("ABCD")))
    path = save(tmp_path / "x.latconf", OF_PAG, OF_RUN, pags=(edited,), runs=())
    assert read_project(path).compared == (OF_PAG, OF_RUN)


def test_that_a_graph_whose_run_cannot_be_read_is_left_out_and_named(tmp_path: Path) -> None:
    path = save(tmp_path / "x.latconf", *EVERYTHING)
    gone = put(path, json.dumps({"graphs": [{**OF_RUN.about(), "source": {"run": "no such run"}}, TRUTH.to_json()]}))
    project = read_project(gone)
    assert project.compared == (TRUTH,)
    assert any("'a visit'" in note and "'no such run'" in note for note in project.notes)


def test_that_a_project_of_an_older_program_compares_nothing(tmp_path: Path) -> None:
    path = save(tmp_path / "x.latconf")
    with zipfile.ZipFile(path) as archive:
        assert NAME not in archive.namelist()
    assert read_project(path).compared == ()


def test_that_a_damaged_list_is_left_out_and_named(tmp_path: Path) -> None:
    path = save(tmp_path / "x.latconf", *EVERYTHING)
    for text in ("", "[]", "{}", '{"graphs": 3}'):
        project = read_project(put(path, text))
        assert project.compared == ()
        assert len([note for note in project.notes if "compared graphs" in note]) == 1
        assert len(project.runs) == 1


def test_that_a_damaged_entry_is_left_out_and_the_others_stay(tmp_path: Path) -> None:
    path = save(tmp_path / "x.latconf", *EVERYTHING)
    for damaged in (7, {"name": "odd"}, {**TRUTH.about(), "graph": {"nodes": "A"}}, {**TRUTH.about(), "graph": None}):
        project = read_project(put(path, json.dumps({"graphs": [damaged, OF_FILE.to_json()]})))
        assert project.compared == (OF_FILE,)
        assert any("compared graph" in note for note in project.notes)


def test_that_no_more_are_read_than_can_be_compared(tmp_path: Path) -> None:
    many = [replace(OF_FILE, name=str(number)) for number in range(MOST + 1)]
    project = read_project(save(tmp_path / "x.latconf", *many))
    assert len(project.compared) == MOST
    assert any(str(MOST) in note for note in project.notes)
