from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Sequence
from itertools import count, islice, pairwise
from math import comb, factorial

import numpy as np
import pytest
from support.ancestral_truth import markov_classes, pag_by_intersection, random_latent_dag, random_marks, skeletons
from support.builders import mixed

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.errors import GraphError
from latconf_core.graph.bits import BitGraph, topological_order
from latconf_core.graph.mixed import MixedGraph
from latconf_core.mag import chordal as chordal_module
from latconf_core.mag import listing as listing_module
from latconf_core.mag import walk as walk_module
from latconf_core.mag.listing import MagListing, count_level, enumerate_mags, invariant_bidirected, mags_at_level
from latconf_core.mag.lowest_level import LowestLevel
from latconf_core.mag.mark_changes import is_legitimate
from latconf_core.mag.validity import are_equivalent, is_mag
from latconf_core.pag.validity import pag_of_mag

PAG_MARKS = [(1, 1), (1, 1), (1, 1), (1, 2), (2, 1), (1, 2), (2, 1), (2, 3), (3, 2), (2, 2)]


def levels(pag: MixedGraph) -> dict[int, int]:
    return dict(Counter(mag.n_bidirected for mag in enumerate_mags(pag)))


def check_classes(classes: list[list[MixedGraph]]) -> None:
    """Listing gives each class exactly, level by level, whether or not the PAG is known to be valid."""
    for mags in classes:
        pag = pag_by_intersection(mags)
        found = list(enumerate_mags(pag))
        assert found == list(enumerate_mags(pag, is_valid=True))
        assert len(found) == len(mags)
        assert {mag.to_graph() for mag in found} == set(mags)
        sizes = [mag.n_bidirected for mag in found]
        assert sizes == sorted(sizes)
        assert sizes[0] == invariant_bidirected(pag)
        for level, size in Counter(sizes).items():
            assert count_level(pag, level) == size


def test_that_whole_classes_on_five_nodes_are_listed_exactly() -> None:
    shapes = [pairs for pairs in skeletons(5) if len(pairs) in (5, 6)]
    rng = np.random.default_rng(1)
    for shape in rng.choice(len(shapes), size=4, replace=False):
        check_classes(markov_classes("ABCDE", shapes[shape]))


@pytest.mark.exhaustive
def test_that_all_756_classes_on_five_nodes_are_listed_exactly() -> None:
    n_classes = 0
    for pairs in skeletons(5):
        classes = markov_classes("ABCDE", pairs)
        check_classes(classes)
        n_classes += len(classes)
    assert n_classes == 756


@pytest.mark.parametrize(
    ("pag", "expected"),
    [
        (mixed("A o-o B", "B o-o C"), {0: 3, 1: 2}),  # chain
        (mixed("A o-> B", "C o-> B"), {0: 1, 1: 2, 2: 1}),  # collider
        (
            mixed("A o-o B", "A o-o C", "B o-o C"),
            {0: 6, 1: 6, 2: 6, 3: 1},
        ),  # instrument, front-door, one latent of three
        (mixed("D o-> A", "A <-> B", "A --> C", "B <-> C"), {2: 1, 3: 1}),  # discriminating path, collider
        (mixed("D o-> A", "A <-o B", "A --> C", "B --> C"), {0: 1, 1: 2, 2: 1}),  # discriminating path, not collider
    ],
)
def test_that_textbook_classes_have_the_published_size(pag: MixedGraph, expected: dict[int, int]) -> None:
    assert levels(pag) == expected


def test_that_a_mag_is_listed_whose_changes_are_legitimate_in_one_order_only() -> None:
    # Listers that change marks in a fixed order find 18 of the 20.
    pag = mixed("b o-o c", "a o-> d", "b o-> d", "c o-> d")
    found = {mag.to_graph() for mag in enumerate_mags(pag)}
    assert len(found) == 20
    assert mixed("a --> d", "b --> c", "b <-> d", "c <-> d") in found


