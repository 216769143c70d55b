"""The search over orders with posteriors held: families counted together lead where those counted alone do."""

from __future__ import annotations

import numpy as np
import pytest
from support.hidden_causes import confounded_data

from latconf_core.families.objectives import JUDGING
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.reordering import reorder
from latconf_core.search.refining.soft_model import SoftModel
from latconf_core.search.refining.soft_scores import SoftScores


def test_that_counting_together_changes_no_order(monkeypatch: pytest.MonkeyPatch) -> None:
    data = confounded_data(2)
    reached = []
    for is_together in (True, False):
        if not is_together:
            monkeypatch.setattr(SoftScores, "plain_row", lambda *_: None)
        fitting = Fitting(Scorer(data, JUDGING.apply(VbemOptions(seed=1))), max_states=3, checkpoint=lambda: None)
        q = np.random.default_rng(0).dirichlet([1.0, 1.0], size=len(fitting.soft.weights))
        scored = reorder(fitting, SoftModel((0,) * data.n_variables, (SoftLatent(0b111, q),)))
        reached.append((scored.model.parents, scored.score))
    assert reached[0] == reached[1]
