"""GLSL on data with a known outcome, and what holds on any data."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.builders import random_dataset
from support.rival_data import as_dataset, chain, copies_of_a_bit, find, groups, hiv_tests, no_pag, six_states

from latconf_core.control import RunControl, StopReason
from latconf_core.data.dataset import Dataset
from latconf_core.model.bit_dag import BitDag
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import GlslOptions, SearchOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.baselines.glsl_moves import with_latent
from latconf_core.search.baselines.structural_em import LEAST_GAIN, StructuralEm
from latconf_core.search.baselines.visited_scores import VisitedScores
from latconf_core.search.outcome.history import Visit
from latconf_core.search.runner import prepare_run

QUICK = VbemOptions(restarts=1)


@pytest.mark.parametrize(
    ("data", "truth"),
    [
        pytest.param(copies_of_a_bit(8, 2000), -8_163.84, id="eight copies of a bit"),
        pytest.param(six_states(), -15_289.58, id="four children of six states", marks=pytest.mark.slow),
    ],
)
def test_that_the_true_latent_is_found_and_nothing_else(data: Dataset, truth: float) -> None:
    result = find(data, "glsl")
    assert groups(result) == [(2, data.names, None)]
    assert result.best is not None
    assert not result.best.edges
    assert result.p_elbo == pytest.approx(truth, abs=0.05)


@pytest.mark.parametrize(
    ("data", "p_elbo", "n_edges"),
    [(copies_of_a_bit(4, 5000), -11_367.55, 6), (hiv_tests(), -646.316, 5), (chain(), -11_001.184, 3)],
    ids=["four copies of a bit", "HIV", "chain"],
)
def test_that_a_plain_dag_is_found_where_edges_explain_as_much(data: Dataset, p_elbo: float, n_edges: int) -> None:
    result = find(data, "glsl")
    assert result.best is not None
    assert not result.best.latents
    assert len(result.best.edges) == n_edges
    assert result.p_elbo == pytest.approx(p_elbo, abs=0.01)
    plain = find(data, "hc").best
    assert plain is not None
    assert pattern(result.best.edges) == pattern(plain.edges)  # the same Markov class, arrows may differ


def pattern(edges: tuple[tuple[str, str], ...]) -> tuple[set[frozenset[str]], set[tuple[frozenset[str], str]]]:
    """The skeleton and the v-structures of a DAG."""
    graph = nx.DiGraph(edges)
    colliders = {
        (frozenset((a, b)), c)
        for c in graph
        for a in graph.predecessors(c)
        for b in graph.predecessors(c)
        if a != b and not graph.has_edge(a, b) and not graph.has_edge(b, a)
    }
    return {frozenset(edge) for edge in edges}, colliders


def test_that_independent_columns_give_the_empty_dag() -> None:
    rng = np.random.default_rng(3)
    result = find(as_dataset([rng.integers(2, size=2000) for _ in range(5)]), "glsl")
    assert result.best is not None
    assert not result.best.edges
    assert not result.best.latents


def test_that_without_pairs_the_empty_dag_is_the_result_beside_the_plain_climb() -> None:
    result = find(hiv_tests(), "glsl", glsl=GlslOptions(n_pairs=0))
    assert result.best is not None
    assert not result.best.edges
    assert result.best_without_latents == pytest.approx(-646.316, abs=0.001)
    assert result.stop_reason is StopReason.LOCAL_MAXIMUM


@pytest.mark.slow
def test_that_glsl_from_cil_goes_on_from_the_forest() -> None:
    result = find(six_states(), "glsl+cil")
    assert groups(result) == [(2, ("X1", "X2", "X3", "X4"), None)]
    assert result.p_elbo == pytest.approx(-15_289.58, abs=0.05)
    assert result.history[0].candidate == BitDag((0,) * 4)


def test_that_pairs_of_any_variables_may_be_tried_too() -> None:
    data = copies_of_a_bit(6, 800)
    roots, anyone = (find(data, "glsl", glsl=GlslOptions(pairs_of=of), vbem=QUICK) for of in ("roots", "any"))
    assert len(anyone.history) > len(roots.history)
    assert max(mask.bit_count() for mask in anyone.history[-1].candidate.parents) <= 3


small_data = st.builds(
    lambda seed, rows, cards: random_dataset(np.random.default_rng(seed), rows, cards),
    st.integers(0, 10_000),
    st.integers(20, 80),
    st.lists(st.integers(2, 4), min_size=3, max_size=5),
)


@settings(max_examples=12, deadline=None)
@given(small_data, st.integers(0, 4), st.sampled_from(["roots", "any"]), st.integers(1, 3))
def test_that_latents_are_roots_and_caps_hold(data: Dataset, n_pairs: int, pairs_of: str, most: int) -> None:
    options = GlslOptions(n_pairs, pairs_of, most)  # type: ignore[arg-type]
    result = find(data, "glsl", glsl=options, vbem=QUICK)
    for visit in result.history:
        dag = result.history.dag(visit.index)
        assert all(latent.parent is None and set(latent.children) <= set(data.names) for latent in dag.latents)
        assert all(len(parents) <= most for parents in dag.parents_with_latents.values())
    assert result.p_elbo is not None
    assert result.p_elbo >= result.history[0].p_elbo  # of the empty DAG
    plain = [visit for visit in result.history[:2] if not visit.n_latents][-1]  # the empty DAG where it is the maximum
    assert is_local_maximum(data, plain, most)


def is_local_maximum(data: Dataset, visit: Visit, most: int) -> bool:
    """Whether no edge that is added, deleted or turned raises the score of a plain DAG by more than a climb asks."""
    scorer, parents = Scorer(data, QUICK), list(visit.candidate.parents)

    def score(masks: list[int]) -> float:
        edges = [(a, b) for b, mask in enumerate(masks) for a in range(len(masks)) if mask >> a & 1]
        if not nx.is_directed_acyclic_graph(nx.DiGraph(edges)) or max(mask.bit_count() for mask in masks) > most:
            return -np.inf
        return sum(scorer.family_score(child, mask) for child, mask in enumerate(masks))

    moves = []
    for child in range(len(parents)):
        for parent in range(len(parents)):
            if parent != child:
                changed = [mask ^ (1 << parent if v == child else 0) for v, mask in enumerate(parents)]
                moves.append(changed)
                if parents[child] >> parent & 1:
                    moves.append([mask | (1 << child if v == parent else 0) for v, mask in enumerate(changed)])
    return all(score(move) - score(parents) <= LEAST_GAIN + 1e-9 for move in moves)


def test_that_chains_of_structural_em_rise_by_a_hundredth_or_stay() -> None:
    data = copies_of_a_bit(6, 500)
    run = prepare_run(data, no_pag(data), "glsl", options=SearchOptions(vbem=QUICK), control=RunControl())
    visited = VisitedScores(run)
    em = StructuralEm(visited, run.options.glsl)
    starts = [with_latent(BitDag((0,) * 6), pair) for pair in ((0, 1), (2, 3), (4, 5))]
    list(visited.visit(starts, bar=-np.inf))
    chains = em.improve(starts, bar=-np.inf)
    ends: list[BitDag] = []
    while not ends:
        try:
            next(chains)
        except StopIteration as end:
            ends = end.value
    for start, end in zip(starts, ends):
        assert end == start or visited.score(end) - visited.score(start) >= LEAST_GAIN
        assert em.climb(end) == end or visited.score(em.climb(end)) - visited.score(end) < LEAST_GAIN


@pytest.mark.parametrize("search", ["cil", "glsl", "glsl+cil"])
def test_that_the_number_of_workers_changes_nothing(search: str) -> None:
    rng = np.random.default_rng(8)
    bit = rng.integers(2, size=400)
    data = as_dataset([np.where(rng.random(400) < 0.8, 2 * bit, rng.integers(4, size=400)) for _ in range(5)])
    one, four = (find(data, search, workers=workers, vbem=QUICK) for workers in (1, 4))
    assert one.history == four.history  # to the last bit
    assert one.best == four.best
    assert any(visit.n_latents for visit in one.history)