def test_that_larger_classes_hold_equivalent_mags_only_without_duplicates() -> None:
    rng = np.random.default_rng(2)
    for _ in range(5):
        mag = mag_of_dag(random_latent_dag(rng, 9, 2, 0.25))
        found = list(islice(enumerate_mags(pag_of_mag(mag), is_valid=True), 400))
        assert len(set(found)) == len(found)
        for one in found:
            assert is_mag(one)
            assert are_equivalent(one, mag)


def test_that_a_mag_lists_itself() -> None:
    mag = mixed("A --> C", "C <-> D", "B --> D")
    assert [enumerate_mag.to_graph() for enumerate_mag in enumerate_mags(mag)] == [mag]


def reachable(pag: MixedGraph) -> set[BitGraph]:
    """All graphs that legitimate changes of circles reach from the roots, found with a set of those seen."""
    roots = LowestLevel(pag)
    seen = set(roots)
    todo = list(seen)
    while todo:
        graph = todo.pop()
        for a, b in roots.variable:
            parents, children, spouses = list(graph.parents), list(graph.children), list(graph.spouses)
            if children[a] >> b & 1 and is_legitimate(parents, children, spouses, roots.near, a, b):
                children[a] ^= 1 << b
                parents[b] ^= 1 << a
                spouses[a] |= 1 << b
                spouses[b] |= 1 << a
                changed = BitGraph(graph.nodes, parents, children, spouses)
                if changed not in seen:
                    seen.add(changed)
                    todo.append(changed)
    return seen


def test_that_a_graph_that_is_no_pag_is_listed_as_given_without_loss_or_duplicate() -> None:
    rng = np.random.default_rng(3)
    n_listed = n_not_mags = 0
    for _ in range(300):
        graph = random_marks(rng, int(rng.integers(3, 6)), float(rng.uniform(0.4, 0.9)), PAG_MARKS)
        mags = list(enumerate_mags(graph))
        assert len(set(mags)) == len(mags)
        assert set(mags) == reachable(graph)
        for one in mags:
            given, listed = graph.marks, one.to_graph().marks
            assert np.all((given == 0) == (listed == 0))
            assert np.all((given == listed) | (given <= 1))
            assert topological_order(one.parents) is not None
        n_listed += len(mags)
        n_not_mags += sum(not is_mag(one) for one in mags)
        for level in {one.n_bidirected for one in mags}:
            assert count_level(graph, level) == sum(one.n_bidirected == level for one in mags)
    assert n_listed > 1000
    assert n_not_mags > 100


def test_that_a_circle_cycle_without_chord_gets_one_orientation() -> None:
    square = mixed("A o-o B", "B o-o C", "C o-o D", "A o-o D")
    found = [mag.to_graph() for mag in mags_at_level(square, 0)]
    assert found == [mixed("A --> B", "B --> C", "A --> D", "C --> D")]


def test_that_a_graph_with_a_directed_cycle_has_nothing_to_list() -> None:
    cycle = mixed("A --> B", "B --> C", "C --> A", "C o-o D")
    assert list(enumerate_mags(cycle)) == []
    assert count_level(cycle, 0) == 0


def test_that_selection_bias_is_refused() -> None:
    with pytest.raises(GraphError, match="A --- B implies selection bias"):
        next(enumerate_mags(mixed("A --- B")))


def test_that_levels_outside_the_class_are_empty() -> None:
    pag = mixed("A <-> B", "A <-o C", "B <-o D")
    assert list(mags_at_level(pag, 0)) == []
    assert list(mags_at_level(pag, 9)) == []


def test_that_max_bidirected_bounds_the_list() -> None:
    pag = mixed("A o-> B", "C o-> B")
    assert [mag.n_bidirected for mag in enumerate_mags(pag, max_bidirected=1)] == [0, 1, 1]


def clique(n_nodes: int) -> MixedGraph:
    names = [f"N{i:02}" for i in range(n_nodes)]
    return mixed(*(f"{a} o-o {b}" for i, b in enumerate(names) for a in names[:i]))


