"""Parts of a project: odd ones survive, broken ones are left out and named, and what was saved is read back."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.builders import random_dataset
from support.small_runs import confounded, kept_pag, kept_run, small_run

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.prepare import prepare
from latconf_core.data.preparing.prepare_table import table_of_dataset
from latconf_core.data.raw_table import RawColumn, RawTable
from latconf_core.errors import FileFormatError
from latconf_core.formats.examples import load_example
from latconf_core.formats.projects import project_file as project_module
from latconf_core.formats.projects.posterior_file import parse_posterior, posterior_bytes
from latconf_core.formats.projects.project_file import Project, read_project, write_project
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer

Change = Callable[[bytes], bytes]


def small_project() -> Project:
    raw = table_of_dataset(confounded())
    preparation = Preparation(missing_marks=())
    prepared = prepare(raw, preparation)
    truth = load_example("asia")
    return Project(
        "x",
        raw=raw,
        preparation=preparation,
        prepared=prepared,
        truth=truth,
        pags=(kept_pag(),),
        current_pag="drawn",
        runs=(kept_run(),),
        current_run="HCLC-V on drawn",
    )


def rewrite(source: Path, target: Path, name: str, change: Change) -> None:
    """Copy a project with one of its files changed."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for own in old.namelist():
            new.writestr(own, change(old.read(own)) if own == name else old.read(own))


def change_json(**changes: object) -> Change:
    return lambda content: json.dumps({**json.loads(content), **changes}).encode()


def test_that_a_posterior_comes_back_when_latents_share_a_child() -> None:
    """L1 and L3 make one component, L2 another: tables come in another order than latents."""
    data = random_dataset(np.random.default_rng(1), 200, [2] * 5)
    latents = [Latent("L1", 2, ("A", "E")), Latent("L2", 3, ("B", "C")), Latent("L3", 2, ("D", "E"))]
    dag = LatentDag("ABCDE", [("A", "B")], latents)
    before = Scorer(data, VbemOptions(restarts=1, max_iterations=20)).posterior(dag)
    assert list(before.cpts)[5:] != [latent.name for latent in dag.latents]
    after = parse_posterior(posterior_bytes(before), dag, data)
    assert dict(after.cpts) == dict(before.cpts)
    for name in before.latents:
        assert np.array_equal(after.responsibilities(name), before.responsibilities(name))


def test_that_a_posterior_of_another_dag_is_refused() -> None:
    posterior = small_run().posterior
    assert posterior is not None
    other = LatentDag("ABC", [], [Latent("L2", 2, ("A", "B"))])
    with pytest.raises(FileFormatError, match="another DAG"):
        parse_posterior(posterior_bytes(posterior), other, confounded())


def column_of(cells: list[str]) -> RawColumn:
    texts = sorted(set(cells))
    return RawColumn.sorted(np.array([texts.index(cell) for cell in cells]), texts)


@pytest.mark.parametrize(
    "names", [("A ", "A", "B"), ("A", "B", ""), ("", "A", " "), ("A", 'a "b"\n,c', "A\n"), ("#", "1", "2")]
)
def test_that_columns_of_any_names_come_back(tmp_path: Path, names: tuple[str, ...]) -> None:
    cells = [["x", "y", "", "x"], ["1", "2", "1", "2"], ["", "", "a b", '"']]
    raw = RawTable(names, tuple(map(column_of, cells)))
    write_project(Project(raw=raw), tmp_path / "a.latconf")
    read = read_project(tmp_path / "a.latconf").raw
    assert read is not None
    assert read.names == names
    assert [[read.cell(row, i) for row in range(4)] for i in range(3)] == cells


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        (
            "runs/01/posterior.npz",
            lambda content: content[:100],
            "hclc-v: the posterior of the best DAG could not be read",
        ),
        ("runs/01/result.json", lambda content: content[:100], "run 1 could not be read and was ignored"),
        ("runs/01/result.json", change_json(version=9), "run 1 could not be read and was ignored: this result has"),
        ("runs/01/history.csv", lambda content: content.replace(b"A -->", b"X -->"), "run 1 could not be read"),
        ("runs/01/about.json", lambda content: b"[1]", "run 1 could not be read and was ignored: runs/01/about.json"),
        ("pags/01/pag.txt", lambda content: b"nonsense here", "PAG 1 could not be read and was ignored"),
        ("pags/01/about.json", lambda content: b"{}", "PAG 1 could not be read and was ignored: name"),
        ("truth.bif", lambda content: content[:300], "the network that the data were drawn from could not be read"),
        ("log.txt", lambda content: b"\xff\xfe", "the log could not be read and was ignored"),
    ],
)
def test_that_a_part_that_cannot_be_read_is_left_out_and_named(
    tmp_path: Path, name: str, change: Change, said: str
) -> None:
    write_project(small_project(), tmp_path / "good.latconf")
    rewrite(tmp_path / "good.latconf", tmp_path / "a.latconf", name, change)
    read = read_project(tmp_path / "a.latconf")
    (note,) = read.notes
    assert note.startswith(said)
    assert read.dataset == confounded()
    assert len(read.runs) == ("run 1" not in said)
    assert read.current_run == ("" if "run 1" in said else "HCLC-V on drawn")
    assert len(read.pags) == ("PAG 1" not in said)
    assert read.current_pag == ("" if "PAG 1" in said else "drawn")
    assert (read.truth is None) == ("drawn" in said)


