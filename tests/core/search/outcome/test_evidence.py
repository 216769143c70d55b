"""The two kinds of evidence for a latent, each against what can be said by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.builders import mixed
from support.search_runs import written

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.search.outcome.evidence import LatentEvidence, ScoresOf, orientation_evidence, replace_latents


def each(score: Callable[[LatentDag], float]) -> ScoresOf:
    return lambda dags: [score(dag) for dag in dags]


@pytest.mark.parametrize(
    ("edge", "verdict"),
    [
        ("A <-> B", "requires"),
        ("A o-> B", "allows"),
        ("A o-o B", "allows"),
        ("A --> B", "contradicts"),
        ("A <-- B", "contradicts"),
        ("C --> B", "contradicts"),
    ],
)
def test_that_the_pag_requires_allows_or_contradicts(edge: str, verdict: str) -> None:
    pag = mixed(edge, nodes=["A", "B", "C"])
    (pair,) = orientation_evidence(Latent("L", 2, ("A", "B")), pag)
    assert (pair.first, pair.second, pair.verdict) == ("A", "B", verdict)


def test_that_every_pair_of_three_children_is_judged() -> None:
    pag = mixed("A <-> B", "B o-> C")
    found = orientation_evidence(Latent("L", 2, ("A", "B", "C")), pag)
    assert [(one.first + one.second, one.verdict) for one in found] == [
        ("AB", "requires"),
        ("AC", "contradicts"),
        ("BC", "allows"),
    ]


def test_that_the_rival_joins_the_children_in_the_best_of_all_ways() -> None:
    latent = Latent("L", 2, ("A", "B", "C"))
    dag = LatentDag("ABCD", [("D", "A")], [latent])
    asked: list[str] = []

    def score(rival: LatentDag) -> float:
        asked.append(written(rival))
        return 5.0 if written(rival) == "D>A A>B C>B |" else -float(len(rival.edges))

    assert replace_latents(dag, each(score))[0] == 5.0
    assert len(set(asked)) == 25  # 3³ ways, two of them cycles
    assert all(not one.split("|")[1] for one in asked)


def test_that_four_children_are_joined_one_edge_at_a_time() -> None:
    latent = Latent("L", 2, ("A", "B", "C", "D"))
    wanted = {("A", "B"): 3.0, ("C", "D"): 2.0, ("B", "C"): 1.0}

    def score(rival: LatentDag) -> float:
        return sum(wanted.get(edge, -1.0) for edge in rival.edges)

    assert replace_latents(LatentDag("ABCD", [], [latent]), each(score))[0] == 6.0


def test_that_edges_outside_the_latents_stay() -> None:
    dag = LatentDag("ABCD", [("A", "C")], [Latent("L1", 2, ("A", "B")), Latent("L2", 3, ("C", "D"))])

    def score(rival: LatentDag) -> float:
        assert ("A", "C") in rival.edges
        return 0.5 * (("A", "B") in rival.edges)

    reached, rival = replace_latents(dag, each(score))
    assert (reached, rival.latents) == (0.5, ())


def judged(density: float | None, **known: float) -> LatentEvidence:
    latent = Latent("L1", 2, ("A", "B", "C"))
    return LatentEvidence(
        latent, orientation_evidence(latent, mixed("A <-> B", "A <-> C", "B <-> C")), density, **known
    )


def test_that_a_gain_under_three_nats_is_weak_and_none_is_not_judged() -> None:
    assert [judged(density).is_weak for density in (2.9, 3.1, None)] == [True, False, False]


def test_that_each_warning_is_given_where_it_holds_and_nowhere_else() -> None:
    assert judged(5.0, over_local=4.0, spread=1.0).warnings == ()
    assert judged(5.0, over_local=2.0, spread=1.0).warnings == ("merged states",)
    assert judged(5.0, over_local=4.0, spread=6.0).warnings == ("spread",)
    assert judged(-5.0, over_local=-6.0, spread=6.0).warnings == ()  # there is no gain to doubt
    pair = Latent("L1", 2, ("A", "B"))
    assert LatentEvidence(pair, orientation_evidence(pair, mixed("A --> B"))).warnings == ("two children", "PAG")
    assert LatentEvidence(pair, orientation_evidence(pair, mixed(nodes=["A", "B"]))).verdict is None