def test_that_the_lowest_level_of_a_clique_is_counted_without_listing() -> None:
    assert count_level(clique(12), 0) == factorial(12)


def test_that_unconnected_parts_are_counted_apart() -> None:
    chains = [f"{a}{i:02} o-o {b}{i:02}" for i in range(12) for a, b in ("AB", "BC")]
    parts = mixed(*chains, "S --> T", "T <-> U")
    # Each chain has 3 MAGs without <-> and 2 with one: the coefficient of x^3 in (3 + 2x)^12, as no list could be.
    assert count_level(parts, 4, limit=10) == comb(12, 3) * 3**9 * 2**3
    assert count_level(parts, 0) == 0


def test_that_counts_of_unconnected_parts_are_those_of_the_list() -> None:
    rng = np.random.default_rng(4)
    for _ in range(60):
        graph = random_marks(rng, 6, 0.25, PAG_MARKS)
        sizes = Counter(mag.n_bidirected for mag in enumerate_mags(graph))
        lowest = invariant_bidirected(graph)
        for level in range(lowest + 4):
            assert count_level(graph, level) == sizes[level]


def test_that_a_count_above_its_limit_is_none() -> None:
    assert count_level(clique(5), 1, limit=239) is None
    assert count_level(clique(5), 1, limit=240) == 240


def test_that_levels_come_out_the_same_when_too_many_to_keep(monkeypatch: pytest.MonkeyPatch) -> None:
    pag = clique(4)
    expected = list(enumerate_mags(pag))
    monkeypatch.setattr(listing_module, "MAX_KEPT", 30)
    assert list(enumerate_mags(pag)) == expected


