"""The history of a run as CSV: every visit comes back, and a broken line is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.graph_strategies import latent_dags

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.errors import FileFormatError
from latconf_core.formats.run_folder import history_text, read_history
from latconf_core.search.candidate import Candidate
from latconf_core.search.outcome.history import History


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("history") / "history.csv"


@settings(max_examples=50, deadline=None)
@given(dag=latent_dags(), p_elbo=st.floats(-1e9, 0), level=st.integers(0, 9))
def test_that_every_visit_comes_back_exactly(file: Path, dag: LatentDag, p_elbo: float, level: int) -> None:
    history = History(dag.nodes)
    history.add(Candidate.of_dag(dag), p_elbo, n_bidirected=level)
    history.add(Candidate.of_dag(dag.without_latents()), p_elbo / 3, n_bidirected=level + 1, kind="states")
    file.write_text(history_text(history))
    assert read_history(file, dag.nodes) == history


def test_that_a_latent_with_a_parent_comes_back(file: Path) -> None:
    dag = LatentDag("ABCD", [], [Latent("L1", 2, ("A", "L2")), Latent("L2", 3, ("C", "D"), "L1")])
    history = History("ABCD")
    history.add(Candidate.of_dag(dag), -1.5, n_bidirected=0)
    file.write_text(history_text(history))
    assert read_history(file, "ABCD").dag(0).key == dag.key


@pytest.mark.parametrize(
    "line",
    [
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
    history.add(Candidate((0, 1)), -1.0, n_bidirected=0)
    file.write_text(history_text(history) + line + "\n")
    with pytest.raises(FileFormatError, match=r"line 3: .* is not a visit of 2 variables"):
        read_history(file, "AB")


def test_that_visits_are_numbered_from_one_as_in_the_window_and_old_files_from_zero_are_read(file: Path) -> None:
    history = History("AB")
    for p_elbo in (-1.0, -2.0, -3.0):
        history.add(Candidate((0, 1)), p_elbo, n_bidirected=0)
    text = history_text(history)
    lines = text.splitlines()
    assert [line.split(",")[0] for line in lines] == ["visit", "1", "2", "3"]
    older = [lines[0], *(f"{number}{line[1:]}" for number, line in enumerate(lines[1:]))]
    for each in (text, "\n".join(older) + "\n"):
        file.write_text(each)
        assert read_history(file, "AB") == history


def test_that_another_table_is_refused(file: Path) -> None:
    file.write_text("A,B\n1,2\n")
    with pytest.raises(FileFormatError, match="line 1: expected the columns visit, kind"):
        read_history(file, "AB")
