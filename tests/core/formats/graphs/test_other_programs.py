"""Files as Tetrad, causal-learn, pcalg, dagitty, graphviz, causaliq and Bayesys write them, and broken ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from support.builders import mixed

from latconf_core.errors import FileFormatError, GraphError
from latconf_core.formats.graphs import bayesys, causal_learn, dagitty, dot, graph_json, graphml, pcalg_matrix
from latconf_core.formats.graphs.graph_document import GraphDocument
from latconf_core.graph.mixed import MixedGraph

GRAPH = mixed("A o-o B", "A o-> C", "B --> D", "C <-> D", "E --o A")
CAUSAL_LEARN = """[[ 0  2  2  0  2]
 [ 2  0  0 -1  0]
 [ 1  0  0  1  0]
 [ 0  1  1  0  0]
 [-1  0  0  0  0]]
"""
PCALG = """"A" "B" "C" "D" "E"
"A" 0 1 2 0 3
"B" 1 0 0 2 0
"C" 1 0 0 2 0
"D" 0 3 2 0 0
"E" 1 0 0 0 0
"""
DAGITTY = """pag {
A [pos="0.10,0.20"]
A @-@ B
A @-> C
B -> D;
C <-> D
A @-- E
}
"""
DOT = """/* a PAG */
digraph pag {
  graph [rankdir=LR]; node [shape=box]; margin=0.5
  "A" -> "B" [dir=both, arrowtail=odot, arrowhead=odot];
  "A" -> "C" [dir=both, arrowtail=odot, arrowhead=normal];
  B -> D // a tail is what graphviz draws by default
  edge [dir=both]
  "C" -> "D" [arrowtail=normal, arrowhead=normal];
  "E" -> "A" [arrowtail=none, arrowhead=odot];
}
"""
BAYESYS = """Id,Variable.1,Dependency,Variable.2
1,A,o-o,B
2,A,o->,C
3,B,->,D
4,C,<->,D
5,A,o-,E
"""
GRAPHML = """<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="edge" attr.name="sourceEndpoint" attr.type="string"/>
  <key id="d1" for="edge" attr.name="targetEndpoint" attr.type="string"/>
  <graph edgedefault="directed">
    <node id="A"/><node id="B"/><node id="C"/><node id="D"/><node id="E"/>
    <edge source="A" target="B"><data key="d0">circle</data><data key="d1">circle</data></edge>
    <edge source="A" target="C"><data key="d0">circle</data><data key="d1">head</data></edge>
    <edge source="B" target="D"/>
    <edge source="C" target="D"><data key="d0">arrow</data><data key="d1">target</data></edge>
    <edge source="E" target="A"><data key="d0">line</data><data key="d1">circle</data></edge>
  </graph>
</graphml>
"""
JSON = """{"nodes": ["A", "B", "C", "D", "E"],
 "edges": [["A", "o-o", "B"], ["A", "o->", "C"], ["B", "D"], ["C", "<->", "D"], ["E", "--o", "A"]]}
