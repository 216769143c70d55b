"""Sets of variables whose dependences are too weak for edges."""

from __future__ import annotations

import numpy as np

from latconf_core.data.dataset import Dataset
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.search.refining.soft_model import SoftModel
from latconf_core.search.refining.weak_links import MAX_CHILDREN, WeakLinks

APART = (0,) * 6


def weakly_linked(n_rows: int = 4000) -> Dataset:
    """Six variables, the first four with a hidden cause that shows in few rows."""
    rng = np.random.default_rng(3)
    hidden = rng.integers(3, size=n_rows)
    columns = [np.where(rng.random(n_rows) < 0.3, hidden, rng.integers(3, size=n_rows)) for _ in range(4)]
    columns += [rng.integers(3, size=n_rows) for _ in range(2)]
    return Dataset("ABCDEF", [["0", "1", "2"]] * 6, np.stack(columns, axis=1))


def ignore() -> None:
    """A checkpoint at which nobody stops."""


def test_that_a_stop_is_heard_before_every_test() -> None:
    looks = []
    WeakLinks(weakly_linked()).list_sets(SoftModel(APART), lambda: looks.append(1))
    assert len(looks) == 15  # pairs of six variables


def test_that_the_effects_of_a_weak_hidden_cause_are_the_first_set() -> None:
    assert WeakLinks(weakly_linked()).list_sets(SoftModel(APART), ignore)[0] == 0b1111


def test_that_sets_have_three_to_six_variables_and_come_once() -> None:
    sets = WeakLinks(weakly_linked()).list_sets(SoftModel(APART), ignore)
    assert len(set(sets)) == len(sets)
    assert all(3 <= latent.bit_count() <= MAX_CHILDREN for latent in sets)


def test_that_effects_of_a_latent_that_is_there_are_no_weak_links() -> None:
    q = np.full((4000, 2), 0.5)
    known = SoftModel(APART, (SoftLatent(0b1111, q),))
    assert 0b1111 not in WeakLinks(weakly_linked()).list_sets(known, ignore)


def test_that_two_variables_with_too_large_a_table_give_no_sets() -> None:
    n_states = 12_000
    codes = np.arange(n_states)[:, None].repeat(2, axis=1)
    data = Dataset("AB", [[str(k) for k in range(n_states)]] * 2, codes)
    assert WeakLinks(data).list_sets(SoftModel((0, 0)), ignore) == []
