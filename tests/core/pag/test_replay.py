"""Folding the events of a learner gives its graph at every step."""

from __future__ import annotations

import json

import numpy as np
import pytest
from support.pag_cases import chosen_dags, random_dags
from support.small_runs import confounded

from latconf_core.control import Progress
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.sampling import sample
from latconf_core.errors import GraphError
from latconf_core.formats.examples import load_example
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.independence.oracle import DSeparationOracle
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import EdgeRemoved, PagEvent, PagLearned, ScoreStep, pag_event_from_json, pag_event_to_json
from latconf_core.pag.learners.catalogue import LEARNERS, Source, learn_pag
from latconf_core.pag.replay import Replay

ORACLE_METHODS = [name for name, learner in LEARNERS.items() if learner.takes_oracle]


def told(source: Source, method: str, knowledge: Knowledge = NO_KNOWLEDGE) -> list[PagEvent]:
    return list(learn_pag(source, PagOptions(method=method), knowledge=knowledge))


def assert_exact(events: list[PagEvent]) -> None:
    """The steps before the result lead to its graph, and so do all of them."""
    replay, last = Replay(events), events[-1]
    assert isinstance(last, PagLearned)
    assert replay.graph(replay.last - 1) == last.result.graph
    assert replay.graph(replay.last) == last.result.graph


@pytest.mark.parametrize("method", ORACLE_METHODS)
def test_that_the_last_step_is_the_learners_pag_on_two_hundred_dags(method: str) -> None:
    for dag in [*chosen_dags(), *random_dags(0, 200)]:
        assert_exact(told(DSeparationOracle(dag), method))


@pytest.mark.parametrize("method", list(LEARNERS))
def test_that_the_last_step_is_the_learners_pag_on_data(method: str) -> None:
    assert_exact(told(confounded(), method))
    data = sample(load_example("alarm"), 500, rng=np.random.default_rng(1), hide=["INTUBATION"]).dataset
    assert_exact(told(data, method))


@pytest.mark.parametrize("method", list(LEARNERS))
def test_that_knowledge_is_told_too(method: str) -> None:
    data = sample(load_example("asia"), 1000, rng=np.random.default_rng(2), hide=["smoke"]).dataset
    asia, tub, xray = "asia", "tub", "xray"
    knowledge = Knowledge(tiers=((xray,), tuple(n for n in data.names if n != xray)), required=((asia, tub),))
    assert_exact(told(data, method, knowledge))


def test_that_rfci_tells_edges_that_go_after_they_were_oriented_in_the_order_they_go() -> None:
    for seed in range(60):
        data = sample(load_example("asia"), 150, rng=np.random.default_rng(seed), hide=["either"]).dataset
        assert_exact(told(data, "rfci"))


def slow_fold(events: list[PagEvent], steps: int) -> MixedGraph:
    """The graph after some steps by folding from the start; independent of how Replay finds it."""
    return Replay(
        [event for event in events if not isinstance(event, Progress)][: steps + 1], Replay(events).nodes
    ).graph(steps)


@pytest.mark.parametrize("method", ["fci", "rfci", "mfci", "gfci"])
def test_that_any_walk_through_the_steps_restores_every_mark(method: str) -> None:
    data = sample(load_example("asia"), 800, rng=np.random.default_rng(3), hide=["smoke"]).dataset
    events = told(data, method)
    replay = Replay(events)
    truth = [slow_fold(events, step) for step in range(len(replay))]
    rng = np.random.default_rng(0)
    assert replay.graph(-1).n_edges == len(data.names) * (len(data.names) - 1) // 2
    walk = [*range(len(replay)), *range(replay.last, -1, -1), *rng.integers(len(replay), size=300)]
    for step in map(int, walk):
        assert replay.graph(step) == truth[step]


def test_that_what_a_step_changes_is_the_difference_of_the_graphs_around_it() -> None:
    for dag in chosen_dags()[:6]:
        replay = Replay(told(DSeparationOracle(dag), "fci"))
        for step in range(len(replay)):
            before, after = replay.graph(step - 1), replay.graph(step)
            changed = {(c.node, c.other): (c.before, c.after) for c in replay.changes(step)}
            for a in dag.nodes:
                for b in dag.nodes:
                    marks = before.mark_at(a, b), after.mark_at(a, b)
                    assert changed.get((a, b), (marks[0], marks[0])) == marks
            assert set(replay.changed_pairs(step)) == {tuple(sorted(pair)) for pair in changed}


def test_that_the_steps_of_an_end_are_those_that_change_it() -> None:
    replay = Replay(told(DSeparationOracle(LatentDag("ABCD", [("A", "C"), ("B", "C"), ("C", "D")])), "fci"))
    for node, other in (("C", "D"), ("D", "C"), ("C", "A"), ("A", "B")):
        own = [s for s in range(len(replay)) if any((c.node, c.other) == (node, other) for c in replay.changes(s))]
        assert replay.steps_of_end(node, other) == own != []


def test_that_events_from_json_lead_to_the_same_graphs() -> None:
    events = told(confounded(), "gfci")
    back = [pag_event_from_json(json.loads(json.dumps(pag_event_to_json(event)))) for event in events]
    first, second = Replay(events), Replay(back)
    assert [first.graph(s) for s in range(len(first))] == [second.graph(s) for s in range(len(second))]


@pytest.mark.parametrize("method", [name for name in LEARNERS if name not in ORACLE_METHODS])
def test_that_the_score_search_is_shown_as_the_class_of_dags_it_stands_at(method: str) -> None:
    data = sample(load_example("asia"), 2000, rng=np.random.default_rng(4)).dataset
    replay = Replay(told(data, method))
    assert replay.graph(0).n_edges == 0
    graphs = [replay.graph(s) for s, event in enumerate(replay.events) if isinstance(event, ScoreStep)]
    kinds = [event.kind for event in replay.events if isinstance(event, ScoreStep)]
    sizes = np.cumsum([1 if kind == "insert" else -1 for kind in kinds])
    assert [graph.n_edges for graph in graphs] == sizes.tolist()
    assert all({edge.arrow for edge in graph.edges()} <= {"o-o", "-->", "<--"} for graph in graphs)


def test_that_a_result_that_the_events_do_not_lead_to_is_shown_at_the_end() -> None:
    events = told(confounded(), "fci")
    last = events[-1]
    assert isinstance(last, PagLearned)
    replay = Replay([last])
    assert replay.graph(0) == last.result.graph


def test_that_a_step_outside_and_events_without_nodes_are_refused() -> None:
    replay = Replay([], ["A", "B"])
    assert list(replay.graph(-1).edges()) == [Edge("A", "B", Mark.CIRCLE, Mark.CIRCLE)]
    with pytest.raises(IndexError, match="no step 0"):
        replay.graph(0)
    with pytest.raises(ValueError, match="name them"):
        Replay([])
    with pytest.raises(GraphError, match="'C', which is not a variable of the PAG; learn it again"):
        Replay([EdgeRemoved("A", "C", (), 0.5, "skeleton")], ["A", "B"])
