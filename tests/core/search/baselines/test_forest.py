"""Forests of CIL as candidates: one key, whatever way they were grown."""

from __future__ import annotations

from latconf_core.model.bit_dag import BitDag
from latconf_core.score.naming import to_bits, to_dag
from latconf_core.search.baselines.forest import Forest


def test_that_latents_below_latents_and_variables_are_written_at_both_ends() -> None:
    forest = Forest.without_edges(5).with_latent(0, 1).with_latent(2, 5).with_arc(3, 6).with_states(5, 3)
    dag = to_dag(forest.candidate, "ABCDE")
    lower, upper = dag.latents
    assert (lower.children, lower.parent, lower.n_states) == (("A", "B"), upper.name, 3)
    assert (upper.children, upper.parent) == (("C", lower.name), "D")
    assert forest.roots == [3, 4]
    assert [forest.place(5), forest.place(6)] == [0, 1]


def test_that_the_same_forest_grown_in_another_order_is_the_same_candidate() -> None:
    empty = Forest.without_edges(6)
    arc = empty.with_latent(0, 1).with_latent(2, 3).with_latent(6, 7).with_arc(8, 5)
    other = empty.with_latent(2, 3).with_latent(0, 1).with_latent(6, 7).with_arc(8, 5)
    assert arc.candidate == other.candidate
    assert to_bits(to_dag(arc.candidate, "ABCDEF")) == arc.candidate
    assert [arc.place(6), arc.place(7)] == [other.place(7), other.place(6)]


def test_that_an_arc_between_variables_is_an_edge() -> None:
    assert Forest.without_edges(3).with_arc(2, 0).candidate == BitDag((0b100, 0, 0))
