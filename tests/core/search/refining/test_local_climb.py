"""The climb with posteriors held asks whether to stop often enough, whatever it has to look at."""

from __future__ import annotations

import numpy as np
import pytest

from latconf_core.data.sampling import sample
from latconf_core.families.discrete import DiscreteFamilies
from latconf_core.formats.examples import load_example
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.local_climb import MOVES_BETWEEN_CHECKPOINTS, Surroundings, climb_around
from latconf_core.search.refining.soft_model import SoftModel

MOST_OF_A_MOVE = 12  # families: a variable that joins takes the edges into its new siblings with it


def test_that_a_bounded_number_of_families_is_scored_between_two_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    data = sample(load_example("alarm"), 300, rng=np.random.default_rng(0), hide=["INTUBATION"]).dataset
    gaps = [0]  # families scored between one checkpoint and the next
    expected_score = DiscreteFamilies.expected_score

    def noted(families: DiscreteFamilies, child: int, parents: int, latents: list[SoftLatent]) -> float:
        gaps[-1] += 1
        return expected_score(families, child, parents, latents)

    fitting = Fitting(Scorer(data, VbemOptions(seed=1)), max_states=3, checkpoint=lambda: None)
    children = sum(1 << data.index[name] for name in ("VENTLUNG", "MINVOL", "PRESS", "SHUNT", "VENTALV"))
    everything = (1 << data.n_variables) - 1
    latent = fitting.start((0,) * data.n_variables, children, n_states=2, n_starts=2)
    model = SoftModel((0,) * data.n_variables, (latent,))
    monkeypatch.setattr(DiscreteFamilies, "expected_score", noted)
    climb_around(model, fitting.soft, Surroundings(everything, everything, 0), checkpoint=lambda: gaps.append(0))
    assert sum(gaps) > 100
    assert max(gaps) <= MOVES_BETWEEN_CHECKPOINTS * MOST_OF_A_MOVE
