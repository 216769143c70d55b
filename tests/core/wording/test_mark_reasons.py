"""Why a mark is there, or an edge is not."""

from __future__ import annotations

import numpy as np
import pytest
from support.pag_cases import chosen_dags, random_dags

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_core.graph.marks import Edge, Mark
from latconf_core.independence.oracle import DSeparationOracle
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import EdgeRemoved, EdgeRepaired, MarkChanged, TripleAmbiguous
from latconf_core.pag.learners.catalogue import LEARNERS, learn_pag
from latconf_core.pag.replay import Replay
from latconf_core.wording.mark_reasons import UNTOLD, explain_mark, say_origin

Y_STRUCTURE = LatentDag("ABCD", [("A", "C"), ("B", "C"), ("C", "D")])


@pytest.fixture
def replay() -> Replay:
    return Replay(learn_pag(DSeparationOracle(Y_STRUCTURE)))


def test_that_a_mark_names_the_step_that_put_it_there(replay: Replay) -> None:
    graph = replay.graph(replay.last)
    tail = explain_mark(replay, graph, "C", "D", is_exact=True)
    assert tail.text.startswith("R1: The graph has A o-> C and C o-o D")
    assert tail.path == ("A", "C", "D")
    head = explain_mark(replay, graph, "C", "A", is_exact=True)
    assert head.text.startswith("A and B are d-separated")
    assert (head.path, head.given) == (("A", "C", "B"), ())


def test_that_a_circle_says_that_nothing_decided_it(replay: Replay) -> None:
    reason = explain_mark(replay, replay.graph(replay.last), "A", "C")
    assert reason.text == ("Circle at A: undecided. No test or rule determines whether A is a cause of C.")
    assert reason.step is None


def test_that_a_missing_edge_says_which_set_separated_the_pair(replay: Replay) -> None:
    reason = explain_mark(replay, replay.graph(replay.last), "D", "A")
    assert reason.text == "A and D are not significantly dependent given C (p = 1); edge removed."
    assert (reason.given, reason.p_value) == (("C",), 1.0)


def test_that_what_was_changed_by_hand_says_so(replay: Replay) -> None:
    graph = replay.graph(replay.last)
    changed = graph.with_edge(Edge("A", "C", Mark.TAIL, Mark.ARROW))
    said = explain_mark(replay, changed, "A", "C")
    assert said.text.startswith(
        "The mark at A was changed manually or by a repair after the PAG was learned. The learned PAG has a "
        "circle there: Circle at A: undecided."
    )
    assert not said.is_learned
    assert explain_mark(replay, changed, "C", "A").is_learned
    gone = explain_mark(replay, graph.without_edge("A", "C"), "C", "A")
    assert gone.text.startswith("This edge was removed manually or by a repair")
    added = explain_mark(replay, graph.with_edge(Edge("A", "B", Mark.CIRCLE, Mark.CIRCLE)), "A", "B")
    assert added.text.startswith("This edge was added manually or by a repair")
    assert "A and B are not significantly dependent" in added.text


def test_that_a_node_that_came_later_says_so(replay: Replay) -> None:
    grown = replay.graph(replay.last).renamed({"A": "New"})
    assert explain_mark(replay, grown, "New", "C").text == "New was not there when the PAG was learned."


def test_that_the_step_that_put_a_mark_is_named_while_stepping(replay: Replay) -> None:
    said = say_origin(replay, replay.last, "C", "D")
    assert said.startswith("The mark at C on its edge with D was set in step ")
    assert said.endswith(": R1, C o-o D becomes C --> D.")
    assert say_origin(replay, 1, "C", "D") == "The mark at C on its edge with D is still undecided."


def test_that_an_undecided_triple_explains_its_circles() -> None:
    events = [TripleAmbiguous("A", "B", "C", 1, 2)]
    replay = Replay(events, "ABC")
    graph = replay.graph(0)
    assert "B is in 1 of the 2 sets that separate A and C" in explain_mark(replay, graph, "B", "C").text
    assert explain_mark(replay, graph, "B", "C").path == ("A", "B", "C")
    assert explain_mark(replay, graph, "C", "B").step is None


def test_that_a_learner_that_does_not_tell_is_not_spoken_for(replay: Replay) -> None:
    silent = Replay([replay.events[-1]])
    assert explain_mark(silent, silent.graph(0), "C", "D").text == UNTOLD


@pytest.mark.parametrize("method", list(LEARNERS))
def test_that_every_mark_and_every_missing_edge_on_data_has_a_reason_that_made_it(method: str) -> None:
    data = sample(load_example("alarm"), 500, rng=np.random.default_rng(1), hide=["INTUBATION"]).dataset
    assert_all_explained(Replay(learn_pag(data, PagOptions(method=method))), is_scored=method not in ORACLE_METHODS)


ORACLE_METHODS = [name for name, learner in LEARNERS.items() if learner.takes_oracle]


@pytest.mark.parametrize("method", ORACLE_METHODS)
def test_that_every_mark_and_every_missing_edge_of_a_dag_has_a_reason_that_made_it(method: str) -> None:
    for dag in [*chosen_dags()[::3], *random_dags(0, 20)]:
        assert_all_explained(Replay(learn_pag(DSeparationOracle(dag), PagOptions(method=method))), is_scored=False)


def assert_all_explained(replay: Replay, *, is_scored: bool) -> None:
    graph = replay.graph(replay.last)
    for node in graph.nodes:
        for other in graph.nodes:
            if node == other:
                continue
            mark, reason = graph.mark_at(node, other), explain_mark(replay, graph, node, other)
            assert reason.is_learned
            is_repaired = reason.step is not None and isinstance(replay.events[reason.step], EdgeRepaired)
            if mark == Mark.CIRCLE and not is_repaired:
                assert ": undecided." in reason.text
            elif mark == Mark.NONE and reason.step is None:
                assert is_scored
            else:
                assert reason.step is not None
                assert replay.graph(reason.step).mark_at(node, other) == mark
                assert replay.graph(reason.step - 1).mark_at(node, other) != mark
                if mark == Mark.NONE:
                    assert isinstance(replay.events[reason.step], EdgeRemoved) or is_scored
                elif mark == Mark.TAIL:
                    assert isinstance(replay.events[reason.step], MarkChanged | EdgeRepaired)
