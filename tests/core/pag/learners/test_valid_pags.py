"""GFCI and BOSS-FCI end with a valid PAG on tables from which the rules alone give none."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from support.hidden_problems import random_network
from support.random_knowledge import draw_knowledge

from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.graph.marks import Mark
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.options.learning import PAG_PRESETS, PagOptions
from latconf_core.pag.events import EdgeRepaired, LearnedPag, PagLearned
from latconf_core.pag.learners.catalogue import LEARNERS, learn_pag, run_learner
from latconf_core.pag.replay import Replay
from latconf_core.pag.standing import Kind, find_standing
from latconf_core.pag.validity import check_pag
from latconf_core.wording.mark_reasons import explain_mark

METHODS = ("gfci", "boss-fci")
SEEDS = range(300, 312)  # a share of what tests/benchmarks/valid_pags.py draws


@cache
def table(seed: int) -> Dataset:
    rng = np.random.default_rng([seed, 35])
    n_hidden = int(rng.integers(1, 4))
    hidden = [f"h{k}" for k in range(n_hidden)]
    return sample(random_network(rng, n_hidden), 1500, rng=rng, hide=hidden).dataset


@cache
def unrepaired(method: str, seed: int) -> LearnedPag:
    return run_learner(table(seed), PagOptions(method=method, valid_pag=False))


@pytest.mark.parametrize("method", METHODS)
def test_that_every_pag_is_valid_and_one_that_was_is_left_alone(method: str) -> None:
    n_repaired = 0
    for seed in SEEDS:
        events = list(learn_pag(table(seed), PagOptions(method=method)))
        last, before = events[-1], unrepaired(method, seed)
        assert isinstance(last, PagLearned)
        assert check_pag(last.result.graph).valid
        assert Replay(events).graph(Replay(events).last - 1) == last.result.graph
        repairs = [event for event in events if isinstance(event, EdgeRepaired)]
        assert bool(repairs) == (not check_pag(before.graph).valid) == (last.result.graph != before.graph)
        assert bool(repairs) == (len(last.result.notes) > len(before.notes))
        n_repaired += bool(repairs)
    assert n_repaired


def test_that_a_repaired_mark_says_that_no_test_or_rule_supports_it() -> None:
    for seed in SEEDS:
        events = list(learn_pag(table(seed), PagOptions(method="gfci")))
        replay, before = Replay(events), unrepaired("gfci", seed).graph
        graph = replay.graph(replay.last)
        for event in (event for event in events if isinstance(event, EdgeRepaired)):
            first, second = event.ends
            for node, other in ((first, second), (second, first)):
                text = explain_mark(replay, graph, node, other).text
                is_changed = before.mark_at(node, other) != graph.mark_at(node, other)
                assert ("No test or rule supports this change" in text) == is_changed


def test_that_a_pair_joined_by_the_repair_has_no_separating_set() -> None:
    for method in METHODS:
        for seed in SEEDS:
            result = run_learner(table(seed), PagOptions(method=method))
            assert not [pair for pair in result.sepsets if result.graph.is_adjacent(*pair)]


def test_that_the_order_of_columns_does_not_matter() -> None:
    for seed in list(SEEDS)[:6]:
        data = table(seed)
        names = [str(name) for name in np.random.default_rng(seed).permutation(data.names)]
        graph = run_learner(data, PagOptions(method="gfci")).graph
        assert run_learner(data.select(names), PagOptions(method="gfci")).graph.reordered(data.names) == graph


@pytest.mark.parametrize("method", METHODS)
def test_that_the_papers_preset_and_the_arrowhead_rules_alone_are_left_as_they_are(method: str) -> None:
    for options in (replace(PAG_PRESETS["paper-gfci"], method=method), PagOptions(method=method, complete_rules=False)):
        for seed in list(SEEDS)[:4]:
            graph = run_learner(table(seed), options).graph
            assert graph == run_learner(table(seed), replace(options, valid_pag=False)).graph


def test_that_the_option_stands_where_it_is_used_and_older_files_are_read_as_before() -> None:
    assert [name for name, learner in LEARNERS.items() if "valid_pag" in learner.options] == list(METHODS)
    content = PagOptions(method="gfci").to_json()
    del content["valid_pag"]
    assert PagOptions.from_json(content) == PagOptions(method="gfci", valid_pag=False)


def keeps(knowledge: Knowledge, result: LearnedPag) -> bool:
    """Whether no mark contradicts what is known, by its own reading of the knowledge."""
    graph, known = result.graph, knowledge.bind(result.graph.nodes)
    for b, name in enumerate(graph.nodes):
        for a, cause in enumerate(graph.nodes):
            at_cause, at_name = graph.mark_at(cause, name), graph.mark_at(name, cause)
            if known.required[b] >> a & 1 and (at_cause, at_name) != (Mark.TAIL, Mark.ARROW):
                return False
            if at_cause == Mark.TAIL and known.never_above[b] >> a & 1:
                return False
            if at_cause == Mark.ARROW == at_name and not known.siblings[b] >> a & 1:
                return False
    return True


def test_that_knowledge_is_kept_and_the_rest_is_a_pag_with_it() -> None:
    n_repaired = 0
    for seed in list(SEEDS)[:8]:
        data = table(seed)
        knowledge = draw_knowledge(np.random.default_rng(seed), data.names, kinds=("tiers", "required"))
        before = run_learner(data, PagOptions(method="gfci", valid_pag=False), knowledge=knowledge)
        after = run_learner(data, PagOptions(method="gfci"), knowledge=knowledge)
        assert keeps(knowledge, after) or not keeps(knowledge, before)
        if after.graph != before.graph:
            n_repaired += 1
            assert find_standing(after.graph).kind in (Kind.PAG, Kind.PAG_WITH_KNOWLEDGE, Kind.MAG)
    assert n_repaired
