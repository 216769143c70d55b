"""Every graph format gives back what was written, and files are recognised."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from support.builders import mixed
from support.graph_strategies import graphs, latent_dags

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.errors import FileFormatError, GraphError, OptionError
from latconf_core.formats.graphs.graph_document import GraphFormat
from latconf_core.formats.graphs.registry import graph_formats, read_dag, read_graph, write_dag, write_graph
from latconf_core.graph.mixed import MixedGraph

FORMATS = [
    graph_format for graph_format in graph_formats() if graph_format.can_write and graph_format.name != "pcalg-cpdag"
]  # that one: its own test
WITH_LATENTS = [one for one in FORMATS if one.holds_latents]
FEW = settings(max_examples=60, deadline=None)


def by_name(one: GraphFormat) -> str:
    return one.name


@pytest.fixture(scope="module")
def folder() -> Path:
    return Path(tempfile.mkdtemp())


@pytest.mark.parametrize("form", FORMATS, ids=by_name)
@FEW
@given(graph=graphs())
def test_that_a_graph_with_any_names_comes_back_and_is_written_the_same_again(
    form: GraphFormat, folder: Path, graph: MixedGraph
) -> None:
    first, second = folder / f"1{form.extensions[0]}", folder / f"2{form.extensions[0]}"
    real_names = write_graph(graph, first, format=form.name)
    back = read_graph(first, nodes=None if form.name != "bayesys" else _written_nodes(graph, real_names))
    if form.name in ("bayesys", "pcalg", "pcalg-csv"):  # they have no place for the map: it is handed back
        back = back.renamed(real_names)
    assert back == graph
    assert write_graph(back, second, format=form.name) == real_names
    assert first.read_bytes() == second.read_bytes()


def _written_nodes(graph: MixedGraph, real_names: dict[str, str]) -> list[str]:
    written = {real: name for name, real in real_names.items()}
    return [written.get(name, name) for name in graph.nodes]


@pytest.mark.parametrize("form", WITH_LATENTS, ids=by_name)
@FEW
@given(dag=latent_dags())
def test_that_a_dag_keeps_its_latents_and_their_states(form: GraphFormat, folder: Path, dag: LatentDag) -> None:
    file = folder / f"dag{form.extensions[0]}"
    write_dag(dag, file, format=form.name)
    assert read_dag(file) == dag


@pytest.mark.parametrize("form", FORMATS, ids=by_name)
def test_that_byte_order_marks_and_carriage_returns_are_read(form: GraphFormat, tmp_path: Path) -> None:
    graph = mixed("A o-> B", "B <-> C", "C --> D")
    file = tmp_path / f"graph{form.extensions[0]}"
    write_graph(graph, file, format=form.name)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert read_graph(file) == graph


@pytest.mark.parametrize("form", FORMATS, ids=by_name)
def test_that_a_file_without_a_known_extension_is_recognised_by_its_content(form: GraphFormat, tmp_path: Path) -> None:
    graph = mixed("A o-> B", "B <-> C", "C --> D")
    file = tmp_path / "graph.unknown"
    write_graph(graph, file, format=form.name)
    assert read_graph(file) == graph


@pytest.mark.parametrize("form", [one for one in FORMATS if not one.holds_latents], ids=by_name)
def test_that_a_format_without_latents_says_which_to_take_instead(form: GraphFormat, tmp_path: Path) -> None:
    dag = LatentDag("AB", [], [Latent("L1", 2, ("A", "B"))])
    with pytest.raises(GraphError, match="cannot say which variables are latent; write one of tetrad"):
        write_dag(dag, tmp_path / "dag", format=form.name)


def test_that_a_latent_with_a_parent_comes_back(tmp_path: Path) -> None:
    dag = LatentDag("ABCD", [], [Latent("L1", 2, ("A", "L2")), Latent("L2", 3, ("C", "D"), "L1")])
    for form in WITH_LATENTS:
        write_dag(dag, tmp_path / "dag", format=form.name)
        assert read_dag(tmp_path / "dag") == dag, form.name


def test_that_directed_edges_that_go_round_in_a_circle_come_back_as_they_were_drawn(tmp_path: Path) -> None:
    drawn = mixed("A --> B", "B --> C", "C --> A")
    write_graph(drawn, tmp_path / "circle.json")
    assert read_graph(tmp_path / "circle.json") == drawn


def test_that_names_the_data_does_not_have_are_named(tmp_path: Path) -> None:
    write_graph(mixed("A --> B", "B --> X"), tmp_path / "g.txt")
    with pytest.raises(GraphError, match=r"g\.txt names 'X', which the data does not have; rename"):
        read_graph(tmp_path / "g.txt", nodes=["A", "B"])


def test_that_variables_of_the_data_without_an_edge_are_added_in_the_order_of_the_data(tmp_path: Path) -> None:
    write_graph(mixed("A --> B"), tmp_path / "g.txt")
    assert read_graph(tmp_path / "g.txt", nodes=["C", "B", "A"]) == mixed("A --> B", nodes=["C", "B", "A"])


def test_that_names_stripped_of_signs_find_their_variable(tmp_path: Path) -> None:
    write_graph(mixed("rentalIncomeLoss o-> propertyValueT1"), tmp_path / "g.txt")
    nodes = ["propertyValueT+1", "rentalIncomeLoss%"]
    assert read_graph(tmp_path / "g.txt", nodes=nodes) == mixed("rentalIncomeLoss% o-> propertyValueT+1", nodes=nodes)
    with pytest.raises(GraphError, match="'rentalIncomeLoss'"):  # two variables could be meant
        read_graph(tmp_path / "g.txt", nodes=[*nodes, "rentalIncome+Loss"])


def test_that_a_dag_with_latents_is_not_taken_for_a_graph(tmp_path: Path) -> None:
    write_dag(LatentDag("AB", [], [Latent("L1", 2, ("A", "B"))]), tmp_path / "dag.json")
    with pytest.raises(GraphError, match=r"DAG with latents \(L1\)"):
        read_graph(tmp_path / "dag.json")


def test_that_a_graph_with_other_edges_is_not_taken_for_a_dag(tmp_path: Path) -> None:
    write_graph(mixed("A o-> B"), tmp_path / "g.txt")
    with pytest.raises(GraphError, match="A o-> B is not directed"):
        read_dag(tmp_path / "g.txt")


def test_that_unknown_files_and_formats_are_told(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("hello there\n")
    with pytest.raises(FileFormatError, match="expected Tetrad graph text or"):
        read_graph(tmp_path / "x.txt")
    (tmp_path / "x.q").write_text("hello there\n")
    with pytest.raises(FileFormatError, match="known extensions are"):
        read_graph(tmp_path / "x.q")
    with pytest.raises(OptionError, match=r"'x\.q' does not determine the graph format"):
        write_graph(mixed("A --> B"), tmp_path / "x.q")
    with pytest.raises(OptionError, match="no graph format 'word'"):
        read_graph(tmp_path / "x.txt", format="word")


def test_that_a_matrix_of_numbers_alone_is_not_guessed(tmp_path: Path) -> None:
    (tmp_path / "m.txt").write_text("0 1\n2 0\n")
    with pytest.raises(FileFormatError, match="name its format"):
        read_graph(tmp_path / "m.txt")
    assert read_graph(tmp_path / "m.txt", format="causal-learn") == mixed("X2 o-> X1")


@pytest.mark.parametrize("part", ["tetrad", "tetrad-2019", "pcalg"])
def test_that_every_reference_pag_is_read_with_all_its_edges(reference: Path, part: str) -> None:
    files = sorted((reference / "pags" / part).glob("*.txt"))
    assert files
    for file in files:
        lines = [line for line in file.read_text().splitlines() if line.strip()]
        assert read_graph(file).n_edges == len(lines), file.name