def test_that_levels_made_at_once_hold_what_a_walk_meets_in_its_order(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(12)
    graphs = [random_marks(rng, n_nodes, 2.2 / n_nodes, PAG_MARKS) for n_nodes in (5, 6, 7, 12, 70) for _ in range(5)]
    graphs += [clique(4), band(40, 2)]  # with more circles than a number has bits
    monkeypatch.setattr(listing_module, "MIN_OPEN_MARKS", 0)
    made = [list(islice(enumerate_mags(graph, max_bidirected=8), 800)) for graph in graphs]
    monkeypatch.setattr(listing_module, "MAX_KEPT", 0)
    assert made == [list(islice(enumerate_mags(graph, max_bidirected=8), 800)) for graph in graphs]
    assert sum(map(len, made)) > 3_000


def test_that_levels_come_out_the_same_when_too_many_ways_back_to_remember(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    graphs = [random_marks(rng, 5, 0.6, PAG_MARKS) for _ in range(40)]
    expected = [list(enumerate_mags(graph)) for graph in graphs]
    assert max(map(len, expected)) > 20
    monkeypatch.setattr(listing_module, "MAX_KEPT", 0)
    monkeypatch.setattr(walk_module, "MAX_REMEMBERED", 0)
    assert [list(enumerate_mags(graph)) for graph in graphs] == expected


def test_that_each_listed_graph_is_said_to_be_a_mag_or_not() -> None:
    rng = np.random.default_rng(9)
    said: list[bool] = []
    for _ in range(60):
        listing = MagListing(random_marks(rng, 6, 0.5, PAG_MARKS))
        for level in range(listing.n_invariant, listing.n_invariant + 3):
            found = list(islice(listing.level_with_validity(level), 40))
            assert [is_mag(graph) for graph, _ in found] == [claim for _, claim in found]
            said += [claim for _, claim in found]
    assert any(said)
    assert not all(said)


def test_that_a_level_given_up_half_way_starts_again_from_its_beginning() -> None:
    listing = MagListing(clique(4))
    first = list(islice(listing.level(1), 5))
    assert list(listing.level(1))[:5] == first
    assert list(listing.level(2)) == list(mags_at_level(clique(4), 2))


def test_that_listing_holds_no_mags_in_memory() -> None:
    names = [f"N{i:02}" for i in range(30)]
    zigzag = mixed(*(f"{a} {'o->' if i % 2 else '<-o'} {b}" for i, (a, b) in enumerate(pairwise(names))))
    mags = mags_at_level(zigzag, 3, is_valid=True)
    next(mags)
    tracemalloc.start()
    n_listed = sum(1 for _ in mags)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert n_listed == 3_275
    # What is kept for the next level: one short tuple each, where a MAG takes 40 times that.
    assert peak / n_listed < 200


def test_that_a_stop_request_ends_the_listing() -> None:
    asked = iter(range(10_000))
    control = RunControl(lambda: next(asked) > 3)
    with pytest.raises(StopRequested):
        for _ in enumerate_mags(clique(7), control=control):
            pass


def test_that_a_stop_request_is_heard_where_cyclic_graphs_are_left_out() -> None:
    triples = [(f"A{k}", f"B{k}", f"C{k}") for k in range(8)]
    edges = [edge for a, b, c in triples for edge in (f"{a} o-o {b}", f"{b} --> {c}", f"{c} --> {a}")]
    pag = mixed(*edges)
    assert len(list(mags_at_level(pag, 0))) == 1  # of 256
    with pytest.raises(StopRequested):
        list(mags_at_level(pag, 0, control=RunControl(lambda: True)))


def band(n_nodes: int, width: int) -> MixedGraph:
    """A chordal graph of circles: each node is joined to the `width` nodes before it."""
    names = [f"V{i:03}" for i in range(n_nodes)]
    return mixed(*(f"{names[i]} o-o {names[j]}" for j in range(n_nodes) for i in range(max(0, j - width), j)))


def test_that_counting_asks_whether_to_stop_before_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[str] = []
    split = chordal_module._split

    def noted_split(links: Sequence[int], component: int, source: int) -> chordal_module.Split:
        log.append("split")
        return split(links, component, source)

    monkeypatch.setattr(chordal_module, "_split", noted_split)
    listing = MagListing(band(60, 4), control=RunControl(lambda: bool(log.append("asked"))), is_valid=True)
    assert "asked" in log  # while it is found to be chordal
    log.clear()
    assert listing.count(0)
    assert log.count("split") > 100
    assert ("split", "split") not in pairwise(log)


def test_that_counting_and_making_ready_to_count_end_at_the_time_limit() -> None:
    pag = band(120, 6)
    for limit in (50, 500, 2000):  # a clock that goes on by a second whenever it is read
        control = RunControl(time_limit=limit, clock=count().__next__)
        with pytest.raises(StopRequested) as stopped:
            count_level(pag, 0, control=control, is_valid=True)
        assert stopped.value.reason is StopReason.TIME_LIMIT


def test_that_a_stop_request_is_heard_where_no_mag_of_the_level_below_leads_any_further() -> None:
    n_asked = 0

    def ask() -> bool:
        nonlocal n_asked
        n_asked += 1
        return False

    listing = MagListing(band(30, 1), control=RunControl(ask), is_valid=True)
    assert [listing.count(0), listing.count(1)] == [30, 29]
    n_asked = 0
    assert listing.count(2) == 0
    assert n_asked >= 29


def test_that_a_stop_request_is_heard_while_a_way_back_to_the_lowest_level_is_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log: list[str] = []
    leads_to_root = walk_module.Walk._leads_to_root

    def noted(walk: walk_module.Walk) -> bool:
        log.append("listed")
        return leads_to_root(walk)

    monkeypatch.setattr(walk_module.Walk, "_leads_to_root", noted)
    monkeypatch.setattr(listing_module, "MAX_KEPT", 0)
    list(enumerate_mags(clique(4), control=RunControl(lambda: bool(log.append("asked")))))
    assert ("listed", "listed") in pairwise(name for name in log if name == "listed")
    assert ("listed", "listed") not in pairwise(log)
