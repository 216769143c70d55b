"""Random graphs and DAGs with names that files find hard to hold."""

from __future__ import annotations

from hypothesis import strategies as st

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph

NASTY = [
    "a b", "a;b", "a,b", '"', "\\", "a\\", '\\"', "(x)", "[x]", "#", "1.", "-->", "o->", "...", "graph", "node",
    "strict", "%", "a%20b", "<b>", "&amp;", "é", "\u2028", "\ufeffA", "A\ufeff", "\n", "a\rb", "\t", "\x00", "\x85",
    " ", " a ", "'", "{", "}", "a:b", "=", "//", "/*", "Graph Edges:", "Graph", "ID", "0", "1", "-1", "LV1", "_", "__",
    "name", "{}", "日本",
]  # fmt: skip
NAMES = st.one_of(
    st.sampled_from(NASTY), st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6), st.just("A")
)
MARKS = st.sampled_from([Mark.CIRCLE, Mark.ARROW, Mark.TAIL])


@st.composite
def graphs(draw: st.DrawFn, *, max_nodes: int = 6) -> MixedGraph:
    """A graph on up to `max_nodes` nodes with any marks."""
    nodes = draw(st.lists(NAMES, min_size=1, max_size=max_nodes, unique=True))
    pairs = [(a, b) for i, a in enumerate(nodes) for b in nodes[:i]]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return MixedGraph.from_edges(nodes, [Edge(a, b, draw(MARKS), draw(MARKS)) for a, b in chosen])


@st.composite
def latent_dags(draw: st.DrawFn) -> LatentDag:
    """A DAG on up to six observed nodes with up to three latents."""
    names = draw(st.lists(NAMES, min_size=2, max_size=8, unique=True))
    n_latents = draw(st.integers(0, min(3, len(names) - 2)))
    hidden, observed = names[:n_latents], names[n_latents:]
    pairs = [(a, b) for i, a in enumerate(observed) for b in observed[i + 1 :]]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True))
    latents = []
    for name in hidden:
        children = draw(st.lists(st.sampled_from(observed), min_size=2, unique=True))
        latents.append(Latent(name, draw(st.integers(2, 5)), tuple(children)))
    return LatentDag(observed, edges, latents)
