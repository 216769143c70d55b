"""Tetrad's text as formats.md gives it, and what is said of a broken one."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.builders import mixed

from latconf_core.errors import FileFormatError
from latconf_core.formats.graphs import tetrad_text
from latconf_core.formats.graphs.graph_document import GraphDocument
from latconf_core.formats.graphs.registry import read_graph
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph

EXAMPLE = """Graph Nodes:
A;B;C;D;E

Graph Edges:
1. A o-o B
2. A o-> C
3. B --> D
4. C <-> D
5. E --o A
"""
GRAPH = mixed("A o-o B", "A o-> C", "B --> D", "C <-> D", "E --o A")


def test_that_the_example_is_read() -> None:
    assert tetrad_text.parse(EXAMPLE).graph == GRAPH


def test_that_commas_between_nodes_of_older_files_are_read() -> None:
    assert tetrad_text.parse(EXAMPLE.replace(";", ",")).graph == GRAPH


@pytest.mark.parametrize(
    "tail",
    [" dd nl", " pd pl [A o-> C]:0.62;[A --> C]:0.30;[no edge]:0.08;[edge]:0.92", " [A o-o B]:1.0;[edge]:1.0"],
)
def test_that_flags_and_bootstrap_parts_after_an_edge_change_nothing(tail: str) -> None:
    lines = [line + tail if line[:1].isdigit() else line for line in EXAMPLE.split("\n")]
    assert tetrad_text.parse("\n".join(lines)).graph == GRAPH


def test_that_null_edges_of_a_bootstrap_are_skipped() -> None:
    assert tetrad_text.parse(EXAMPLE + "6. B ... C [no edge]:0.9;[edge]:0.1\n").graph == GRAPH


def test_that_an_edge_written_from_either_end_is_the_same() -> None:
    assert tetrad_text.parse(EXAMPLE.replace("B --> D", "D <-- B").replace("A o-> C", "C <-o A")).graph == GRAPH


def test_that_a_plain_list_of_edges_is_read(tmp_path: Path) -> None:
    file = tmp_path / "pag.txt"
    file.write_bytes("\ufeffbronc o-> dysp\r\neither <-> lung\r\n".encode())
    expected = mixed("bronc o-> dysp", "either <-> lung", nodes=["asia", "lung", "either", "dysp", "bronc"])
    assert read_graph(file, nodes=expected.nodes) == expected


def test_that_later_sections_are_kept() -> None:
    later = ["Graph Attributes:", "BIC: -12.5", "", "Underline triples:", "<A, B, D>"]
    document = tetrad_text.parse(EXAMPLE + "\n" + "\n".join(later) + "\n\n")
    assert document.graph == GRAPH
    assert document.kept == tuple(later)
    assert tetrad_text.parse(tetrad_text.render(document, {})) == document


def test_that_a_section_after_no_edges_is_not_read_as_edges() -> None:
    document = tetrad_text.parse("Graph Nodes:\nA;B\n\nGraph Edges:\n\nUnderline triples:\n<A, B, C>\n")
    assert document.graph == mixed(nodes=["A", "B"])
    assert document.kept == ("Underline triples:", "<A, B, C>")


def test_that_latents_stand_in_brackets() -> None:
    text = "Graph Nodes:\nA;B;(L1)\n\nGraph Edges:\n1. (L1) --> A\n2. L1 --> B\n"
    dag = tetrad_text.parse(text).to_dag()
    assert dag.nodes == ("A", "B")
    assert [(latent.name, latent.n_states, latent.children) for latent in dag.latents] == [("L1", 2, ("A", "B"))]


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        (EXAMPLE.replace("2. A o-> C", "2. A o=> C"), 6, "'o=>'"),
        (EXAMPLE.replace("3. B --> D", "3. B -->"), 7, "'3. B -->'"),
        (EXAMPLE.replace("4. C <-> D", "4. C <-> X"), 8, "'X', which is not among the nodes"),
        (EXAMPLE.replace("4. C <-> D", "4. C <-> C"), 8, "edge to itself"),
        (EXAMPLE.replace("5. E --o A", "5. B o-> A"), 9, "second edge"),
        (EXAMPLE.replace("A;B;C", "A;A;C"), 2, "'A' occurs twice"),
        (EXAMPLE.replace("A;B;C", "A;[B];C"), 2, "selection variable"),
        ("Graph Nodes:\nA;B\n", 3, "'Graph Edges:' is missing"),
        (EXAMPLE + "\n# states A = many\n", 11, "number of states"),
        (EXAMPLE + "\n# name Q = R\n", 11, "'Q', which is not a node"),
        ("A --> B\nB ==> C\n", 2, "'==>'"),
    ],
)
def test_that_a_broken_file_is_told_with_its_line(text: str, line: int, found: str) -> None:
    with pytest.raises(FileFormatError) as error:
        tetrad_text.parse(text)
    assert error.value.line == line
    assert found in error.value.problem


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Alter (Jahre)", "Alter_Jahre"),
        ("a; b, c", "a_b_c"),
        ("(L1)", "L1"),
        ("[x]", "x"),
        ("# 1", "1"),
        (" ", "_"),
        ("a_(b)_c", None),
        ("f(x)", "f_x"),
    ],
)
def test_that_a_name_that_must_change_stays_readable_and_comes_back(name: str, written: str | None) -> None:
    graph = MixedGraph.from_edges([name, "B"], [Edge(name, "B", Mark.TAIL, Mark.ARROW)])
    names = tetrad_text.written_names(graph)
    assert names == ({} if written is None else {name: written})
    assert tetrad_text.parse(tetrad_text.render(GraphDocument(graph), names)).graph == graph


def test_that_two_names_that_look_alike_without_brackets_stay_apart() -> None:
    graph = MixedGraph.from_edges(["Alter (Jahre)", "Alter_Jahre", "Alter [Jahre]"], [])
    names = tetrad_text.written_names(graph)
    assert sorted(names.values()) == ["Alter_Jahre_2", "Alter_Jahre_3"]


@pytest.mark.parametrize(
    "before", ["# a comment\n", "# name A = x\n\n", "\n\n# c\n\n", "1. A ... B\n\n", "1. B --> C\n\n"]
)
def test_that_a_numbered_edge_after_a_blank_line_or_a_comment_is_not_lost(before: str) -> None:
    """It was kept as text, and was an edge when that text was read again."""
    document = tetrad_text.parse(f"Graph Nodes:\nA;B;C\n\nGraph Edges:\n{before}2. A o-> B\n")
    assert any({edge.first, edge.second} in ({"A", "B"}, {"x", "B"}) for edge in document.graph.edges())
    again = tetrad_text.parse(tetrad_text.render(document, tetrad_text.written_names(document.graph)))
    assert again.graph == document.graph
    assert again.kept == document.kept


def test_that_other_numbered_lines_after_the_edges_are_kept() -> None:
    document = tetrad_text.parse("Graph Nodes:\nA;B\n\nGraph Edges:\n1. A --> B\n\n1. see the paper\n")
    assert document.kept == ("1. see the paper",)
