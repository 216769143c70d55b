"""A latent that begins anew in other surroundings: what is drawn, and what comes of it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from support.hidden_causes import confounded_data

from latconf_core.data.dataset import Dataset
from latconf_core.graph.bits import bits
from latconf_core.model.bit_dag import Hidden
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.renewal import MOST_DRAWN, draw_children, redraw, renew, turn_covered
from latconf_core.search.refining.soft_model import Scored, SoftModel, is_acyclic

CHILDREN = 0b1111  # A, B, C and D of the data below
CHAIN = (0, 0b1, 0b10, 0b100, 0b1, 0b10)  # A --> B --> C --> D, A --> E, B --> F


def make_fitting(seed: int = 0) -> Fitting:
    return Fitting(Scorer(confounded_data(seed), VbemOptions(seed=1)), max_states=3, checkpoint=lambda: None)


def begin(fitting: Fitting, parents: tuple[int, ...] = CHAIN) -> Scored:
    latent = fitting.start(parents, CHILDREN, n_states=2, n_starts=1)
    return fitting.refit(SoftModel(parents, (latent,)))


def test_that_drawn_edges_are_edges_of_the_model_and_close_no_cycle() -> None:
    near = SoftModel(CHAIN).adjacent()
    drawn = {redraw(SoftModel(CHAIN), 0b110, np.random.default_rng(seed)) for seed in range(50)}
    assert len(drawn) > 10
    for parents in drawn:
        assert is_acyclic(parents, range(len(parents)))
        assert all(not mask & ~near[v] for v, mask in enumerate(parents))
        assert all(parents[v].bit_count() <= MOST_DRAWN for v in (1, 2))


def test_that_edges_elsewhere_stay_as_they_are() -> None:
    for seed in range(20):
        parents = redraw(SoftModel(CHAIN), 0b1000, np.random.default_rng(seed))  # around D: C --> D alone
        assert [parents[v] for v in (0, 1, 4, 5)] == [CHAIN[v] for v in (0, 1, 4, 5)]


@pytest.mark.parametrize("seed", range(3))
def test_that_a_latent_begun_anew_is_never_below_what_it_was(seed: int) -> None:
    fitting = make_fitting(seed)
    present = begin(fitting)
    assert renew(fitting, present, 0, n_trials=0) is present
    renewed = renew(fitting, present, 0, n_trials=6)
    assert renewed.score > present.score  # the chain among the children is not in the truth
    assert renewed.score == pytest.approx(renewed.model.bound(fitting.soft), abs=0.5)


def test_that_it_begins_in_the_same_way_each_time() -> None:
    first, second = make_fitting(), make_fitting()
    scored, other = renew(first, begin(first), 0, n_trials=4), renew(second, begin(second), 0, n_trials=4)
    assert scored.score == other.score
    assert scored.model.parents == other.model.parents
    assert [latent.children for latent in scored.model.latents] == [latent.children for latent in other.model.latents]


def colliders(parents: tuple[int, ...]) -> set[tuple[int, int, int]]:
    """Pairs of parents of a variable that are not adjacent: with the skeleton they fix the class (Verma & Pearl)."""
    near = SoftModel(parents).adjacent()
    return {(a, v, b) for v, mask in enumerate(parents) for a, b in combinations(bits(mask), 2) if not near[a] >> b & 1}


def random_parents(rng: np.random.Generator, n_variables: int = 7) -> tuple[int, ...]:
    """A random DAG along the places of the variables."""
    return tuple(sum(1 << a for a in range(v) if rng.random() < 0.4) for v in range(n_variables))


def test_that_turning_covered_edges_keeps_skeleton_and_colliders() -> None:
    n_others = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        parents = random_parents(rng)
        turned = turn_covered(SoftModel(parents), rng)
        assert is_acyclic(turned, range(len(turned)))
        assert SoftModel(turned).adjacent() == SoftModel(parents).adjacent()
        assert colliders(turned) == colliders(parents)
        n_others += turned != parents
    assert n_others > 30


def test_that_every_dag_of_a_chain_is_drawn() -> None:
    chain = (0, 0b1, 0b10, 0b100)
    drawn = {turn_covered(SoftModel(chain), np.random.default_rng(seed)) for seed in range(100)}
    assert len(drawn) == 4  # one per root


def test_that_an_edge_into_a_child_of_a_latent_is_turned_only_where_both_ends_are_its_children() -> None:
    q = np.full((1, 2), 0.5)
    soft_model = SoftModel((0, 0b1), (SoftLatent(0b110, q),))  # A --> B, B below a latent
    assert {turn_covered(soft_model, np.random.default_rng(seed)) for seed in range(10)} == {(0, 0b1)}
    both = SoftModel((0, 0b1), (SoftLatent(0b11, q),))
    assert {turn_covered(both, np.random.default_rng(seed)) for seed in range(10)} == {(0, 0b1), (0b10, 0)}


def test_that_drawn_children_differ_by_one_neighbour_at_most() -> None:
    model = SoftModel(CHAIN)
    drawn = {draw_children(model, 0b110, np.random.default_rng(seed)) for seed in range(100)}
    assert drawn == {0b110, 0b111, 0b1110, 0b100110}  # two stay two; A, D and F are neighbours, E is not
    assert 0b11 in {draw_children(model, 0b111, np.random.default_rng(seed)) for seed in range(300)}


def test_that_moves_leave_an_optimum_in_which_a_few_starts_end() -> None:
    rng = np.random.default_rng(0)
    hidden = rng.choice(3, size=4000, p=[0.93, 0.04, 0.03])
    columns = [np.where(rng.random(4000) < 0.8, hidden, rng.integers(3, size=4000)) for _ in range(5)]
    data = Dataset("ABCDE", [["0", "1", "2"]] * 5, np.stack(columns, axis=1))
    scorer = Scorer(data, VbemOptions(seed=1))
    fitting = Fitting(scorer, max_states=3, checkpoint=lambda: None)
    best = fitting.fit_latents((0,) * 5, (Hidden(0b11111, 3),)).score  # the scorer's own fit, with all its starts
    ends = [
        fitting.refit(
            SoftModel((0,) * 5, (fitting.start((0,) * 5, 0b11111, n_states=3, n_starts=1, seed=seed, by_moves=True),))
        ).score
        for seed in range(8)
    ]
    assert min(ends) > best - 1.0


def test_that_children_that_may_not_change_stay() -> None:
    fitting = make_fitting()
    renewed = renew(fitting, begin(fitting), 0, n_trials=6, may_change=False)
    assert [latent.children for latent in renewed.model.latents] == [CHILDREN]
