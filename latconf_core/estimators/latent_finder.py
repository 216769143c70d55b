"""Finding hidden causes as an estimator, which scores rows and gives the posteriors of their hidden causes."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.estimators.given_tables import as_frame, check_same_columns
from latconf_core.estimators.pag_learner import Fitting
from latconf_core.estimators.parameters import InputError, refused_as_values, seed_of
from latconf_core.graph.mixed import MixedGraph, empty_graph
from latconf_core.inference.applying import Applied, apply_network
from latconf_core.inference.completing.learned_rows import learned_from_rows
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.options.learning import pag_preset
from latconf_core.options.searching import SearchOptions
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_search


class LatentFinder(Fitting):
    """Finds hidden common causes by one of the searches.

    algorithm : as of `latconf run --search`
    learner : learns the PAG that is searched; None for none, or GFCI where the search needs one
    knowledge, missing, intervals : as of PagLearner
    time_limit : in seconds, of the search
    random_state : the seed; None is 0, so that the same rows give the same model
    options : further fields of SearchOptions by name

    After `fit`: graph_ (a LatentDag), pag_, result_ (a SearchResult), network_ (a BayesNet), n_features_in_,
    feature_names_in_.
    """

    def __init__(
        self,
        algorithm: str = "auto",
        *,
        learner: str | None = None,
        knowledge: Knowledge | None = None,
        missing: str | None = "keep",
        intervals: int | None = None,
        time_limit: float | None = None,
        random_state: Any = None,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.algorithm = algorithm
        self.learner = learner
        self.knowledge = knowledge
        self.missing = missing
        self.intervals = intervals
        self.time_limit = time_limit
        self.random_state = random_state
        self.options = options

    def fit(self, X: Any, y: Any = None) -> Self:
        """Search the data of a frame or array of states; y is passed over."""
        dataset = self._take(X)
        with refused_as_values():
            known = NO_KNOWLEDGE if self.knowledge is None else self.knowledge
            needs_pag = self.algorithm in SEARCHES and SEARCHES[self.algorithm].needs_pag
            method = self.learner or ("gfci" if needs_pag else None)
            pag: MixedGraph = empty_graph(dataset.names)
            if method is not None:
                pag = learned_from_rows(dataset, pag_preset("default", method), knowledge=known).graph
            limit = {} if self.time_limit is None else {"time_limit": self.time_limit}
            asked = SearchOptions(**{**(self.options or {}), **limit, "seed": seed_of(self.random_state)})
            result: SearchResult = run_search(dataset, pag, self.algorithm, options=asked, knowledge=known)
            if result.best is None:
                raise InputError("the search was stopped before it scored a model; allow it more time")
            self.network_: BayesNet = result.network()
        self.pag_, self.result_ = pag, result
        self.graph_: LatentDag = result.best
        return self

    def score_samples(self, X: Any) -> FloatArray:
        """The log-likelihood of each row, in nats; what a row lacks is summed out."""
        return self._apply(X).log_likelihoods

    def score(self, X: Any, y: Any = None) -> float:
        """The mean log-likelihood of a row, in nats; higher is better."""
        return self._apply(X).per_row

    def transform(self, X: Any) -> FloatArray:
        """Of each row the probability of every state of every hidden cause; no columns where there is none."""
        applied = self._apply(X)
        shares = [applied.posterior(latent.name) for latent in self.graph_.latents]
        return np.hstack(shares) if shares else np.empty((len(applied.log_likelihoods), 0))

    def fit_transform(self, X: Any, y: Any = None) -> FloatArray:
        """`fit`, then the posteriors of the same rows."""
        return self.fit(X, y).transform(X)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The columns of `transform`: "L1=0" is the first state of the hidden cause L1."""
        self._check_fitted()
        names = [
            f"{latent.name}={state}" for latent in self.graph_.latents for state in self.network_.states(latent.name)
        ]
        return np.array(names, dtype=object)

    def _apply(self, table: Any) -> Applied:
        self._check_fitted()
        frame, names = as_frame(table)
        check_same_columns(self, frame, names)
        if names is None and hasattr(self, "feature_names_in_"):
            frame = frame.set_axis(list(self.feature_names_in_), axis=1)
        elif names is not None and not hasattr(self, "feature_names_in_"):
            frame = frame.set_axis([f"x{k}" for k in range(frame.shape[1])], axis=1)
        with refused_as_values():
            return apply_network(self.network_, frame)
