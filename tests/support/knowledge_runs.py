"""Every search and learner under random knowledge, and what of their results contradicts it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from support.random_knowledge import contradictions, draw_knowledge

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.errors import GraphError
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph, empty_graph
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import LEARNERS, run_learner
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_search

N_ROWS = 300


def draw_table(rng: np.random.Generator) -> Dataset:
    """Three to five binary variables with a hidden cause of some and edges between others."""
    n = int(rng.integers(3, 6))
    hidden = rng.integers(2, size=N_ROWS)
    columns: list[np.ndarray] = []
    for v in range(n):
        column = rng.integers(2, size=N_ROWS)
        if rng.random() < 0.6:
            column = np.where(rng.random(N_ROWS) < 0.75, hidden, column)
        if v and rng.random() < 0.6:
            column = np.where(rng.random(N_ROWS) < 0.6, columns[int(rng.integers(v))], column)
        columns.append(column)
    return Dataset("ABCDE"[:n], [("no", "yes")] * n, np.stack(columns, axis=1))


def said_against(knowledge: Knowledge, dag: LatentDag) -> list[str]:
    """What a DAG says against knowledge; a latent stands for all that it acts on through latents."""
    below = {latent.name: latent.children for latent in dag.latents}

    def reached(name: str) -> list[str]:
        return [end for child in below[name] for end in (reached(child) if child in below else [child])]

    return contradictions(knowledge, dag.nodes, set(dag.edges), [reached(latent.name) for latent in dag.latents])


def pag_against(knowledge: Knowledge, graph: MixedGraph) -> list[str]:
    """What a learned PAG says against knowledge: a mark that makes somebody an ancestor, and edges that lack."""
    known = set(graph.nodes)
    tier = {name: k for k, names in enumerate(knowledge.tiers) for name in names}
    said = []
    for a, b in knowledge.required:
        if {a, b} <= known and (not graph.is_adjacent(a, b) or str(graph.edge(a, b)) != f"{a} --> {b}"):
            said.append(f"{a} --> {b} is missing")
    for edge in graph.edges():
        for a, b, at_a in ((edge.first, edge.second, edge.at_first), (edge.second, edge.first, edge.at_second)):
            later = a in tier and b in tier and tier[a] > tier[b]
            closed = a in tier and b in tier and tier[a] == tier[b] and tier[a] in knowledge.closed_tiers
            forbidden = later or closed or (a, b) in knowledge.forbidden_indirect or b in knowledge.exogenous
            if forbidden and at_a != Mark.ARROW:
                said.append(f"{edge}: {a} may be no cause of {b}")
        is_hidden = edge.at_first == edge.at_second == Mark.ARROW
        pair = {edge.first, edge.second}
        is_ruled_out = bool(pair & set(knowledge.exogenous)) or any(
            pair <= set(own) for own in knowledge.no_hidden_cause
        )
        among = knowledge.hidden_causes_only_among
        if is_hidden and (is_ruled_out or (among is not None and not pair <= set(among))):
            said.append(f"{edge} is ruled out")
    return said


def learned_under(knowledge: Knowledge, table: Dataset, method: str) -> MixedGraph:
    """The PAG of a learner."""
    return run_learner(table, PagOptions(method=method), knowledge=knowledge).graph


def searched_under(knowledge: Knowledge, table: Dataset, search: str, pag: MixedGraph) -> SearchResult | None:
    """The result of a search; None where it says that nothing of its kind obeys."""
    try:
        return run_search(table, pag, search, options=SearchOptions(seed=1), knowledge=knowledge)
    except GraphError as error:
        if any(said in str(error) for said in ("required", "obeys the knowledge", "lets nothing join")):
            return None
        raise


def check_draw(seed: int) -> Iterator[str]:
    """What any learner or search does against the knowledge of one draw; every visit is looked at."""
    rng = np.random.default_rng(seed)
    table = draw_table(rng)
    knowledge = draw_knowledge(rng, table.names)
    pags = {method: learned_under(knowledge, table, method) for method in LEARNERS}
    for method, graph in pags.items():
        yield from (f"{seed} {method}: {said}" for said in pag_against(knowledge, graph))
    free = run_learner(table, PagOptions(method="fci")).graph  # learned without the knowledge
    for search, record in SEARCHES.items():
        graphs = [pags["gfci"], free] if record.needs_pag else [empty_graph(table.names)]
        for graph in graphs:
            result = searched_under(knowledge, table, search, graph)
            if result is not None:
                yield from (f"{seed} {search}: {said}" for said in _result_against(knowledge, result))


def _result_against(knowledge: Knowledge, result: SearchResult) -> Iterator[str]:
    for visit in result.history:
        yield from said_against(knowledge, result.history.dag(visit.index))
    if result.best is not None:
        yield from said_against(knowledge, result.best)
    if result.reference is not None:
        yield from said_against(knowledge, result.reference.dag)
