from __future__ import annotations

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.score.naming import to_bits
from latconf_core.search.outcome.history import History
from latconf_core.search.outcome.states_curve import StatesPoint, states_curve

DAG = LatentDag("ABC", [("A", "C")], [Latent("L1", 3, ("A", "B")), Latent("L2", 2, ("B", "C"))])


def states_of(dag: LatentDag) -> float:
    return -float(sum(10**i * latent.n_states for i, latent in enumerate(dag.latents)))


def test_that_the_curve_goes_from_two_to_one_above_and_changes_that_latent_alone() -> None:
    assert states_curve(DAG, "L1", states_of) == tuple(StatesPoint(n, -(n + 20.0)) for n in (2, 3, 4))
    assert states_curve(DAG, "L2", states_of) == tuple(StatesPoint(n, -(3 + 10.0 * n)) for n in (2, 3))


def test_that_it_ends_at_the_limit_but_not_below_the_latent() -> None:
    assert [point.n_states for point in states_curve(DAG, "L1", states_of, most=3)] == [2, 3]
    assert [point.n_states for point in states_curve(DAG, "L1", states_of, most=2)] == [2, 3]


def test_that_what_the_search_tried_is_not_scored_again() -> None:
    history = History(DAG.nodes)
    history.add(to_bits(DAG.with_states("L1", 4)), -1.25, level=2, kind="states")
    other = LatentDag("ABC", [], DAG.latents).with_states("L1", 2)
    history.add(to_bits(other), -99.0, level=2, kind="states")
    scored = []

    def score(dag: LatentDag) -> float:
        scored.append(dag.latents[0].n_states)
        return states_of(dag)

    curve = states_curve(DAG, "L1", score, history=history)
    assert [point.p_elbo for point in curve] == [-22, -23, -1.25]
    assert scored == [2, 3]
