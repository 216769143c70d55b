"""The folder of a run: its history comes back visit by visit, its result as it was found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.graph_strategies import latent_dags
from support.small_runs import small_run

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.errors import FileFormatError
from latconf_core.formats import run_folder
from latconf_core.formats.graphs.registry import read_dag
from latconf_core.formats.history_csv import history_text, read_history
from latconf_core.formats.run_folder import OWN_FILES, read_run, write_run
from latconf_core.model.bit_dag import BitDag, Hidden
from latconf_core.score.naming import to_bits
from latconf_core.search.outcome.history import History


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("history") / "history.csv"


@settings(max_examples=50, deadline=None)
@given(dag=latent_dags(), p_elbo=st.floats(-1e9, 0), level=st.integers(0, 9))
def test_that_every_visit_comes_back_exactly(file: Path, dag: LatentDag, p_elbo: float, level: int) -> None:
    history = History(dag.nodes)
    history.add(to_bits(dag), p_elbo, level=level)
    history.add(to_bits(dag.without_latents()), p_elbo / 3, level=level + 1, kind="states")
    file.write_text(history_text(history))
    assert read_history(file, dag.nodes) == history


def test_that_a_latent_with_a_parent_comes_back(file: Path) -> None:
    dag = LatentDag("ABCD", [], [Latent("L1", 2, ("A", "L2")), Latent("L2", 3, ("C", "D"), "L1")])
    history = History("ABCD")
    history.add(to_bits(dag), -1.5, level=0)
    file.write_text(history_text(history))
    assert read_history(file, "ABCD").dag(0).key == dag.key


@pytest.mark.parametrize(
    "line",
    [
        "2,candidate,0,-2.0,A --> C,",
        "2,candidate,0,-2.0,A --> B; A,",
        '2,candidate,0,-2.0,,"L1[2] --> A, C"',
        '2,candidate,0,-2.0,,"C --> L1[2] --> A, B"',
        "2,candidate,0,-2.0,-1>1,",
        "2,candidate,0,-2.0,5>1,",
        '2,candidate,0,-2.0,,"2:0,3"',
        '2,candidate,0,-2.0,,"2:0,1<9"',
        "2,candidate,0,-2.0,0>9,",
        "2,candidate,0,many,0>1,",
        "2,dream,0,-2.0,0>1,",
        "2,candidate,0",
        '2,states,0,-2.0,,"x:1"',
        "1,candidate,0,-2.0,0>1,",
        "3,candidate,0,-2.0,0>1,",
    ],
)
def test_that_a_broken_line_is_told_with_its_number(file: Path, line: str) -> None:
    history = History("AB")
    history.add(BitDag((0, 1)), -1.0, level=0)
    file.write_text(history_text(history) + line + "\n")
    with pytest.raises(FileFormatError, match=r"line 3: .* is not a visit of 2 variables"):
        read_history(file, "AB")


def test_that_visits_are_numbered_from_one_as_in_the_window_and_old_files_from_zero_are_read(file: Path) -> None:
    history = History("AB")
    for p_elbo in (-1.0, -2.0, -3.0):
        history.add(BitDag((0, 1)), p_elbo, level=0)
    text = history_text(history)
    lines = text.splitlines()
    assert [line.split(",")[0] for line in lines] == ["visit", "1", "2", "3"]
    older = [lines[0], *(f"{number}{line[1:]}" for number, line in enumerate(lines[1:]))]
    for each in (text, "\n".join(older) + "\n"):
        file.write_text(each)
        assert read_history(file, "AB") == history


def test_that_history_names_edges_and_latents(file: Path) -> None:
    dag = LatentDag(["Alter (Jahre)", "B;", "C"], [("Alter (Jahre)", "C"), ("B;", "C")], [Latent("X", 3, ("B;", "C"))])
    history = History(dag.nodes)
    history.add(to_bits(dag), -1.5, level=1)
    assert history_text(history).splitlines()[1] == (
        '1,candidate,1,-1.5,Alter (Jahre) --> C; B%3B --> C,"L1[3] --> B%3B, C",full'
    )


@pytest.mark.parametrize(
    "nodes", [["A ", "A", ""], ["1", "0", "2"], ["a > b", "x --> y", "[2] --> c"], ["%", "", "%25"], ["L1", "\n", ", "]]
)
def test_that_odd_names_come_back(file: Path, nodes: list[str]) -> None:
    history = History(nodes)
    hidden = (Hidden(0b011, 2), Hidden(0b1110, 4, 3))
    history.add(BitDag((0, 0b101, 0b001), hidden), -1.5, level=1)
    file.write_text(history_text(history))
    assert read_history(file, nodes) == history


def test_that_the_older_form_with_positions_is_still_read(file: Path) -> None:
    lines = ["visit,kind,bidirected,p_elbo,edges,latents", '1,candidate,1,-1.5,0>1 2>1,"2:0,1 3:1,2<0"']
    file.write_text("\n".join(lines) + "\n")
    expected = BitDag((0, 0b101, 0), (Hidden(0b011, 2), Hidden(0b110, 3, 0)))
    assert read_history(file, "ABC")[0].candidate == expected


def test_that_a_run_is_read_back_from_its_folder(tmp_path: Path) -> None:
    result = small_run()
    write_run(result, tmp_path / "run")
    for place in (tmp_path / "run", tmp_path / "run" / "result.json"):
        read = read_run(place)
        assert read.history == result.history
        for name in ("algorithm", "options", "dataset_digest", "pag", "pag_handling", "best", "evidence", "seconds"):
            assert getattr(read, name) == getattr(result, name), name
    assert read_dag(tmp_path / "run" / "result.json") == result.best


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 9, "program": "9.9"}, "has format 9, written by latconf 9.9"),
        ({"search": None, "treatment": 3}, "not a search result written by latconf"),
        ({"format": "latconf project"}, "choose a result.json"),
        ({"nodes": ["A"]}, "is not a visit of 1 variables"),
        ({"seconds": float("nan")}, "not a search result written by latconf"),
        ({"seconds": float("inf")}, "not a search result written by latconf"),
    ],
)
def test_that_a_result_that_cannot_be_read_is_explained(tmp_path: Path, change: dict[str, object], said: str) -> None:
    write_run(small_run(), tmp_path)
    path = tmp_path / "result.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(FileFormatError, match=said):
        read_run(tmp_path)


@pytest.mark.parametrize("beside", [[[]], [["A"]]])
def test_that_a_hidden_cause_of_nothing_is_refused_where_latents_are_judged(
    tmp_path: Path, beside: list[list[str]]
) -> None:
    write_run(small_run(), tmp_path)
    content = json.loads((tmp_path / "result.json").read_text())
    assert content["evidence"]
    content["evidence"][0]["beside"] = beside
    (tmp_path / "result.json").write_text(json.dumps(content))
    with pytest.raises(FileFormatError, match="not a search result written by latconf"):
        read_run(tmp_path)


def test_that_another_table_is_refused(file: Path) -> None:
    file.write_text("A,B\n1,2\n")
    with pytest.raises(FileFormatError, match="line 1: expected the columns visit, kind"):
        read_history(file, "AB")


def test_that_a_second_run_leaves_nothing_of_the_first_and_everything_else(tmp_path: Path) -> None:
    for name in OWN_FILES:
        (tmp_path / name).write_text("of an older run")
    (tmp_path / "notes.txt").write_text("mine")
    written = write_run(small_run(), tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {*written, "notes.txt"}
    assert all((tmp_path / name).read_text() != "of an older run" for name in written)
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_that_a_run_that_cannot_be_written_whole_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(small_run(), tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.setattr(run_folder, "write_bif", lambda *_: (_ for _ in ()).throw(FileFormatError("full")))
    with pytest.raises(FileFormatError, match="full"):
        write_run(small_run(), tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
