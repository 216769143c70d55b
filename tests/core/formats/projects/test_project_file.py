from __future__ import annotations

import errno
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.builders import mixed
from support.small_runs import GRAPH, confounded, kept_pag, kept_run, small_run

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.dag.latent_dag import Latent
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.discretise import Discretisation
from latconf_core.data.preparing.prepare import prepare
from latconf_core.data.preparing.prepare_table import table_of_dataset
from latconf_core.data.raw_table import RawColumn, RawTable
from latconf_core.data.reading.load import read_table
from latconf_core.errors import FileFormatError
from latconf_core.formats.examples import load_example
from latconf_core.formats.projects import project_file as project_module
from latconf_core.formats.projects.kept_items import DataMark, KeptPag
from latconf_core.formats.projects.migrations import FORMAT_VERSION, MIGRATIONS
from latconf_core.formats.projects.project_file import Project, read_project, write_project
from latconf_core.json_form import migrate
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.pag.events import EdgeRemoved, PhaseStarted
from latconf_core.search.outcome.result import SearchResult

SAMPLES = Path(__file__).parent / "samples"
CELLS = ["a", "", " b ", 'say "hi"', "1,5", "two\nlines", "NA", "ä€", "01", "'"]


@pytest.fixture(scope="module")
def result() -> SearchResult:
    return small_run()


def full_project(result: SearchResult) -> Project:
    raw = table_of_dataset(confounded())
    preparation = Preparation(missing_marks=())
    return Project(
        name="Confounded",
        source={"example": "asia"},
        raw=raw,
        preparation=preparation,
        prepared=prepare(raw, preparation),
        truth=load_example("asia"),
        knowledge=Knowledge(tiers=(("A",), ("B", "C")), forbidden=(("C", "A"),), exogenous=("A",)),
        pags=(kept_pag(),),
        current_pag="drawn",
        runs=(kept_run(result),),
        current_run="HCLC-V on drawn",
        latent_names={("A", "B"): "Stress"},
        state_names={Latent("L1", 2, ("A", "B")): ("ill", "well")},
        positions={"A": (1.5, -2.0), "B": (0.0, 0.25)},
        settings={"tab": 2},
        log="12:00 opened\n",
    )


def test_that_a_project_comes_back_as_it_was_saved(result: SearchResult, tmp_path: Path) -> None:
    saved = full_project(result)
    write_project(saved, tmp_path / "a.latconf")
    read = read_project(tmp_path / "a.latconf")
    assert read.dataset == saved.dataset
    assert read.raw is not None
    assert saved.raw is not None
    assert [(c.texts, c.is_declared) for c in read.raw.columns] == [(c.texts, c.is_declared) for c in saved.raw.columns]
    names = ("name", "source", "preparation", "truth", "knowledge", "current_pag", "current_run", "latent_names")
    for name in (*names, "state_names", "log"):
        assert getattr(read, name) == getattr(saved, name), name
    assert (read.positions, read.settings) == (saved.positions, saved.settings)


def test_that_a_run_comes_back_with_every_visit_and_number(result: SearchResult, tmp_path: Path) -> None:
    write_project(full_project(result), tmp_path / "a.latconf")
    run = read_project(tmp_path / "a.latconf").runs[0].result
    assert run.history == result.history
    assert len(run.history) > 3
    assert [run.history.dag(visit.index).key for visit in run.history] == [
        result.history.dag(visit.index).key for visit in result.history
    ]
    names = ("algorithm", "options", "dataset_digest", "pag", "pag_handling", "best", "evidence", "cuts", "seconds")
    for name in names:
        assert getattr(run, name) == getattr(result, name), name
    assert (run.p_elbo, run.elbo, run.gain, run.stop_reason) == (
        result.p_elbo,
        result.elbo,
        result.gain,
        result.stop_reason,
    )
    assert run.stop_reason in StopReason


