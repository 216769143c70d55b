"""From a DAG with latents to what it claims of the observed variables: its MAG."""

from __future__ import annotations

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.graph.bits import BitGraph, bits, closure, has_inducing_path, unite
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import Mag, MixedGraph


def mag_of_dag(dag: LatentDag) -> Mag:
    """The MAG over the observed variables that has the d-separations and the ancestors of a DAG with latents."""
    return mag_of_admg(latent_projection(dag))


def graph_of_dag(dag: LatentDag) -> MixedGraph:
    """The DAG as a graph whose nodes are the observed variables and, after them, the latents."""
    nodes = (*dag.nodes, *(latent.name for latent in dag.latents))
    return MixedGraph.from_edges(nodes, [Edge(a, b, Mark.TAIL, Mark.ARROW) for a, b in dag.all_edges()])


def latent_projection(dag: LatentDag) -> BitGraph:
    """The observed variables joined by a --> b and a <-> b wherever a path through latents alone says so."""
    n = len(dag.nodes)
    whole = project_out(BitGraph.from_graph(graph_of_dag(dag)), (1 << n) - 1)
    return BitGraph(dag.nodes, whole.parents[:n], whole.children[:n], whole.spouses[:n])


def project_out(whole: BitGraph, observed: int) -> BitGraph:
    """The same of any DAG, its nodes kept: those that are not observed have no edges left.

    observed : as bits
    """
    n = len(whole.nodes)
    inner = [0 if observed >> v & 1 else mask for v, mask in enumerate(whole.children)]
    # What each latent reaches directly or through latents alone.
    reach = [0 if observed >> v & 1 else closure(inner, 1 << v) & observed for v in range(n)]
    children, parents, spouses = [0] * n, [0] * n, [0] * n
    for v in bits(observed):
        below = whole.children[v]
        children[v] = below & observed | unite(reach, below & ~observed)
        for child in bits(children[v]):
            parents[child] |= 1 << v
    for mask in reach:
        for v in bits(mask):
            spouses[v] |= mask & ~(1 << v)
    return BitGraph(whole.nodes, parents, children, spouses)


def mag_of_admg(graph: BitGraph, *, control: RunControl | None = None) -> Mag:
    """The MAG of an acyclic graph of directed and bidirected edges, where a pair may have both.

    Two nodes are adjacent where an inducing path joins them, and an end is a tail where it is an
    ancestor of the other.
    """
    control = control or RunControl()
    n = len(graph.nodes)
    below = [closure(graph.children, 1 << v) for v in range(n)]
    above = [closure(graph.parents, 1 << v) for v in range(n)]
    children, parents, spouses = [0] * n, [0] * n, [0] * n
    for a in range(n):
        for b in range(a + 1, n):
            control.checkpoint()
            if not has_inducing_path(graph, a, b, above=above):
                continue
            if below[a] >> b & 1 or below[b] >> a & 1:
                parent, child = (a, b) if below[a] >> b & 1 else (b, a)
                children[parent] |= 1 << child
                parents[child] |= 1 << parent
            else:
                spouses[a] |= 1 << b
                spouses[b] |= 1 << a
    return Mag(BitGraph(graph.nodes, parents, children, spouses).to_graph())