"""


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        (pcalg_matrix.parse, PCALG),
        (pcalg_matrix.parse_csv, PCALG.replace(" ", ",")),
        (pcalg_matrix.parse_csv, ',"A","B","C","D","E"' + PCALG.replace(" ", ",").removeprefix('"A","B","C","D","E"')),
        (dagitty.parse, DAGITTY),
        (dot.parse, DOT),
        (bayesys.parse, BAYESYS),
        (graphml.parse, GRAPHML),
        (graph_json.parse, JSON),
    ],
)
def test_that_the_example_is_read_as_others_write_it(parse: Callable[[str], GraphDocument], text: str) -> None:
    assert parse(text).graph == GRAPH


@pytest.mark.parametrize("text", [CAUSAL_LEARN, CAUSAL_LEARN.replace("[", "").replace("]", "").replace("2", "2.0")])
def test_that_a_causal_learn_matrix_without_names_is_read(text: str) -> None:
    names = dict(zip("ABCDE", ["X1", "X2", "X3", "X4", "X5"]))
    assert causal_learn.parse(text).graph == GRAPH.renamed(names)


def test_that_causal_learn_itself_has_the_same_matrix_and_text(tmp_path_factory: pytest.TempPathFactory) -> None:
    theirs_module = pytest.importorskip("causallearn.utils.TXT2GeneralGraph")
    from latconf_core.formats.graphs.registry import write_graph

    file = tmp_path_factory.mktemp("graphs") / "graph.txt"
    graph = GRAPH.without_edge("A", "E")  # causal-learn drops edges with a circle and a tail
    write_graph(graph, file, format="tetrad")
    theirs = theirs_module.txt2generalgraph(str(file))
    assert [node.get_name() for node in theirs.get_nodes()] == list(GRAPH.nodes)
    ours = causal_learn.render(GraphDocument(graph), {})
    assert np.array_equal(np.loadtxt(ours.splitlines()), theirs.graph)


def test_that_the_authors_matrix_has_latents() -> None:
    dag = pcalg_matrix.parse_csv("A,B,LV_1\n0,2,3\n3,0,3\n2,2,0\n").to_dag()
    assert dag.edges == (("A", "B"),)
    assert [(latent.name, latent.n_states, latent.children) for latent in dag.latents] == [("LV_1", 2, ("A", "B"))]


def test_that_an_amat_cpdag_is_read_only_when_asked_for() -> None:
    text = '"A" "B" "C"\n"A" 0 0 1\n"B" 1 0 0\n"C" 1 0 0\n'
    expected = mixed("A --> B", "A --- C")
    assert pcalg_matrix.parse_cpdag(text).graph == expected
    assert pcalg_matrix.render_cpdag(GraphDocument(expected), {}) == text
    with pytest.raises(FileFormatError, match="read it as format pcalg-cpdag"):
        pcalg_matrix.parse(text)
    with pytest.raises(GraphError, match="cannot hold A o-o B"):
        pcalg_matrix.render_cpdag(GraphDocument(GRAPH), {})


def test_that_a_dagitty_dag_with_latents_on_one_line_is_read() -> None:
    dag = dagitty.parse('dag { L1 [latent,pos="0.5,0"]  L1 -> B  L1 -> C  A -> C }').to_dag()
    assert dag.edges == (("A", "C"),)
    assert [(latent.name, latent.children) for latent in dag.latents] == [("L1", ("B", "C"))]


def test_that_groups_and_chains_join_every_pair() -> None:
    expected = mixed("A --> C", "B --> C", "C --> D", nodes=["A", "B", "C", "D"])
    assert dagitty.parse("dag { {A B} -> C -> D }").graph == expected
    assert dot.parse("strict digraph { subgraph x {A; B} -> C:n -> D }").graph == expected


def test_that_dot_latents_are_dashed_or_square_among_others() -> None:
    assert set(dot.parse("digraph { L [style=dashed]; L -> A; L -> B }").latents) == {"L"}
    assert set(dot.parse("digraph { L [shape=square]; L -> A; L -> B }").latents) == {"L"}
    assert not dot.parse("digraph { node [shape=square]; C -> A; C -> B }").latents


def test_that_undirected_dot_and_graphml_edges_have_two_tails() -> None:
    undirected = mixed("A --- B")
    assert dot.parse("graph { A -- B }").graph == undirected
    assert dot.parse("digraph { A -> B [dir=none] }").graph == undirected
    text = '<graphml><graph edgedefault="undirected"><node id="A"/><node id="B"/><edge source="A" target="B"/>'
    assert graphml.parse(text + "</graph></graphml>").graph == undirected


def test_that_graphviz_reads_what_is_written() -> None:
    pygraphviz = pytest.importorskip("pygraphviz")
    graph = mixed("A o-> B", "B <-> C").renamed({"A": 'T+1 "%"', "B": "a -> b;"})
    theirs = pygraphviz.AGraph(string=dot.render(GraphDocument(graph), {}))
    assert sorted(map(str, theirs.nodes())) == sorted(graph.nodes)
    edge = theirs.get_edge('T+1 "%"', "a -> b;")
    assert (edge.attr["arrowtail"], edge.attr["arrowhead"], edge.attr["dir"]) == ("odot", "normal", "both")


def test_that_networkx_reads_the_graphml_that_is_written() -> None:
    import networkx as nx

    theirs = nx.parse_graphml(graphml.render(GraphDocument(GRAPH), {}))
    found = {(a, b): (own["sourceEndpoint"], own["targetEndpoint"]) for a, b, own in theirs.edges(data=True)}
    assert found[("A", "C")] == ("circle", "arrow")
    assert len(found) == GRAPH.n_edges


def test_that_bayesys_writes_each_edge_in_its_six_ways() -> None:
    graph = mixed("B <-- A", "C --- A", "D <-> A", "E <-o A", "F o-o A", "G --o A")
    rows = [line.split(",")[1:] for line in bayesys.render(GraphDocument(graph), {}).splitlines()]
    assert rows[1:] == [
        ["A", "->", "B"], ["A", "-", "C"], ["A", "<->", "D"], ["A", "o->", "E"], ["A", "o-o", "F"], ["A", "o-", "G"],
    ]  # fmt: skip


BROKEN: list[tuple[Callable[[str], GraphDocument], str, int | None, str]] = [
    (pcalg_matrix.parse, PCALG.replace('"C" 1 0', '"C" 7 0'), 4, "found '7' at row 'C', column 'A'"),
    (pcalg_matrix.parse, PCALG.replace('"C" 1 0', '"C" 0 0'), 4, "mark at one end only"),
    (pcalg_matrix.parse, PCALG.replace('"C" 1 0', '"X" 1 0'), 4, "the row is called 'X'; expected 'C'"),
    (pcalg_matrix.parse, PCALG.replace('"D" 0 3', '"D" 0'), 5, "found 4 entries; expected 5"),
    (pcalg_matrix.parse, PCALG.replace('"E" 1 0 0 0 0', '"E" 1 0 0 0 1'), 6, "edge to itself"),
    (pcalg_matrix.parse, PCALG.replace('"A" "B"', '"A" "A"'), 1, "'A' occurs twice"),
    (pcalg_matrix.parse, "", 1, "empty"),
    (pcalg_matrix.parse_csv, "A,B\n0,2\n3,x\n", 3, "found 'x'"),
    (pcalg_matrix.parse_csv, "A,B\n0,2\nx,0\n", 3, "the row is called 'x'"),
    (causal_learn.parse, CAUSAL_LEARN.replace("[ 1  0", "[ 9  0"), 3, "found '9'"),
    (causal_learn.parse, CAUSAL_LEARN.replace("[ 1  0", "[ 0  0"), 3, "one end only"),
    (causal_learn.parse, CAUSAL_LEARN.replace("[ 1  0", "[ 1  0 0"), 3, "found 6 entries"),
    (causal_learn.parse, "# nodes: A B\n0 0\n0 0\n", 1, "expected names such as"),
    (causal_learn.parse, '# nodes: ["A"]\n0 0\n0 0\n', 1, "1 names do not fit 2 rows"),
    (dagitty.parse, DAGITTY.replace("A @-> C", "A @=> C"), 4, "found '@=> C"),
    (dagitty.parse, DAGITTY.replace("C <-> D", "C <-> ;"), 6, "found ';'; expected a node"),
    (dagitty.parse, DAGITTY.replace("C <-> D", "B -> D"), 6, "second edge"),
    (dagitty.parse, DAGITTY.replace("}", ""), 9, "expected '}'"),
    (dagitty.parse, "cat { A -> B }", 1, "found 'cat'; expected dag or"),
    (dot.parse, DOT.replace("arrowhead=odot];", "arrowhead=crow];", 1), 4, "arrow shape 'crow'"),
    (dot.parse, DOT.replace("dir=both,", "dir=all,", 1), 4, "dir=all"),
    (dot.parse, DOT.replace('"E" -> "A"', '"E" <-> "A"'), 9, "found '<->'"),
    (dot.parse, "digraph { A -> B } more", 1, "found 'more' after the graph"),
    (graphml.parse, GRAPHML.replace("</edge>", "", 1), 12, "not XML"),
    (graphml.parse, GRAPHML.replace('target="C"', 'target="X"'), 8, "'X', which is not among the nodes"),
    (graphml.parse, GRAPHML.replace('target="C"', ""), 8, "a <edge> has no 'target'"),
    (graphml.parse, GRAPHML.replace("head", "foot"), 8, "endpoint 'foot'"),
    (graphml.parse, "<graphml/>", 1, "no <graph>"),
    (bayesys.parse, BAYESYS.replace("<->", "<=>"), 5, "found '<=>'"),
    (bayesys.parse, BAYESYS.replace("Dependency", "Link"), 1, "expected ID,Variable 1,Dependency"),
    (bayesys.parse, BAYESYS.replace("3,B,->,D", "3,B,->"), 4, "found 3 cells"),
    (graph_json.parse, JSON.replace('["B", "D"]', '["B", "D"'), 2, "not JSON"),
    (graph_json.parse, JSON.replace('["B", "D"]', '["B"]'), None, 'found the edge ["B"]'),
    (graph_json.parse, JSON.replace('"o-o"', '"o=o"'), None, 'found the edge ["A", "o=o", "B"]'),
    (graph_json.parse, "[]", 1, "expected an object"),
]


@pytest.mark.parametrize(("parse", "text", "line", "found"), BROKEN)
def test_that_a_broken_file_is_told_with_its_line(
    parse: Callable[[str], GraphDocument], text: str, line: int | None, found: str
) -> None:
    with pytest.raises(FileFormatError) as error:
        parse(text)
    assert found in error.value.problem
    assert error.value.line == line


@pytest.mark.parametrize(
    ("latent", "problem"),
    [
        ('{"name": "L", "states": 1, "children": ["A", "B"]}', "latent 'L' has 1 states"),
        ('{"name": "L", "states": 2, "children": ["A"]}', "latent 'L' has fewer than two children"),
    ],
)
def test_that_an_impossible_latent_is_named(latent: str, problem: str) -> None:
    with pytest.raises(GraphError, match=problem):
        graph_json.parse(f'{{"nodes": ["A", "B"], "edges": [], "latents": [{latent}]}}')


def test_that_an_edge_of_an_unknown_node_is_named() -> None:
    with pytest.raises(GraphError, match="the edge A --> X names 'X', which is not a node"):
        graph_json.parse('{"nodes": ["A", "B"], "edges": [["A", "X"]]}')


def test_that_a_graph_with_only_directed_edges_is_the_json_of_a_dag() -> None:
    text = graph_json.render(GraphDocument(mixed("A --> B", "C --> B")), {})
    assert text == '{"nodes": ["A", "B", "C"],\n "edges": [\n  ["A", "B"],\n  ["C", "B"]]}\n'
    assert isinstance(graph_json.parse(text).graph, MixedGraph)
