"""Shares of edges and latents, counted by hand."""

from __future__ import annotations

import pytest
from support.builders import mixed

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.graph.marks import Mark
from latconf_core.stability.shares import count_latents, count_new_latents, count_pairs

NODES = tuple("ABCDE")


def dag(*latents: tuple[str, int]) -> LatentDag:
    named = [Latent(f"L{i}", states, tuple(children)) for i, (children, states) in enumerate(latents, 1)]
    return LatentDag(NODES, (), named)


def test_that_every_kind_of_edge_is_counted_from_the_first_to_the_second() -> None:
    graphs = [mixed(*edges, nodes="ABC") for edges in (["A o-> B"], ["B <-o A", "C --> B"], ["A --> B"], [])]
    here = mixed("B <-o A", "A o-o C", nodes="ABC")
    first, second, third = count_pairs([tuple(graph.edges()) for graph in graphs], "ABC", also=tuple(here.edges()))
    assert (first.a, first.b, dict(first.counts), first.here) == ("A", "B", {"o->": 2, "-->": 1}, "o->")
    assert (first.joined, first.absent, first.share("o->"), first.n_same) == (0.75, 0.25, 0.5, 2)
    assert first.mark_share("A", Mark.CIRCLE) == pytest.approx(2 / 3)
    assert first.mark_share("B", Mark.ARROW) == 1.0
    assert (second.a, second.b, dict(second.counts), second.here, second.absent) == ("A", "C", {}, "o-o", 1.0)
    assert (third.a, third.b, dict(third.counts), third.here, third.n_same) == ("B", "C", {"<--": 1}, None, 3)


def test_that_a_latent_comes_back_exactly_or_with_half_of_the_children_in_common() -> None:
    samples = [dag(("ABC", 2)), dag(("AB", 2)), dag(("ABCD", 3)), dag(("AD", 2)), dag()]
    (share,) = count_latents(dag(("ABC", 2)), samples)
    assert (share.n_samples, share.n_exact, share.n_half) == (5, 1, 3)  # A of A, B, C and D is a quarter
    assert share.mean_overlap == pytest.approx((1 + 2 / 3 + 3 / 4) / 3)
    assert dict(share.n_with_child) == {"A": 3, "B": 3, "C": 2}
    assert dict(share.states) == {2: 2, 3: 1}
    assert (share.exact, share.half) == (0.2, 0.6)


def test_that_two_children_in_common_of_many_are_not_half_and_exactly_half_is() -> None:
    (share,) = count_latents(dag(("ABCDE", 2)), [dag(("AB", 2)), dag(("ABCD", 2))])
    assert (share.n_exact, share.n_half) == (0, 1)  # 2 of 5, 4 of 5
    (share,) = count_latents(dag(("ABC", 2)), [dag(("BCD", 2)), dag(("CDE", 2))])
    assert (share.n_half, share.mean_overlap) == (1, 0.5)  # 2 of 4, 1 of 5


def test_that_one_latent_of_a_sample_stands_for_one_of_the_model_only() -> None:
    first, second = count_latents(dag(("ABC", 2), ("BCD", 2)), [dag(("ABCD", 2)), dag(("BCD", 2))])
    assert (first.children, first.n_half) == (tuple("ABC"), 1)
    assert (second.children, second.n_half, second.n_exact) == (tuple("BCD"), 1, 1)


def test_that_latents_of_samples_alone_are_told_by_their_children_the_most_frequent_first() -> None:
    samples = [dag(("AB", 2)), dag(("AB", 3)), dag(("DE", 2)), dag(("ABC", 2))]
    latents = count_new_latents(samples, NODES, known=dag(("DE", 2)).latents)
    assert [(latent.name, latent.children, latent.n_exact, latent.n_half) for latent in latents] == [
        (None, ("A", "B"), 2, 3),
        (None, ("A", "B", "C"), 1, 3),
    ]
    assert count_new_latents([], NODES) == ()
