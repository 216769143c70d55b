"""Projects made to break the reader: each is refused or read with a sentence, and writes nothing anywhere."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.small_runs import confounded, kept_pag, kept_run, small_run

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.prepare import prepare
from latconf_core.data.preparing.prepare_table import table_of_dataset
from latconf_core.errors import FileFormatError
from latconf_core.formats import history_csv
from latconf_core.formats.history_csv import parse_history
from latconf_core.formats.projects.posterior_file import parse_posterior, posterior_bytes
from latconf_core.formats.projects.project_file import Project, read_project, write_project
from latconf_core.formats.projects.project_state import OpenedProject, open_project, save_state
from latconf_core.formats.run_folder import OWN_FILES, write_run
from latconf_core.report.render import write_report
from latconf_core.report.sources import read_contents

Header = dict[str, Any]


def project(folder: Path, change: Callable[[Header], object] = lambda header: header) -> Path:
    """A small project with a table, its header changed by hand."""
    plain, path = folder / "plain.latconf", folder / "a.latconf"
    write_project(Project("x", raw=table_of_dataset(confounded(5))), plain)
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, json.dumps(change(json.loads(content))) if name == "project.json" else content)
    return path


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("source", "somewhere", "the source of its table: it is not an object"),
        ("source", None, "the source of its table: it is not an object"),
        ("settings", [], "its settings: it is not an object"),
        ("name", 5, "its name: found 5"),
        ("positions", {"A": [0, float("inf")]}, "'A' has no valid position"),
        ("positions", {"A": [0, 10**400]}, "the node positions"),
        ("current_pag", {}, "the current PAG"),
        ("latent_names", [{"children": "AB", "name": "x"}], "the names of latents"),
        ("state_names", [{"latent": "L", "parent": None, "children": ["A"], "states": ["a", "b"]}], "names of states"),
        ("read_options", {"delimiter": 5}, "delimiter is 5; it must be a text"),
        ("read_options", [], "it must be an object"),
        ("preparation", {"max_states": "50"}, "it must be a whole number"),
        ("preparation", {"missing_marks": [None]}, "it must be a text"),
        ("columns", 5, "damaged"),
        ("columns", [[]], "damaged|columns are named"),
    ],
)
def test_that_an_odd_entry_of_the_header_is_named(tmp_path: Path, key: str, value: object, says: str) -> None:
    with pytest.raises(FileFormatError, match=says):
        read_project(project(tmp_path, lambda header: {**header, key: value}))


@pytest.mark.exhaustive
def test_that_a_project_of_a_million_rows_and_forty_columns_opens(tmp_path: Path) -> None:
    """3 s of processor time and 340 MB on the machine it was written on; the limits of archives leave it room."""
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 3, (1_000_000, 40), dtype=np.uint8)
    raw = table_of_dataset(Dataset([f"v{i}" for i in range(40)], [("a", "b", "c")] * 40, codes))
    preparation = Preparation(missing_marks=())
    prepared = prepare(raw, preparation)
    write_project(Project("m", raw=raw, preparation=preparation, prepared=prepared), tmp_path / "m.latconf")
    read = read_project(tmp_path / "m.latconf")
    assert read.dataset == prepared.dataset


@pytest.mark.parametrize("source", [{"example": 5}, {"example": {"name": "asia", "hide": 3}}, {"path": 7}])
def test_that_a_source_that_makes_no_sense_is_left_out_and_named(tmp_path: Path, source: object) -> None:
    path = project(tmp_path, lambda header: {**header, "source": source})
    (opened,) = open_project(path, RunControl(), post=lambda _: None)
    assert isinstance(opened, OpenedProject)
    assert opened.state.source is None
    assert opened.state.raw is not None
    assert any("the source of its table" in note for note in opened.notes)


def test_that_a_header_nested_too_deeply_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.latconf"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("project.json", "[" * 100_000)
    with pytest.raises(FileFormatError, match="nested too deeply"):
        read_project(path)


@pytest.mark.parametrize("name", ["../outside", "/tmp/latconf-outside", "a/../../outside", "pags/../../x/about.json"])
def test_that_files_of_an_archive_are_never_written_by_their_names(tmp_path: Path, name: str) -> None:
    (tmp_path / "in").mkdir()
    path = project(tmp_path / "in")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(name, "x")
        link = zipfile.ZipInfo("data-link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    before = sorted(tmp_path.rglob("*"))
    assert read_project(path).raw is not None
    assert sorted(tmp_path.rglob("*")) == before
    assert not Path("/tmp/latconf-outside").exists()


@pytest.mark.parametrize("name", ["../outside", "/tmp/latconf-outside", "..", "a/../../b", "con\\\\..\\\\x", "x" * 300])
def test_that_names_inside_a_project_lead_nowhere_when_it_is_opened_saved_and_told(tmp_path: Path, name: str) -> None:
    """Names of the project, its PAGs and runs, and the source of its table."""
    folder = tmp_path / "in"
    folder.mkdir()
    pags, runs = (replace(kept_pag(), name=name),), (replace(kept_run(), name=name),)
    source = {"path": f"{name}/data.csv"}
    raw = table_of_dataset(confounded())
    own = Project(name, raw=raw, source=source, pags=pags, current_pag=name, runs=runs)
    write_project(own, folder / "a.latconf")
    (opened,) = open_project(folder / "a.latconf", RunControl(), post=lambda _: None)
    assert isinstance(opened, OpenedProject)
    assert [run.name for run in opened.state.runs] == [name]
    for _ in save_state(opened.state, folder / "b.latconf", RunControl(), post=lambda _: None):
        pass
    write_report(read_contents(folder / "b.latconf"), folder / "report.html")
    write_run(opened.state.runs[0].result, folder / "run")
    assert sorted(path.name for path in folder.iterdir()) == ["a.latconf", "b.latconf", "report.html", "run"]
    assert [path.name for path in tmp_path.iterdir()] == ["in"]
    assert not Path("/tmp/latconf-outside").exists()


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="this system has no links")
def test_that_a_link_in_the_folder_of_a_run_is_replaced_and_not_followed(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "run"
    outside.write_text("kept")
    folder.mkdir()
    for name in OWN_FILES:
        (folder / name).symlink_to(outside)
    write_run(small_run(), folder)
    assert outside.read_text() == "kept"
    assert not any(path.is_symlink() for path in folder.iterdir())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_that_a_pipe_is_refused_before_it_is_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.latconf")
    with pytest.raises(FileFormatError, match="a pipe or a device"):
        read_project(tmp_path / "pipe.latconf")


def changed_arrays(change: Callable[[dict[str, np.ndarray[Any, Any]]], object]) -> bytes:
    """A posterior with some arrays changed."""
    run = small_run()
    assert run.posterior is not None
    with np.load(io.BytesIO(posterior_bytes(run.posterior))) as read:
        arrays = dict(read)
    change(arrays)
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("columns_0", np.array([2**62, 0])),
        ("columns_0", np.array([-1, 0])),
        ("columns_0", np.array([0.5, 1.0])),
        ("weights_0", np.array([b"x", b"y"], dtype="V8")),
        ("weights_0", np.array([np.nan, 1.0])),
        ("weights_0", np.ones(5)),
        ("distinct_0", np.zeros(4, dtype=np.int64)),
        ("distinct_0", np.zeros((0, 2), dtype=np.int64)),
        ("distinct_0", np.full((4, 2), 99)),
        ("shares_0", np.ones((1, 2))),
        ("trace_0", np.array("text")),
    ],
)
def test_that_a_posterior_that_does_not_fit_is_refused(name: str, value: np.ndarray[Any, Any]) -> None:
    best = small_run().best
    assert best is not None
    assert parse_posterior(changed_arrays(lambda arrays: None), best, confounded()).dag == best
    with pytest.raises(FileFormatError):
        parse_posterior(changed_arrays(lambda arrays: arrays.update({name: value})), best, confounded())


def test_that_more_visits_than_can_be_held_are_refused_before_the_rest_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_csv, "MAX_CELLS", 30)
    head = "visit,kind,bidirected,p_elbo,edges,latents,effort\n"
    rows = [f"{number},candidate,0,-1,,,full\n" for number in range(1, 1000)]
    assert len(parse_history(head + "".join(rows[:9]), ["a", "b", "c"])) == 9
    stream = io.StringIO(head + "".join(rows))
    with pytest.raises(FileFormatError, match="more than latconf can hold"):
        parse_history(stream, ["a", "b", "c"])
    assert stream.readline() == rows[10]


def test_that_a_history_of_one_endless_line_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_csv, "MAX_LINE", 1000)
    with pytest.raises(FileFormatError, match="is no visit"):
        parse_history("visit,kind,bidirected,p_elbo,edges,latents,effort\n" + "x" * 5000, ["a"])


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("log.txt", b"0123456789\n" * 1_600_000, "'log.txt' in it unpacks to"),
        ("project.json", b"[" + b"[]," * 3_000_000 + b"[]]", "holds 6,000,0"),
    ],
)
def test_that_a_small_project_that_unpacks_to_much_is_refused(
    tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    plain, path = project(tmp_path), tmp_path / "bomb.latconf"
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.namelist():
            new.writestr(member, content if member == name else old.read(member))
    with pytest.raises(FileFormatError, match=says):
        read_project(path)


@pytest.mark.parametrize(
    "row", ["0,candidate,0,-1,9>0,", "0,candidate,0,-1,0>3,", "0,candidate,0,-1,,2:0:7", "0,c,,,,"]
)
def test_that_a_position_that_no_variable_has_is_refused_in_an_older_history(row: str) -> None:
    with pytest.raises(FileFormatError, match="is not a visit of 3 variables"):
        parse_history(f"visit,kind,bidirected,p_elbo,edges,latents\n{row}\n", ["a", "b", "c"])
