"""The stability of PAGs and runs in a project: kept, left out and named where it is damaged, and in reports."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.small_runs import confounded, kept_pag, kept_run, small_run
from support.small_stability import small_stability

from latconf_core.cli.main import main
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.prepare import prepare
from latconf_core.data.preparing.prepare_table import table_of_dataset
from latconf_core.errors import FileFormatError, OptionError
from latconf_core.formats.projects.project_file import Project, read_project, write_project
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.formats.projects.state_changes import edit_pag, keep_pag_stability, keep_run_stability, rename_pag
from latconf_core.formats.run_folder import write_run
from latconf_core.formats.stability_folder import read_stability, write_stability
from latconf_core.report.contents import ReportContents
from latconf_core.report.render import render_report
from latconf_core.report.sources import read_contents
from latconf_core.stability.stability_result import Stability
from latconf_core.wording.stability_words import headline


def project() -> Project:
    raw, preparation = table_of_dataset(confounded()), Preparation(missing_marks=())
    return Project(
        "x",
        raw=raw,
        preparation=preparation,
        prepared=prepare(raw, preparation),
        pags=(replace(kept_pag(), stability=small_stability(searches=False)),),
        current_pag="drawn",
        runs=(replace(kept_run(), stability=small_stability()), kept_run(name="again")),
        current_run="HCLC-V on drawn",
    )


def test_that_stability_survives_a_project(tmp_path: Path) -> None:
    path = tmp_path / "own.latconf"
    write_project(project(), path)
    again = read_project(path)
    assert again.notes == ()
    (pag,), (run, other) = again.pags, again.runs
    assert pag.stability is not None
    assert pag.stability.to_json() == small_stability(searches=False).to_json()
    assert run.stability is not None
    assert run.stability.to_json() == small_stability().to_json()
    assert other.stability is None


def test_that_older_readers_find_all_that_they_know(tmp_path: Path) -> None:
    """What is new is a file of its own beside the others; nothing else differs from a project without it."""
    with_it, without = tmp_path / "with.latconf", tmp_path / "without.latconf"
    write_project(project(), with_it)
    bare = project()
    write_project(
        replace(
            bare,
            pags=tuple(replace(pag, stability=None) for pag in bare.pags),
            runs=tuple(replace(run, stability=None) for run in bare.runs),
        ),
        without,
    )
    with zipfile.ZipFile(with_it) as one, zipfile.ZipFile(without) as other:
        assert set(one.namelist()) - set(other.namelist()) == {"pags/01/stability.json", "runs/01/stability.json"}
        assert all(one.read(name) == other.read(name) for name in other.namelist())


@pytest.mark.parametrize(
    "change",
    [
        lambda content: b"{",
        lambda content: b"[]",
        lambda content: json.dumps({**json.loads(content), "version": 99}).encode(),
        lambda content: json.dumps({**json.loads(content), "outcomes": 3}).encode(),
        lambda content: json.dumps({**json.loads(content), "seconds": float("nan")}).encode(),
    ],
)
def test_that_a_damaged_stability_is_left_out_and_named(tmp_path: Path, change: Callable[[bytes], bytes]) -> None:
    path, damaged = tmp_path / "own.latconf", tmp_path / "damaged.latconf"
    write_project(project(), path)
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(damaged, "w") as new:
        for name in old.namelist():
            is_own = name in ("runs/01/stability.json", "pags/01/stability.json")
            new.writestr(name, change(old.read(name)) if is_own else old.read(name))
    again = read_project(damaged)
    assert len(again.notes) == 2
    assert all("stability" in note and "could not be read and was ignored" in note for note in again.notes)
    assert [one.name for one in (*again.pags, *again.runs)] == ["drawn", "HCLC-V on drawn", "again"]
    assert (again.pags[0].stability, again.runs[0].stability) == (None, None)


def test_that_a_learner_of_another_program_is_named_as_it_is() -> None:
    content = small_stability(searches=False).to_json()
    content["options"]["learner"]["method"] = "newer"
    assert headline(Stability.from_json(content)).startswith("newer on 3 half samples")


def test_that_stability_stays_with_what_it_belongs_to() -> None:
    state = ProjectState(pags=(kept_pag(),), current_pag="drawn", runs=(kept_run(),))
    state = keep_run_stability(
        keep_pag_stability(state, "drawn", small_stability(searches=False)), "HCLC-V on drawn", small_stability()
    )
    renamed = rename_pag(state, "drawn", "mine")
    assert renamed.pags[0].stability is small_stability(searches=False)
    assert renamed.runs[0].stability is small_stability()
    assert edit_pag(state, kept_pag().graph, origin="edited").pags[0].stability is small_stability(searches=False)
    with pytest.raises(OptionError, match="there is no run 'gone'"):
        keep_run_stability(state, "gone", small_stability())


def test_that_the_report_tells_weights_always_and_samples_where_there_are_any(tmp_path: Path) -> None:
    plain = render_report(ReportContents(small_run(), "x"))
    assert "Uncertainty" in plain
    assert "not probabilities over all graphs" in plain
    assert "On resampled rows" not in plain
    path = tmp_path / "own.latconf"
    write_project(project(), path)
    told = render_report(read_contents(path))
    assert "On resampled rows" in told
    assert "GFCI and HCLC-V on 3 half samples" in told
    assert "It is not the probability" in told


def test_that_the_report_of_a_folder_takes_up_what_was_measured_into_it(tmp_path: Path) -> None:
    write_run(small_run(), tmp_path)
    write_stability(small_stability(), tmp_path)
    contents = read_contents(tmp_path)
    assert contents.stability is not None
    assert contents.stability.to_json() == small_stability().to_json() == read_stability(tmp_path).to_json()
    other = replace(small_stability(), dataset_digest="belongs to other data")
    write_stability(other, tmp_path)
    assert read_contents(tmp_path).stability is None
    assert main(["report", str(tmp_path), "--out", str(tmp_path / "report.html")]) == 0
    (tmp_path / "stability.json").write_text("{}")
    with pytest.raises(FileFormatError, match=r"stability\.json"):
        read_contents(tmp_path)


def test_that_the_result_of_a_run_gives_the_weights_as_json() -> None:
    told = small_run().to_json()["visited_weights"]
    assert told["visits"] <= len(small_run().history)
    assert {tuple(one["children"]) for one in told["latents"]} <= {
        latent.children for visit in small_run().history for latent in small_run().history.dag(visit.index).latents
    }
