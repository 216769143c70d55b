"""Which tables a text means, and which truth a name leads to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from latconf_core.bench.bench_data import BenchData, draw_example, find_tables, gather, parse_example, with_truth
from latconf_core.data.dataset import Dataset
from latconf_core.data.reading.load import load_dataset
from latconf_core.data.reading.write import write_dataset
from latconf_core.data.sampling import sample
from latconf_core.errors import FileFormatError, GraphError, LatconfError, OptionError
from latconf_core.formats.example_choice import ExampleChoice
from latconf_core.formats.examples import load_example
from latconf_core.formats.graphs.registry import write_dag
from latconf_core.formats.networks.bif_text import write_bif


def load(path: Path) -> Dataset:
    return load_dataset(path).dataset


@pytest.fixture
def asia(tmp_path: Path) -> Path:
    """A table of Asia without `smoke`."""
    drawn = sample(load_example("asia"), 200, rng=np.random.default_rng(1), hide=["smoke"])
    path = tmp_path / "asia_smoke_200.csv"
    write_dataset(drawn.dataset, path)
    return path


def latents(data: BenchData) -> list[tuple[str, tuple[str, ...]]]:
    assert data.truth is not None
    assert data.truth.dag is not None
    return [(latent.name, latent.children) for latent in data.truth.dag.latents]


def test_that_a_name_without_a_file_is_an_example_with_hidden_variables_and_rows() -> None:
    assert parse_example("asia_smoke_1000") == ExampleChoice("asia", ("smoke",), 1000)
    assert parse_example("asia_smoke+lung_50") == ExampleChoice("asia", ("smoke", "lung"), 50)
    assert parse_example("asia") == ExampleChoice("asia", ("smoke",))
    assert parse_example("nothing_here_10") is None
    drawn = draw_example(ExampleChoice("asia", ("smoke",), 30))
    assert (drawn.name, drawn.dataset.n_rows) == ("asia_smoke_30", 30)
    assert latents(drawn) == [("smoke", ("lung", "bronc"))]
    with pytest.raises(LatconfError, match="no variable 'smok'"):
        draw_example(ExampleChoice("asia", ("smok",), 30))


def test_that_a_folder_stands_for_its_tables_in_order(asia: Path) -> None:
    (asia.parent / "notes.unknown").write_text("no table")
    (asia.parent / "another.csv").write_bytes(asia.read_bytes())
    assert find_tables([str(asia.parent)]) == [asia.parent / "another.csv", asia]
    empty = asia.parent / "empty"
    empty.mkdir()
    with pytest.raises(FileFormatError, match="no table"):
        find_tables([str(empty)])


def test_that_the_truth_of_a_table_named_after_an_example_is_that_example(asia: Path) -> None:
    (data,) = gather([asia], load)
    assert latents(data) == [("smoke", ("lung", "bronc"))]


def test_that_other_columns_than_those_of_the_example_have_no_truth_and_a_note(asia: Path) -> None:
    dataset = load(asia)
    other = Dataset(("x", *dataset.names[1:]), dataset.states, dataset.codes)
    data = with_truth("asia_x", other, stem="asia_x")
    assert data.truth is None
    assert "lacks some of its columns" in data.notes[0]
    assert with_truth("unknown", dataset, stem="unknown").truth is None


def test_that_a_folder_of_truths_is_searched_by_the_longest_name(asia: Path, tmp_path: Path) -> None:
    folder = tmp_path / "truths"
    folder.mkdir()
    network = load_example("asia")
    write_bif(network, folder / "mine.bif")
    dataset = load(asia)
    by_beginning = with_truth("d", dataset, stem="mine_smoke_200", truths=folder)
    assert latents(by_beginning) == [("smoke", ("lung", "bronc"))]
    truth = by_beginning.truth
    assert truth is not None
    assert truth.dag is not None
    write_dag(truth.dag.without_latents(), folder / "mine_smoke_200.json")
    exact = with_truth("d", dataset, stem="mine_smoke_200", truths=folder)
    assert exact.truth is not None
    assert exact.truth.dag is not None
    assert exact.truth.dag.latents == ()
    assert with_truth("d", dataset, stem="minefield", truths=folder).truth is None


def test_that_a_truth_about_other_variables_is_refused_by_its_name(asia: Path, tmp_path: Path) -> None:
    folder = tmp_path / "truths"
    folder.mkdir()
    write_bif(load_example("cancer"), folder / "asia_smoke_200.bif")
    with pytest.raises(GraphError, match=r"asia_smoke_200\.bif does not fit"):
        gather([asia], load, truths=folder)
    with pytest.raises(FileFormatError, match="not a folder"):
        gather([asia], load, truths=tmp_path / "absent")


def test_that_two_tables_of_one_name_are_told_apart(asia: Path, tmp_path: Path) -> None:
    other = tmp_path / "b" / asia.name
    other.parent.mkdir()
    other.write_bytes(asia.read_bytes())
    names = [one.name for one in gather([asia, other, other], load)]
    assert len(set(names)) == 3
    assert names[1] == "b/asia_smoke_200"


def test_that_a_number_of_rows_that_nobody_can_draw_is_refused() -> None:
    with pytest.raises(OptionError, match="has 5,000 digits; choose fewer"):
        parse_example("asia_smoke_" + "9" * 5000)
    with pytest.raises(OptionError, match="larger than memory allows; draw at most 25,000,000"):
        draw_example(ExampleChoice("asia", ("smoke",), 10**17))
