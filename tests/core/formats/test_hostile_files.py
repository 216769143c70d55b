"""Files made to break a reader: each is refused with a sentence, before it takes memory or time."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from latconf_core.data.reading.load import read_table
from latconf_core.errors import FileFormatError, GraphError, LatconfError, OptionError
from latconf_core.files import MAX_DENSE_BYTES, check_archive, write_text_atomically
from latconf_core.formats.graphs import causal_learn, dagitty, dot, graph_json, graphml, pcalg_matrix, tetrad_text
from latconf_core.formats.graphs.graph_document import MAX_NODES, GraphBuilder
from latconf_core.formats.graphs.registry import graph_formats, read_document
from latconf_core.formats.knowledge_file import parse_table, parse_tetrad, read_knowledge
from latconf_core.formats.networks.bif import parse_bif, read_bif
from latconf_core.formats.networks.hugin_net import parse_hugin_net
from latconf_core.formats.networks.network_json import read_network_json
from latconf_core.formats.projects.project_file import read_project
from latconf_core.graph.mixed import MixedGraph
from latconf_core.json_form import parse_json
from latconf_core.options.scoring import VbemOptions
from latconf_core.teaching.lessons import read_lesson

GRAPHML = '<?xml version="1.0"{head}?>{doctype}<graphml><graph><node id="A">{inside}</node></graph></graphml>'

NESTED = '<data key="k"><node id="B"/></data>'


def wide_bif(n_parents: int) -> str:
    names = [f"P{i}" for i in range(n_parents)] + ["C"]
    variables = "".join(f"variable {name} {{ type discrete [ 2 ] {{ a, b }}; }}\n" for name in names)
    return f"network x {{ }}\n{variables}probability ( C | {', '.join(names[:-1])} ) {{ default 0.5, 0.5; }}\n"


def many_tables(n_tables: int, n_parents: int) -> str:
    """Tables that are small enough each, and too large together."""
    every = [f"V{i}" for i in range(n_parents + 1)]
    variables = "".join(f"variable {name} {{ type discrete [ 2 ] {{ a, b }}; }}\n" for name in every)
    given = [(name, ", ".join(other for other in every if other != name)) for name in every[:n_tables]]
    tables = "".join(f"probability ( {name} | {parents} ) {{ default 0.5, 0.5; }}\n" for name, parents in given)
    return f"network x {{ }}\n{variables}{tables}"


def names(count: int, between: str) -> str:
    return between.join(f"a{i}" for i in range(count))


def two_groups(size: int) -> str:
    """Every one of so many nodes joined with every one of as many others, by one arrow."""
    return f"digraph {{ {{{names(size, ' ')}}} -> {{{names(size, ' ').replace('a', 'b')}}} }}"


@pytest.mark.parametrize(
    ("read", "says"),
    [
        (lambda: parse_json("[" * 100_000), "nested too deeply"),
        (lambda: parse_json("9" * 5000), "too many digits"),
        (lambda: parse_json('{"a": "\\ud800"}'), "an incomplete character"),
        (lambda: parse_json(b"\xff\xfe{"), "JSON|UTF-8"),
        (lambda: graph_json.parse('{"edges": ' + "[" * 100_000), "nested too deeply"),
        (lambda: graphml.parse(GRAPHML.format(head="", doctype="<!DOCTYPE a []>", inside="")), "document type"),
        (lambda: graphml.parse(GRAPHML.format(head="", doctype="", inside=NESTED)), "inside"),
        (lambda: dot.parse("digraph {" + "{" * 5000 + "}" * 5000 + "}"), "nested more than"),
        (lambda: causal_learn.parse('# nodes: ["A", "B"]\n0 ' + "9" * 400 + "\n1 0\n"), "expected -1, 0, 1 or 2"),
        (lambda: parse_bif(wide_bif(40)), "too large"),
        (lambda: parse_bif(wide_bif(28)), "too large"),
        (
            lambda: parse_tetrad("/knowledge\nforbiddengroup\n" + " ".join(f"a{i}" for i in range(2000)) + " ==> "
            + " ".join(f"b{i}" for i in range(2000))),
            "use tiers instead",
        ),
        (
            lambda: parse_tetrad("/knowledge\nforbiddengroup\n" + " ".join(f"a{i}" for i in range(10_000)) + " ==> "
            + " ".join(f"b{i}" for i in range(10_000))),
            "use tiers instead",
        ),
        (
            lambda: parse_tetrad("/knowledge\nforbiddengroup\n" + 9 * (" ".join(f"a{i}" for i in range(300)) + " ==> "
            + " ".join(f"b{i}" for i in range(300)) + "\n")),
            "more than 200,000 pairs",
        ),
        (lambda: parse_table("kind,first,second\ntier,a\rb,1\n"), "not a knowledge table"),
        (lambda: parse_table("kind,fi\rrst,second\n"), "not a knowledge table"),
        (lambda: parse_bif(wide_bif(27)), "too large"),
        (lambda: parse_bif(wide_bif(65)), "too large"),
        (lambda: parse_bif("network x { }\nvariable A { type discrete [ " + "9" * 400 + " ] { a }; }\n"), "brackets"),
        (lambda: parse_bif(many_tables(20, 19)), "too large"),
        (lambda: dot.parse(two_groups(3000)), "more than 5,000 nodes"),
        (lambda: dot.parse(two_groups(400)), "more than 100,000 edges"),
        (lambda: dagitty.parse(two_groups(400).replace("digraph", "dag")), "more than 100,000 edges"),
        (lambda: dot.parse("digraph {" + "a;" * 200_000 + "}"), "larger than latconf reads"),
        (lambda: dot.parse("digraph {{{" + names(6000, ";") + "}}}"), "a subgraph has more than 5,000 nodes"),
        (lambda: tetrad_text.parse("Graph Nodes:\n" + names(20_000, ";")), "Edges|nodes"),
        (lambda: tetrad_text.parse(f"Graph Nodes:\n{names(100_000, ';')}\nGraph Edges:\n"), "more than 5,000 nodes"),
        (lambda: graph_json.parse('{"edges": [], "nodes": ["' + names(20_000, '","') + '"]}'), "more than 5,000 nodes"),
        (lambda: causal_learn.parse("0\n" * 20_000), "more than 5,000 nodes"),
        (lambda: causal_learn.parse("# nodes: " + "[" * 100_000 + "\n0\n"), "expected names"),
        (lambda: dot.parse("digraph { L [style=dashed, states=" + "9" * 6000 + "] }"), "more than 10,000,000 states"),
        (lambda: dagitty.parse("dag { L [latent, states=" + "9" * 6000 + "] }"), "more than 10,000,000 states"),
        (
            lambda: tetrad_text.parse("Graph Nodes:\n(L)\n\nGraph Edges:\n\n# states L = " + "9" * 6000),
            "more than 10,000,000 states",
        ),
        (lambda: read_table("a\0b.csv"), "this file name is not allowed"),
        (lambda: read_document("a\0b.dot"), "this file name is not allowed"),
        (lambda: write_text_atomically("a\0b.txt", "x"), "this file name is not allowed"),
        (lambda: graphml.parse('<graphml><graph><node id="&#xD800;"/></graph></graphml>'), "not XML"),
        (lambda: dot.parse('digraph { A [latconf_name=""] }'), "a name that is empty"),
        (lambda: pcalg_matrix.parse(names(6000, " ") + "\n" + "0\n" * 6000), "more than 5,000 nodes"),
    ],
)  # fmt: skip
def test_that_a_hostile_text_is_refused_with_a_sentence(read: Callable[[], object], says: str) -> None:
    with pytest.raises(FileFormatError, match=says):
        read()


@pytest.mark.parametrize(
    ("read", "says"),
    [
        (lambda: dot.parse('digraph { "' + '\\"' * 300_000), "expected a name or an arrow"),
        (lambda: dagitty.parse('dag { "' + '\\"' * 300_000), "expected a name or an arrow"),
        (lambda: parse_hugin_net('"' + '\\"' * 300_000), "not closed in its line"),
        (lambda: parse_hugin_net('net { name = "a; }\nnode'), "not closed in its line"),
        (lambda: parse_bif("network x { }\n" + "/* " * 300_000), "line 2: a comment that begins here .* has no end"),
        (lambda: parse_bif("network x { }\n\n/*/"), "line 3: a comment that begins here .* has no end"),
        (lambda: parse_tetrad("/knowledge\nforbiddengroup\na" + " " * 900_000 + "b\n"), "expected CAUSES ==> EFFECTS"),
    ],
)
def test_that_what_is_never_closed_costs_no_time(read: Callable[[], object], says: str) -> None:
    """Each took minutes or hours: every sign was the start of another look at all the rest."""
    with pytest.raises(FileFormatError, match=says):
        read()


@pytest.mark.parametrize("comment", ["/**/", "// x\n", "/* a */ ", "//\n\n", " \n", "/* graph { */"])
@pytest.mark.parametrize("opening", ["digraph {", "strict graph g {", "nothing"])
def test_that_comments_before_a_graph_are_skipped_however_many(comment: str, opening: str) -> None:
    """Thirty of them froze the program, in a file of 120 bytes."""
    assert dot.recognises(comment * 20_000 + opening) == opening.endswith("{")


def test_that_blank_lines_cost_no_time_where_a_network_is_looked_for() -> None:
    is_bif = next(graph_format.recognises for graph_format in graph_formats() if graph_format.name == "bif")
    assert not is_bif("network x {" + "\n" * 900_000)
    assert is_bif("network x { }\n" + " \n" * 300_000 + "  variable A { }\n")


def test_that_a_group_of_knowledge_is_read_with_any_blanks_around_its_arrow() -> None:
    knowledge = parse_tetrad("/knowledge\nforbiddengroup\na,b  \t ==>   c\n")
    assert knowledge.forbidden == (("a", "c"), ("b", "c"))


def test_that_the_encoding_that_a_graphml_file_names_does_not_matter() -> None:
    document = graphml.parse(GRAPHML.format(head=' encoding="UTF-4711"', doctype="", inside=""))
    assert document.graph.nodes == ("A",)


def test_that_more_nodes_than_can_be_held_are_refused_before_they_are() -> None:
    builder = GraphBuilder()
    for number in range(MAX_NODES):
        builder.ensure_node(str(number))
    with pytest.raises(FileFormatError, match="latconf reads graphs up to that size"):
        builder.ensure_node("one more")


def test_that_an_archive_that_unpacks_to_too_much_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "bomb.latconf"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("project.json", "{}" + " " * (MAX_DENSE_BYTES + 1))
    with pytest.raises(FileFormatError, match=r"'project\.json' in it unpacks to"):
        read_project(path)
    with zipfile.ZipFile(path) as archive, pytest.raises(FileFormatError, match="it unpacks to"):
        check_archive(archive, max_member=1 << 40, max_total=10)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_that_an_archive_packed_in_another_way_is_refused_before_it_is_unpacked(tmp_path: Path, method: int) -> None:
    """What is damaged in such an archive raises errors of the system."""
    with zipfile.ZipFile(tmp_path / "a.latconf", "w", method) as archive:
        archive.writestr("project.json", "{}")
    with pytest.raises(FileFormatError, match="uses a compression that latconf does not read"):
        read_project(tmp_path / "a.latconf")


@pytest.mark.parametrize("text", ['"A","B","C0\n0,2,\n3,0,2\n",3,0\n', 'a,"\nb\n', '"a0;a1\n1;2\n'])
def test_that_a_quote_that_is_not_closed_makes_no_matrix(text: str) -> None:
    assert not pcalg_matrix.recognises_csv(text)


def test_that_latents_after_latents_without_end_are_refused() -> None:
    n = 1500
    nodes = ";".join(f"(l{i});y{i}" for i in range(n))
    edges = "\n".join(f"1. l{i} --> y{i}\n2. l{i} --> {f'l{i + 1}' if i + 1 < n else 'y0'}" for i in range(n))
    document = tetrad_text.parse(f"Graph Nodes:\n{nodes}\n\nGraph Edges:\n{edges}\n")
    with pytest.raises(GraphError, match="chain of latents is too long"):
        document.to_dag()


def test_that_a_graph_in_json_with_more_nodes_than_can_be_held_is_refused() -> None:
    with pytest.raises(ValueError, match="larger than latconf reads"):
        MixedGraph.from_json({"nodes": [str(i) for i in range(MAX_NODES + 1)], "edges": []})


def test_that_a_lesson_that_nobody_could_read_is_refused(tmp_path: Path) -> None:
    lesson = {"title": "t", "text": "x", "question": "q", "answer": "a", "edges": [f"a{i} --> b{i}" for i in range(99)]}
    (tmp_path / "a.json").write_text(json.dumps(lesson))
    with pytest.raises(FileFormatError, match="more than 40 variables"):
        read_lesson(tmp_path / "a.json")


@pytest.mark.parametrize("name", ["a.csv", "a.xlsx", "a.parquet", "a.arff", "a.dot", "a.bif", "a.json", "a.txt"])
def test_that_pipes_and_folders_are_refused_before_they_are_opened(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / name).mkdir()
    for read in (read_table, read_document, read_knowledge, read_network_json, read_bif, read_lesson):
        with pytest.raises(FileFormatError, match="a pipe or a device"):
            read(tmp_path / name)
        with pytest.raises(FileFormatError, match="this is a folder"):
            read(tmp_path / "folder" / name)


@pytest.mark.parametrize("value", [float("inf"), 1e300, "0.05", True])
def test_that_an_option_that_is_no_number_of_a_sensible_size_is_refused(value: object) -> None:
    with pytest.raises(OptionError):
        VbemOptions(ess=value)  # type: ignore[arg-type]
    with pytest.raises(LatconfError):
        VbemOptions.from_json({"ess": value, "version": 1})
