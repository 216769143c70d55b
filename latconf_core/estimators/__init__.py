"""Learning and searching as scikit-learn's estimators: fit, score, transform, get_params; a thin layer.

Knows every room below the command line. Must not import scikit-learn: what that asks of an estimator is duck-typed,
and its own types are used only where it is loaded already.
"""

from __future__ import annotations

from latconf_core.estimators.latent_finder import LatentFinder
from latconf_core.estimators.pag_learner import PagLearner

__all__ = ["LatentFinder", "PagLearner"]