def test_that_a_posterior_comes_back_to_the_last_digit(result: SearchResult, tmp_path: Path) -> None:
    write_project(full_project(result), tmp_path / "a.latconf")
    before, after = result.posterior, read_project(tmp_path / "a.latconf").runs[0].result.posterior
    assert before is not None
    assert after is not None
    assert dict(after.cpts) == dict(before.cpts)
    assert before.latents
    for name in before.latents:
        assert np.array_equal(after.responsibilities(name), before.responsibilities(name))
    assert (after.bic, after.warnings) == (before.bic, before.warnings)
    for old, new in zip((*before.trace, *before.spread), (*after.trace, *after.spread), strict=True):
        assert np.array_equal(old, new)


def test_that_saving_what_was_read_gives_the_same_content(result: SearchResult, tmp_path: Path) -> None:
    write_project(full_project(result), tmp_path / "a.latconf")
    write_project(read_project(tmp_path / "a.latconf"), tmp_path / "b.latconf")
    with zipfile.ZipFile(tmp_path / "a.latconf") as first, zipfile.ZipFile(tmp_path / "b.latconf") as second:
        assert first.namelist() == second.namelist()
        for name in first.namelist():
            if not name.endswith(".npz"):
                assert first.read(name) == second.read(name), name


def test_that_odd_cells_names_and_columns_that_are_not_used_survive(tmp_path: Path) -> None:
    rows = [CELLS[i % len(CELLS)] for i in range(60)]
    odd = RawColumn.sorted(np.array([CELLS.index(text) for text in rows]), CELLS)
    ids = RawColumn.sorted(np.arange(60), [f"P{i}" for i in range(60)])
    numbers = RawColumn.sorted(np.arange(60) % 12, [str(i) for i in range(12)])
    raw = RawTable(('odd, "name"', "id", "x%;y z"), (odd, ids, numbers), notes=("a note",))
    preparation = Preparation(missing="own state").with_rule("x%;y z", Discretisation("equal width", 3))
    graph = mixed("A o-> B", nodes=["A", "B"]).renamed({"A": 'odd, "name"', "B": "x%;y z"})
    pags = (KeptPag("PAG", graph),)
    saved = Project(raw=raw, preparation=preparation, prepared=prepare(raw, preparation), pags=pags)
    write_project(saved, tmp_path / "a.latconf")
    read = read_project(tmp_path / "a.latconf")
    assert read.raw is not None
    assert read.raw.names == raw.names
    assert read.raw.notes == raw.notes
    for old, new in zip(raw.columns, read.raw.columns):
        assert new.texts == old.texts
        assert np.array_equal(new.codes, old.codes)
    assert read.dataset == saved.dataset
    assert read.pags[0].graph == graph
    assert [aside.name for aside in read.prepared.set_aside] == ["id"]  # type: ignore[union-attr]


@pytest.mark.parametrize("cells", [["", "a", "", "b"], ["", "", "x", "y"], ["a b", "c", " ", "c"]])
def test_that_a_table_of_one_column_keeps_its_empty_cells(tmp_path: Path, cells: list[str]) -> None:
    texts = sorted(set(cells))
    raw = RawTable(("only",), (RawColumn.sorted(np.array([texts.index(c) for c in cells]), texts),))
    write_project(Project(raw=raw), tmp_path / "a.latconf")
    read = read_project(tmp_path / "a.latconf").raw
    assert read is not None
    assert [read.cell(row, 0) for row in range(read.n_rows)] == cells


def test_that_a_large_plain_file_keeps_its_order_of_states(tmp_path: Path) -> None:
    lines = ["x,y"] + [f"{i % 12},{'ab'[i % 2]}" for i in range(3000)]
    (tmp_path / "data.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    raw = read_table(tmp_path / "data.csv")
    write_project(Project(raw=raw, prepared=prepare(raw)), tmp_path / "a.latconf")
    read = read_project(tmp_path / "a.latconf").raw
    assert read is not None
    assert read.column("x").texts == tuple(str(i) for i in range(12))
    assert read.options == raw.options


def test_that_a_project_of_a_newer_version_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = changed_header(tmp_path, lambda content: {**content, "version": FORMAT_VERSION + 1, "program": "9.9"})
    with pytest.raises(FileFormatError, match=r"project has format \d+, written by latconf 9\.9.*newer"):
        read_project(path)


def changed_header(folder: Path, change: Callable[[dict[str, object]], object]) -> Path:
    """A project whose header was changed by hand."""
    path = folder / "a.latconf"
    write_project(Project(name="x"), folder / "plain.latconf")
    with zipfile.ZipFile(folder / "plain.latconf") as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, json.dumps(change(json.loads(content))) if name == "project.json" else content)
    return path