def test_that_the_other_runs_open_when_one_is_broken(tmp_path: Path) -> None:
    saved = small_project()
    second = kept_run(replace(small_run(), cuts=("the second",)), "second")
    write_project(replace(saved, runs=(*saved.runs, second)), tmp_path / "good.latconf")
    rewrite(tmp_path / "good.latconf", tmp_path / "a.latconf", "runs/01/result.json", lambda content: b"{}")
    read = read_project(tmp_path / "a.latconf")
    assert [run.result.cuts for run in read.runs] == [("the second",)]
    assert len(read.notes) == 1


def test_that_an_unknown_or_missing_option_leaves_the_run_in_place(tmp_path: Path) -> None:
    write_project(small_project(), tmp_path / "good.latconf")
    options = small_run().options.to_json()
    del options["max_candidates"]
    change = change_json(options={**options, "later_option": "marks"})
    rewrite(tmp_path / "good.latconf", tmp_path / "a.latconf", "runs/01/result.json", change)
    read = read_project(tmp_path / "a.latconf")
    assert read.runs[0].result.options == small_run().options
    assert read.notes == (
        "hclc-v: 'later_option' of SearchOptions is unknown to this version of latconf and was ignored",
    )


def test_that_the_posterior_of_other_data_is_not_taken_for_theirs(tmp_path: Path) -> None:
    other = kept_run(replace(small_run(), dataset_digest="other"))
    write_project(replace(small_project(), runs=(other,)), tmp_path / "a.latconf")
    run = read_project(tmp_path / "a.latconf").runs[0].result
    assert (run.dataset_digest, run.posterior) == ("other", None)


def test_that_an_unknown_choice_about_the_data_is_noted_and_the_data_open(tmp_path: Path) -> None:
    write_project(small_project(), tmp_path / "good.latconf")

    def change(content: bytes) -> bytes:
        header = json.loads(content)
        header["preparation"]["weights"] = None
        header["read_options"]["comment"] = "#"
        del header["preparation"]["max_states"], header["read_options"]["sheet"]
        return json.dumps({**header, "mood": "good"}).encode()

    rewrite(tmp_path / "good.latconf", tmp_path / "a.latconf", "project.json", change)
    read = read_project(tmp_path / "a.latconf")
    assert read.dataset == confounded()
    assert read.notes == (
        "'comment' of reading is unknown to this version of latconf and was ignored",
        "'weights' of a preparation is unknown to this version of latconf and was ignored",
    )


def damage_table(archive: zipfile.ZipFile, raw: RawTable, *_rest: object) -> None:
    archive.writestr("data.csv", ",".join(raw.names) + "\nno,no,0\n")


def damage_run(archive: zipfile.ZipFile, folder: str, *_rest: object) -> None:
    archive.writestr(f"{folder}/about.json", "{}")
    archive.writestr(f"{folder}/result.json", '{"search": "hclc-v"')


def write_nothing(*_arguments: object) -> None:
    """Let a part be missing."""


@pytest.mark.parametrize(
    ("function", "stand_in", "said"),
    [
        ("write_raw_table", damage_table, "it has 1 of 400 rows and 3 of 3 columns"),
        ("write_raw_table", write_nothing, "data.csv"),
        ("write_run", damage_run, "Expecting"),
        ("write_run", write_nothing, "it has 0 of 1 runs"),
        ("write_pag", write_nothing, "it has 0 of 1 PAGs"),
    ],
)
def test_that_what_cannot_be_read_back_replaces_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, function: str, stand_in: Callable[..., None], said: str
) -> None:
    path = tmp_path / "a.latconf"
    write_project(Project(name="old"), path)
    monkeypatch.setattr(project_module, function, stand_in)
    with pytest.raises(FileFormatError, match=rf"a\.latconf: the saved file cannot be read back .*{said}.*"):
        write_project(small_project(), path)
    assert read_project(path).name == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["a.latconf"]
