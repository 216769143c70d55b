"""What each step of a learner says, and what it points at."""

from __future__ import annotations

import numpy as np
import pytest
from support.pag_cases import chosen_dags, random_dags

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_core.graph.marks import Edge
from latconf_core.independence.oracle import DSeparationOracle
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import (
    ColliderOriented,
    EdgeRemoved,
    MarkChanged,
    PhaseStarted,
    ScoreStep,
    TripleAmbiguous,
)
from latconf_core.pag.learners.catalogue import LEARNERS, learn_pag
from latconf_core.pag.replay import Replay
from latconf_core.phrases import p_text
from latconf_core.wording.step_texts import StepText, tell_step

Y_STRUCTURE = LatentDag("ABCD", [("A", "C"), ("B", "C"), ("C", "D")])


def steps(replay: Replay, *, is_exact: bool = True) -> list[StepText]:
    return [tell_step(replay, step, is_exact=is_exact) for step in range(len(replay))]


def texts_of(dag: LatentDag, kind: str, method: str = "fci") -> list[StepText]:
    replay = Replay(learn_pag(DSeparationOracle(dag), PagOptions(method=method)))
    return [step for step in steps(replay) if step.kind == kind]


def test_that_a_removed_edge_names_the_set_and_the_outcome() -> None:
    first, second, third = texts_of(Y_STRUCTURE, "Edge removed")
    assert first.text == "A and B are d-separated; edge removed."
    assert second.text == "A and D are d-separated given C; edge removed."
    assert (second.path, second.pairs, second.given, second.p_value) == (("A", "D"), (("A", "D"),), ("C",), None)
    assert third.path == ("B", "D")
    replay = Replay([EdgeRemoved("A", "B", ("C", "D"), 0.31415, "skeleton")], "ABCD")
    told = tell_step(replay, 0)
    assert told.text == "A and B are not significantly dependent given C and D (p = 0.31); edge removed."
    assert told.p_value == 0.31415


def test_that_a_collider_says_which_set_lacks_it() -> None:
    (told,) = texts_of(Y_STRUCTURE, "Collider")
    assert told.text == (
        "A and B are d-separated. C is adjacent to both and was not conditioned on. "
        "If C were a cause of A or of B, the path through "
        "C would be open and the two would be dependent. So "
        "C is a cause of neither, and both edges have an arrowhead at C."
    )
    assert (told.path, told.given, told.title) == (("A", "C", "B"), (), "A *-> C <-* B")


def test_that_rule_one_says_its_premises_as_they_stand() -> None:
    (told,) = texts_of(Y_STRUCTURE, "R1")
    assert told.text == (
        "R1: The graph has A o-> C and C o-o D, and A and D are not adjacent. With an arrowhead at C on its "
        "edge with D, C would be a collider, and the collider step would have found it. So C has a tail "
        "there: it is a cause of D. C o-o D becomes C --> D."
    )
    assert (told.path, told.pairs) == (("A", "C", "D"), (("C", "D"),))


def test_that_a_discriminating_path_says_what_decides_it() -> None:
    collider = LatentDag("DABC", [("D", "A"), ("A", "C")], [Latent("L", 2, ("A", "B")), Latent("M", 2, ("B", "C"))])
    told = texts_of(collider, "R4")[-1]
    assert told.path == ("D", "A", "B", "C")
    assert "D and C are not adjacent, A is a collider on it and a cause of C" in told.text
    assert "separated by A (d-separated in the DAG), without B: B is a collider, so A <-> B <-> C" in told.text
    arrow = LatentDag("DABC", [("D", "A"), ("A", "C"), ("B", "C")], [Latent("L", 2, ("A", "B"))])
    told = texts_of(arrow, "R4")[-1]
    assert "separated by A and B (d-separated in the DAG), which contains B: B is not a collider" in told.text
    assert told.text.endswith("B o-> C becomes B --> C.")


@pytest.mark.parametrize("method", [name for name, learner in LEARNERS.items() if learner.takes_oracle])
def test_that_every_step_names_its_variables_its_set_and_its_rule(method: str) -> None:
    kinds = set()
    for dag in [*chosen_dags(), *random_dags(0, 60)]:
        replay = Replay(learn_pag(DSeparationOracle(dag), PagOptions(method=method)))
        for event, told in zip(replay.events, steps(replay)):
            kinds.add(told.kind)
            assert_names_all(event, told)
    assert {"R1", "R2", "R3", "R4", "R8", "R9", "R10", "Collider", "Edge removed"} <= kinds


