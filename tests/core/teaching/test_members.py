from __future__ import annotations

from collections import Counter

import pytest
from support.ancestral_truth import markov_classes, pag_by_intersection, skeletons
from support.builders import mixed

from latconf_core.control import RunControl, StopRequested
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.graph.bits import BitGraph
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.mag.latents.minimum import minimum_latents
from latconf_core.teaching.members import LARGEST_BATCH, PagMembers, changes_sentence, count_sentence

ZIG_ZAG = mixed(*(f"N{i:02} {'o->' if i % 2 == 0 else '<-o'} N{i + 1:02}" for i in range(14)))
CLIQUE = mixed(*(f"{a} o-o {b}" for a in "ABCDE" for b in "ABCDE" if a < b))


def check_class(mags: list[MixedGraph]) -> None:
    """The members of the PAG of a whole class that was found by trying every graph."""
    members = PagMembers(pag_by_intersection(mags))
    batches = list(members.listed())
    numbers = [number for batch in batches for number in batch.members]
    assert Counter(map(members.mag, numbers)) == Counter(mags)
    last = batches[-1]
    assert (last.n_listed, last.is_last, last.is_cut) == (len(mags), True, False)
    for (node, other), n_arrows in zip(members.ends, last.arrows):
        assert n_arrows == sum(graph.mark_at(node, other) == Mark.ARROW for graph in mags)
    for batch in batches:
        for number in batch.members:
            assert BitGraph.from_graph(members.mag(number)).n_bidirected == batch.n_bidirected


def test_that_members_and_counts_are_those_of_every_class_on_four_nodes() -> None:
    n_classes = 0
    for pairs in skeletons(4):
        for mags in markov_classes("ABCD", pairs):
            check_class(mags)
            n_classes += 1
    assert n_classes > 20


def test_that_counts_are_those_of_the_first_members_where_the_listing_is_cut() -> None:
    members = PagMembers(CLIQUE)
    batches = list(members.listed(most=150))
    numbers = [number for batch in batches for number in batch.members]
    assert len(numbers) == 150
    assert (batches[-1].n_listed, batches[-1].is_last, batches[-1].is_cut) == (150, True, True)
    for k, n_arrows in enumerate(batches[-1].arrows):
        assert n_arrows == sum(number >> k & 1 for number in numbers)
    everything = [number for batch in members.listed() for number in batch.members]
    assert everything[:150] == numbers


def test_that_as_many_members_as_are_listed_at_most_are_not_said_to_be_cut() -> None:
    *_, last = PagMembers(mixed("A o-o B", "B o-o C")).listed(most=5)
    assert (last.n_listed, last.is_last, last.is_cut) == (5, True, False)


def test_that_levels_come_in_order_and_batches_stay_small() -> None:
    batches = list(PagMembers(ZIG_ZAG).listed())
    levels = [batch.n_bidirected for batch in batches]
    assert levels == sorted(levels)
    assert max(len(batch.members) for batch in batches) <= LARGEST_BATCH
    assert [batch.is_last for batch in batches] == [False] * (len(batches) - 1) + [True]


def test_that_listing_ends_at_the_next_checkpoint_once_it_is_cancelled() -> None:
    is_cancelled = False
    batches = PagMembers(CLIQUE).listed(control=RunControl(lambda: is_cancelled))
    next(batches)
    is_cancelled = True
    with pytest.raises(StopRequested):
        next(batches)


def test_that_the_dag_of_a_member_has_the_fewest_latents_and_its_mag() -> None:
    members = PagMembers(mixed("A o-> C", "B o-> C", "C --> D"))
    numbers = [number for batch in members.listed() for number in batch.members]
    assert len(numbers) == 4
    for number in numbers:
        dag, mag = members.dag(number), members.mag(number)
        assert mag_of_dag(dag) == mag
        assert len(dag.latents) == minimum_latents(mag).n_latents


def test_that_members_differ_by_the_edges_that_are_said() -> None:
    members = PagMembers(mixed("A o-> C", "B o-> C"))
    plain, *_ = (number for batch in members.listed() for number in batch.members)
    changed = members.changes(plain, plain | 1)
    assert changed == ((Edge.parse("A --> C"), Edge.parse("A <-> C")),)
    assert changes_sentence(changed) == "A --> C became A <-> C."
    assert members.changes(plain, plain) == ()
    assert changes_sentence(()) == "No differences."
    both = members.changes(plain, plain | 3)
    assert changes_sentence(both) == "A --> C became A <-> C and B --> C became B <-> C."
    assert [str(edge) for edge in members.decided(plain)] == ["A --> C", "B --> C"]


def test_that_a_pag_without_circles_has_one_member_which_is_itself() -> None:
    pag = mixed("A --> C", "D <-> C")
    members = PagMembers(pag)
    first, last = members.listed()
    assert [members.mag(number) for number in first.members] == [pag]
    assert (last.n_listed, last.members) == (1, ())


def test_that_counts_are_said_with_the_cap() -> None:
    assert count_sentence(14, 36, is_cut=False) == "arrowhead in 14 of 36, tail in 22"
    assert count_sentence(8412, 20_000, is_cut=True) == "arrowhead in 8,412 of the first 20,000, tail in 11,588"
