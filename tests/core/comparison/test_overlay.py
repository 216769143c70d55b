"""The overlay, the list of differences and its blocks: what both have, what one has, and where it counts."""

from __future__ import annotations

import numpy as np
import pytest
from support.builders import mixed

from latconf_core.comparison.compare import compare_pair
from latconf_core.comparison.overlay import lay_over
from latconf_core.comparison.parts import compare_parts, find_blocks
from latconf_core.comparison.subject import Subject
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer
from latconf_core.wording.comparison_sentences import describe_pair
from latconf_core.wording.difference_list import group_by_blocks, group_by_kinds, list_differences

A = Subject("first", LatentDag("ABCD", [("A", "B"), ("C", "D")], [Latent("L1", 2, ("B", "C"))]))
B = Subject("second", LatentDag("ABCD", [("A", "B"), ("D", "C")], [Latent("L1", 3, ("A", "B", "C"))]))


@pytest.fixture(scope="module")
def data() -> Dataset:
    codes = np.random.default_rng(0).integers(2, size=(200, 4))
    return Dataset("ABCD", [("no", "yes")] * 4, codes)


def test_that_matched_latents_are_one_node_with_both_numbers_of_states() -> None:
    overlay = lay_over(A, B)
    (latent,) = overlay.latents
    assert (latent.name, latent.states) == ("L1", "2 → 3")
    assert {(difference.kind, difference.nodes) for difference in overlay.differences} == {
        ("other marks", ("C", "D")),
        ("only in B", ("A", "L1")),
    }
    assert {str(edge) for edge in overlay.common} == {"A --> B", "B <-- L1", "C <-- L1"}


def test_that_latents_that_share_no_child_get_names_of_their_own() -> None:
    other = Subject("other", LatentDag("ABCD", [], [Latent("L1", 2, ("A", "D"))]))
    first = Subject("one", LatentDag("ABCD", [], [Latent("L1", 2, ("B", "C"))]))
    assert [latent.name for latent in lay_over(first, other).latents] == ["L1", "L1 (B)"]


def test_that_a_dag_and_a_pag_are_laid_over_each_other_without_latents() -> None:
    pag = Subject("PAG", mixed("A o-> B", "B <-> C", "C o-o D", nodes=list("ABCD")))
    overlay = lay_over(A, pag)
    assert not overlay.latents
    assert not overlay.is_dag
    assert all(set(difference.nodes) <= set("ABCD") for difference in overlay.differences)


def test_that_blocks_are_known_before_anything_is_scored(data: Dataset) -> None:
    assert A.dag is not None
    assert B.dag is not None
    scored = compare_parts(A.dag, B.dag, Scorer(data, VbemOptions(restarts=1)))
    assert sorted(find_blocks(A.dag, B.dag, data)) == sorted(one.variables for one in scored)


def test_that_every_difference_stands_in_a_block(data: Dataset) -> None:
    assert A.dag is not None
    assert B.dag is not None
    differences = list_differences(lay_over(A, B))
    groups = group_by_blocks(differences, find_blocks(A.dag, B.dag, data))
    assert {difference for group in groups for difference in group.differences} == set(differences)
    assert {difference.text for difference in differences} == {
        "L1: latent over B, C: A only in B; 2 → 3 states",
        "C --> D in A, C <-- D in B",
    }


def test_that_graphs_without_a_score_are_grouped_by_kind() -> None:
    first, second = (
        Subject(name, mixed(*edges, nodes=list("ABC")))
        for name, edges in (
            ("one", ("A o-> B", "B o-o C")),
            ("two", ("A --> B", "A o-o C")),
        )
    )
    groups = group_by_kinds(list_differences(lay_over(first, second)))
    assert {group.title: [difference.text for difference in group.differences] for group in groups} == {
        "Other marks": ["A o-> B in A, A --> B in B"],
        "Only in B": ["only in B: A o-o C"],
        "Only in A": ["only in A: B o-o C"],
    }


def test_that_the_sentence_counts_what_the_overlay_shows_and_gives_nats(data: Dataset) -> None:
    pair = compare_pair(A, B, scorer=Scorer(data, VbemOptions(restarts=1)))
    said = describe_pair(pair)
    assert "They differ in 1 edge and 1 latent." in said
    assert " nats " in said
    assert "second is " in said


def test_that_asking_for_mags_leaves_the_latents_out() -> None:
    pair = compare_pair(A, B, view="MAG")
    assert pair.latents == ()
    assert len(pair.edges) == pair.metrics.shd