@pytest.mark.parametrize(
    "change",
    [
        lambda content: {**content, "version": "one"},
        lambda content: {**content, "version": 0},
        lambda content: [],
        lambda content: {**content, "format": "other"},
        lambda content: {key: value for key, value in content.items() if key != "preparation"},
        lambda content: {**content, "preparation": {"missing": "guess"}},
        lambda content: {**content, "positions": {"A": "left"}},
        lambda content: {**content, "columns": [{"name": "x"}]},
        lambda content: {**content, "knowledge": "nonsense"},
    ],
)
def test_that_a_header_that_makes_no_sense_is_refused_in_a_sentence(
    tmp_path: Path, change: Callable[[dict[str, object]], object]
) -> None:
    with pytest.raises(FileFormatError, match=r"^a\.latconf: "):
        read_project(changed_header(tmp_path, change))


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 cut off"])
def test_that_a_file_that_is_no_project_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.latconf"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match="not a latconf project, or it is damaged"):
        read_project(path)


def test_that_a_missing_file_or_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="does not exist"):
        read_project(tmp_path / "gone.latconf")
    with pytest.raises(FileFormatError, match="this is a folder, not a file"):
        read_project(tmp_path)


def test_that_a_project_damaged_anywhere_is_refused_or_read_as_it_was(result: SearchResult, tmp_path: Path) -> None:
    saved = full_project(result)
    write_project(saved, tmp_path / "good.latconf")
    content = (tmp_path / "good.latconf").read_bytes()
    rng = np.random.default_rng(0)
    path = tmp_path / "bad.latconf"
    n_refused = 0
    for _ in range(60):
        damaged = bytearray(content)
        for integer in rng.integers(len(content), size=3):
            damaged[integer] ^= int(rng.integers(1, 256))
        path.write_bytes(bytes(damaged[: int(rng.integers(len(content) // 2, len(content) + 1))]))
        try:
            read = read_project(path)
        except FileFormatError as error:
            n_refused += str(error).startswith("bad.latconf: ")
        else:
            assert read.dataset == saved.dataset
            n_refused += 0
    assert n_refused > 30


def test_that_data_other_than_those_saved_are_noticed(result: SearchResult, tmp_path: Path) -> None:
    write_project(full_project(result), tmp_path / "a.latconf")
    with (
        zipfile.ZipFile(tmp_path / "a.latconf") as old,
        zipfile.ZipFile(tmp_path / "b.latconf", "w") as new,
    ):
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, content.replace(b"yes", b"no", 1) if name == "data.csv" else content)
    with pytest.raises(FileFormatError, match="differ from those that were saved"):
        read_project(tmp_path / "b.latconf")


def test_that_a_full_disk_leaves_the_old_file_and_no_other(
    result: SearchResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.latconf"
    write_project(Project(name="old"), path)
    before = path.read_bytes()

    def full(*_arguments: object) -> Iterator[None]:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(project_module, "write_run", full)
    with pytest.raises(FileFormatError, match=r"a\.latconf: the file cannot be written: No space left on device"):
        write_project(full_project(result), path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["a.latconf"]


def test_that_a_cancelled_save_leaves_the_old_file(result: SearchResult, tmp_path: Path) -> None:
    path = tmp_path / "a.latconf"
    write_project(Project(name="old"), path)
    with pytest.raises(StopRequested):
        write_project(full_project(result), path, control=RunControl(lambda: True))
    assert read_project(path).name == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["a.latconf"]


def test_that_older_headers_go_through_every_migration_in_turn() -> None:
    migrations = {1: lambda old: {**old, "b": old["a"] + 1}, 2: lambda old: {**old, "c": old["b"] + 1}}
    assert migrate({"version": 1, "a": 0}, migrations, current=3, what="this") == {"version": 3, "a": 0, "b": 1, "c": 2}
    assert migrate({"version": 3, "a": 0}, migrations, current=3, what="this") == {"version": 3, "a": 0}


@pytest.mark.parametrize("version", [1, 2])
def test_that_a_project_from_before_the_first_release_is_refused_with_what_to_do(version: int, tmp_path: Path) -> None:
    path = changed_header(tmp_path, lambda content: {**content, "version": version})
    with pytest.raises(FileFormatError, match=f"format {version}, from before the first release.*ZIP archive"):
        read_project(path)


def test_that_the_kept_sample_of_version_3_is_still_read() -> None:
    """It was written by the program of its time, and is never written anew."""
    sample = SAMPLES / "version-3.latconf"
    with zipfile.ZipFile(sample) as archive:
        assert json.loads(archive.read("project.json"))["version"] == 3
    read = read_project(sample)
    assert read.notes == ()
    assert read.dataset == confounded()
    (pag,) = read.pags
    assert (pag.graph, pag.data, pag.name) == (GRAPH, DataMark.of(confounded()), read.current_pag)
    assert read.name == "Confounded"
    (kept,) = read.runs
    assert (kept.name, kept.pag) == ("HCLC-V on drawn", pag.name)
    assert read.current_run == kept.name
    assert kept.data == DataMark.of(confounded())
    run = kept.result
    assert run.best is not None
    assert [latent.children for latent in run.best.latents] == [("A", "B")]
    assert run.p_elbo == max(visit.p_elbo for visit in run.history)
    assert run.posterior is not None
    assert run.posterior.p_elbo == pytest.approx(run.p_elbo, abs=1e-6)
    assert (run.algorithm, run.seed, len(run.history)) == ("hclc-v", 7, 4)
    assert [(latent_evidence.latent.name, latent_evidence.density) for latent_evidence in run.evidence] == [
        ("L1", -5.893615460600813)
    ]
    assert run.pag_handling.kind == "as given"


def test_that_a_run_on_a_repaired_graph_keeps_both_graphs(result: SearchResult, tmp_path: Path) -> None:
    repaired = replace(result.pag_handling, graph=mixed("A o-> C", nodes=list("ABC")), kind="repaired", reasons=("r",))
    saved = replace(full_project(result), runs=(kept_run(replace(result, pag_handling=repaired)),))
    write_project(saved, tmp_path / "a.latconf")
    run = read_project(tmp_path / "a.latconf").runs[0].result
    assert run.pag_handling == repaired
    assert run.pag == GRAPH


def test_that_the_sample_of_version_3_keeps_what_came_with_collections() -> None:
    read = read_project(SAMPLES / "version-3.latconf")
    assert read.pags[0].events == (
        PhaseStarted("skeleton", "removes edges"),
        EdgeRemoved("A", "B", ("C",), 0.25, "skeleton"),
    )
    assert read.runs[0].opened == (0, 2)
    assert read.latent_names == {("A", "B"): "Stress"}


def test_that_the_sample_of_version_3_leaves_models_to_layouts_of_their_own() -> None:
    read = read_project(SAMPLES / "version-3.latconf")
    assert read.positions
    assert not read.model_positions


def test_that_places_of_models_by_hand_are_kept(result: SearchResult, tmp_path: Path) -> None:
    places = {"A": (1.0, 2.5), "latent over A, B": (3.0, -4.0)}
    write_project(replace(full_project(result), model_positions=places), tmp_path / "a.latconf")
    assert read_project(tmp_path / "a.latconf").model_positions == places


def test_that_latents_placed_by_hand_before_version_5_stay_where_they_are() -> None:
    places = {"A": [1.0, 2.0], "latent over A, B": [3.0, -4.0]}
    assert MIGRATIONS[4]({"positions": places})["model_positions"] == places
    assert MIGRATIONS[4]({"positions": {"A": [1.0, 2.0]}})["model_positions"] == {}