@pytest.mark.parametrize("method", list(LEARNERS))
def test_that_every_step_on_data_names_its_variables_and_its_test(method: str) -> None:
    data = sample(load_example("alarm"), 500, rng=np.random.default_rng(1), hide=["INTUBATION"]).dataset
    replay = Replay(learn_pag(data, PagOptions(method=method)))
    for event, told in zip(replay.events, steps(replay, is_exact=False)):
        assert_names_all(event, told)
        if isinstance(event, EdgeRemoved):
            assert p_text(event.p_value) in told.text
        if isinstance(event, ScoreStep):
            assert " nats" in told.text
        if isinstance(event, MarkChanged) and event.rule == "R4":
            assert told.given is not None
            assert told.p_value is not None


def assert_names_all(event: object, told: StepText) -> None:
    match event:
        case EdgeRemoved(x, y, given):
            names: tuple[str, ...] = (x, y, *given)
        case ColliderOriented(a, b, c, given) if not event.is_by_score and event.n_sets is None:
            names = (a, b, c, *(given or ()))
        case ColliderOriented(a, b, c) | TripleAmbiguous(a, b, c):
            names = (a, b, c)
        case MarkChanged(rule, before, after, path):
            assert told.text.startswith(f"{rule}: ")
            assert told.text.endswith(f"{before} becomes {after}.")
            names = path
        case ScoreStep(_, x, y):
            names = (x, y)
        case _:
            assert told.text
            return
    assert all(name in told.text for name in names), told.text
    assert told.path


def test_that_the_end_is_summed_up() -> None:
    replay = Replay(learn_pag(DSeparationOracle(Y_STRUCTURE)))
    assert steps(replay)[-1].text.startswith(
        "No rule applies any more: this is the PAG. 3 edges, 2 ends are left open,"
    )


def test_that_what_the_conservative_and_the_majority_learner_counted_is_said() -> None:
    events = [
        ColliderOriented("A", "B", "C", ("D",), 0, 1),
        ColliderOriented("A", "B", "C", ("D",), 0, 3),
        ColliderOriented("A", "B", "C", ("B",), 1, 3),
        TripleAmbiguous("A", "B", "C", 2, 4),
        TripleAmbiguous("A", "B", "C", 0, 0),
    ]
    said = [tell_step(Replay(events, "ABCD"), step).text for step in range(len(events))]
    assert said[0].startswith("B is adjacent to A and C, and is not in the only set that separates them.")
    assert "in none of the 3 sets that separate them." in said[1]
    assert "in only 1 of the 3 sets that separate them, fewer than half." in said[2]
    assert said[3].startswith("B is in 2 of the 4 sets that separate A and C. The tests contradict each other")
    assert "could not all be listed" in said[4]


def test_that_a_collider_of_the_scored_graph_says_so() -> None:
    for given in (None, ("B",)):
        told = tell_step(Replay([ColliderOriented("A", "B", "C", given)], "ABC"), 0)
        assert told.text.startswith("The scored graph has A --> B <-- C")


def test_that_knowledge_says_that_it_is_knowledge() -> None:
    known = Knowledge(forbidden_indirect=(("D", "C"),), required=(("A", "C"),))
    replay = Replay(learn_pag(DSeparationOracle(Y_STRUCTURE), knowledge=known))
    said = [told.text for told in steps(replay) if told.kind == "Knowledge"]
    assert said == [
        "By background knowledge, A is a cause of C. A o-o C becomes A --> C.",
        "By background knowledge, D is not a cause of C. D o-o C becomes D <-o C.",
    ]


def test_that_a_new_part_says_what_it_does() -> None:
    replay = Replay([PhaseStarted("skeleton", "Skeleton, given nothing: test every pair. One goes.")], "AB")
    told = tell_step(replay, 0)
    assert (told.kind, told.title) == ("New phase", "Skeleton, given nothing")
    assert told.text == "Skeleton, given nothing: test every pair. One goes."
    assert told.pairs == ()


def test_that_a_mark_of_a_rule_is_an_edge_as_it_is_drawn() -> None:
    change = MarkChanged("R8", Edge.parse("A o-> C"), Edge.parse("A --> C"), ("A", "B", "C"), "")
    replay = Replay(
        [
            MarkChanged("R1", Edge.parse("A o-o B"), Edge.parse("A --> B"), ("A", "B"), "so"),
            change,
        ],
        "ABC",
    )
    assert "The graph has A --> B and B o-o C" in tell_step(replay, 1).text
