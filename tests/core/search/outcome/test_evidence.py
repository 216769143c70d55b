"""The two kinds of evidence for a latent, each against what can be said by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.builders import mixed
from support.search_runs import written

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.search.outcome.evidence import ScoresOf, best_without, latent_evidence, orientation_evidence


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

    assert best_without(dag, latent, each(score)) == 5.0
    assert len(asked) == len(set(asked)) == 25  # 3³ ways, two of them cycles
    assert all(not one.split("|")[1] for one in asked)


def test_that_four_children_are_joined_one_edge_at_a_time() -> None:
    latent = Latent("L", 2, ("A", "B", "C", "D"))
    wanted = {("A", "B"): 3.0, ("C", "D"): 2.0, ("B", "C"): 1.0}

    def score(rival: LatentDag) -> float:
        return sum(wanted.get(edge, -1.0) for edge in rival.edges)

    assert best_without(LatentDag("ABCD", [], [latent]), latent, each(score)) == 6.0


def test_that_other_latents_and_edges_stay() -> None:
    first, second = Latent("L1", 2, ("A", "B")), Latent("L2", 3, ("C", "D"))
    dag = LatentDag("ABCD", [("A", "C")], [first, second])

    def score(rival: LatentDag) -> float:
        assert ("A", "C") in rival.edges
        return float(len(rival.latents)) + 0.5 * (("A", "B") in rival.edges)

    evidence = latent_evidence(dag, mixed("A <-> B", "C o-> D"), p_elbo=10.0, scores=each(score))
    assert [one.latent for one in evidence] == [first, second]
    assert [one.density for one in evidence] == [8.5, 9.0]


def test_that_a_gain_under_three_nats_is_weak_and_none_is_not_judged() -> None:
    dag = LatentDag("AB", [], [Latent("L1", 2, ("A", "B"))])
    (weak,) = latent_evidence(dag, mixed("A <-> B"), p_elbo=2.9, scores=each(lambda rival: 0.0))
    (strong,) = latent_evidence(dag, mixed("A <-> B"), p_elbo=3.1, scores=each(lambda rival: 0.0))
    (silent,) = latent_evidence(dag, mixed("A <-> B"))
    assert (weak.is_weak, strong.is_weak, silent.is_weak) == (True, False, False)
    assert silent.density is None
