"""HCLC-V, hill-climbing latent confounder search (the paper's Algorithm 2): one bidirected edge at a time."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from itertools import pairwise
from math import inf

from latconf_core.control import StopReason
from latconf_core.graph.bits import BitGraph, topological_order
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.bound import BoundKnowledge
from latconf_core.mag.latents.minimum import clique_cover, minimum_latents
from latconf_core.mag.validity import is_mag
from latconf_core.model.bit_dag import BitDag
from latconf_core.pag.informed import put_known_marks
from latconf_core.search.algorithms.latent_states import search_states
from latconf_core.search.outcome.events import LevelStarted, Search, SearchEvent
from latconf_core.search.run import SearchRun
from latconf_core.structure.exact_dag import forbidden_path

Choice = tuple[float, MixedGraph | None]


def hclc_v(run: SearchRun) -> Search:
    """Orient the o-o edges greedily, then turn open edges into <-> one at a time while p-ELBO rises."""
    reason = yield from _climb(run)
    if run.history.best is None and run.known.binds:  # what was tried contradicts the knowledge
        run.take_graph_as_known()
        reason = yield from _climb(run)
    yield from search_states(run)
    return reason


def _climb(run: SearchRun) -> Search:
    pag = run.pag_handling.graph
    carried = sum(edge.is_bidirected for edge in pag.edges())
    graph = _without_forbidden_paths(pag, _without_circles(pag, run.known), run.known)  # Alg. 2, step 1
    best, graph = yield from _oriented(run, pag, graph, level=carried)
    reason = StopReason.MAX_BIDIRECTED
    for level in range(carried + 1, run.options.max_bidirected + 1):
        trials = list(_with_one_more_bidirected(pag, graph))
        yield LevelStarted(level, len(trials))
        best_of_round, chosen = yield from _best_of(run, trials, level=level, bar=run.best_with_latents)
        if chosen is None or best_of_round <= best:
            reason = StopReason.LOCAL_MAXIMUM
            break
        best, graph = best_of_round, chosen
    return reason


def _without_circles(pag: MixedGraph, known: BoundKnowledge) -> MixedGraph:
    """The PAG with o-> made --> and its o-o edges left out; what knowledge decides, as it says."""
    for edge in list(put_known_marks(pag, known).edges() if known.binds else pag.edges()):
        ends = {edge.at_first, edge.at_second}
        if known.binds:
            pag = pag.with_edge(edge)
        if ends == {Mark.CIRCLE}:
            pag = pag.without_edge(edge.first, edge.second)
        elif Mark.CIRCLE in ends:  # the other end is an arrow, or a tail that rules an arrow out here
            first_is_tail = edge.at_second == Mark.ARROW or edge.at_first == Mark.TAIL
            pair = (edge.first, edge.second) if first_is_tail else (edge.second, edge.first)
            pag = pag.with_edge(_directed(*pair))
    return pag


def _without_forbidden_paths(pag: MixedGraph, graph: MixedGraph, known: BoundKnowledge) -> MixedGraph:
    """The graph with edges of forbidden paths made <-> where the PAG leaves that open."""
    while not known.edges_suffice:
        path = forbidden_path(BitGraph.from_graph(graph).parents, known.never_above)
        names = pairwise(graph.nodes[v] for v in path or ())
        pair = next(((a, b) for a, b in names if _may_be_bidirected(pag, known, a, b)), None)
        if pair is None:
            break
        graph = graph.with_edge(Edge(*pair, Mark.ARROW, Mark.ARROW))
    return graph


def _may_be_bidirected(pag: MixedGraph, known: BoundKnowledge, a: str, b: str) -> bool:
    edge, first, second = pag.edge(a, b), pag.index[a], pag.index[b]
    is_free = known.siblings[first] >> second & 1 and not known.requires(first, second)
    return bool(is_free) and Mark.TAIL not in (edge.at_first, edge.at_second)


def _oriented(
    run: SearchRun, pag: MixedGraph, graph: MixedGraph, *, level: int
) -> Generator[SearchEvent, None, tuple[float, MixedGraph]]:
    """The graph with every o-o edge of the PAG directed, always the best next, and its score."""
    undecided = [edge for edge in pag.edges() if not graph.is_adjacent(edge.first, edge.second)]
    yield LevelStarted(level, max(1, len(undecided) * (len(undecided) + 1)))
    if not undecided:
        best, _ = yield from _best_of(run, [graph], level=level)
    while undecided:
        trials = [
            graph.with_edge(directed)
            for edge in undecided
            for directed in (_directed(edge.first, edge.second), _directed(edge.second, edge.first))
        ]
        best, chosen = yield from _best_of(run, trials, level=level)
        if chosen is None:
            break
        graph = chosen
        undecided = [edge for edge in undecided if not graph.is_adjacent(edge.first, edge.second)]
    return best, graph


def _with_one_more_bidirected(pag: MixedGraph, graph: MixedGraph) -> Iterator[MixedGraph]:
    """The graph with one edge that the PAG leaves open, and that is not <-> yet, made <->."""
    for edge in pag.edges():
        ends = {edge.at_first, edge.at_second}
        is_open = Mark.CIRCLE in ends and Mark.TAIL not in ends
        is_there = graph.is_adjacent(edge.first, edge.second)  # not where neither direction could be scored
        if is_open and not (is_there and graph.edge(edge.first, edge.second).is_bidirected):
            yield graph.with_edge(Edge(edge.first, edge.second, Mark.ARROW, Mark.ARROW))


def _best_of(
    run: SearchRun, graphs: Iterable[MixedGraph], *, level: int, bar: float = -inf
) -> Generator[SearchEvent, None, Choice]:
    """The best of the graphs that have no directed cycle, with its score; full where it is in reach of the bar."""
    graph_of: dict[BitDag, MixedGraph] = {}

    def neighbours() -> Iterator[BitDag]:
        for graph in graphs:
            run.control.checkpoint()
            form = BitGraph.from_graph(graph)
            if topological_order(form.parents) is not None:
                solve = minimum_latents if is_mag(form) else clique_cover
                latents = solve(form, control=run.control)
                candidate = BitDag.of_graph(form, latents.sets)
                graph_of[candidate] = graph
                yield candidate

    best, chosen = -inf, None
    for event in run.visit(neighbours(), level=level, bar=bar):
        if event.p_elbo > best:
            best, chosen = event.p_elbo, graph_of[event.candidate]
        yield event
    return best, chosen


def _directed(parent: str, child: str) -> Edge:
    return Edge(parent, child, Mark.TAIL, Mark.ARROW)
