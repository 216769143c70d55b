"""Rows with the hidden variables filled in: every latent has its most probable state in every row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

import numpy as np
import numpy.typing as npt

from latconf_core.arrays import CodeArray, IntArray
from latconf_core.counts.families import counting_table, row_places_in
from latconf_core.families.family_model import FamilyModel
from latconf_core.graph.bits import bits
from latconf_core.model.bit_dag import BitDag
from latconf_core.model.component import Component, split_latents
from latconf_core.score.fit import Fit
from latconf_core.score.read_back import Fitted, data_codes, marginals
from latconf_core.score.scorer import Scorer

Column = npt.NDArray[np.integer]
FitOf = Callable[[Component], Fit]


class CompletedScores:
    """Scores of families on completed rows; those without latents are the scorer's own.

    What was counted with a column of a latent is remembered by the column itself, so that it serves every later
    completion in which that latent comes out the same.

    fit_of : gives the fit of a component
    """

    def __init__(self, scorer: Scorer, fit_of: FitOf) -> None:
        self._scorer = scorer
        self._fit_of = fit_of
        self._n_observed = scorer.dataset.n_variables
        self._table = counting_table(scorer.dataset, control=scorer.control)
        self._found: dict[tuple[int, int, tuple[bytes, ...]], float] = {}
        self._completions: dict[BitDag, _Completion] = {}

    @property
    def n_observed(self) -> int:
        return self._n_observed

    def complete(self, candidate: BitDag) -> _Completion:
        """The rows completed by the latents of a candidate; remembered until others are asked for."""
        completion = self._completions.get(candidate)
        if completion is None:
            completion = _Completion(self, hard_states(self._scorer, candidate, self._fit_of), candidate)
            self._completions[candidate] = completion
        return completion

    def forget_completions(self) -> None:
        """Let go of the rows; what was counted stays known."""
        self._completions.clear()

    def with_latents(self, completion: _Completion, child: int, parents: int) -> float:
        """The score of a variable whose parents, as bits, have latents among them."""
        observed = parents & (1 << self._n_observed) - 1
        hidden = list(bits(parents >> self._n_observed))
        key = child, observed, tuple(sorted(completion.digests[index] for index in hidden))
        log_score = self._found.get(key)
        if log_score is None:
            self._scorer.control.checkpoint()
            log_score = self._found[key] = completion.families.log_score(child, parents)
        return log_score

    def plain(self, child: int, parents: int) -> float:
        """The score of a variable with observed parents alone."""
        return self._scorer.family_score(child, parents)

    def families_with(self, columns: Sequence[Column], n_states: Sequence[int]) -> FamilyModel:
        """The families on the observed columns, then some of latents."""
        return self._scorer.families.completed(self._codes_with(columns), (*self._scorer.dataset.n_states, *n_states))

    def _codes_with(self, columns: Sequence[Column]) -> CodeArray:
        codes = self._table[0]
        wide = max((int(column.max(initial=0)) for column in columns), default=0) > np.iinfo(codes.dtype).max
        kind = np.uint16 if wide else codes.dtype
        result = np.asfortranarray(np.column_stack([codes, *columns]), dtype=kind) if columns else codes
        result.setflags(write=False)  # as all codes: kernels are compiled anew for an array that may be written to
        return result


class _Completion:
    """The completed rows of one candidate: families with a column for each latent behind the observed ones."""

    def __init__(self, scores: CompletedScores, columns: Sequence[Column], candidate: BitDag) -> None:
        self._scores = scores
        self.families = scores.families_with(columns, [latent.n_states for latent in candidate.latents])
        self.digests = [
            f"{latent.n_states}:".encode() + _relabelled(column).tobytes()  # a prior may depend on the number of states
            for latent, column in zip(candidate.latents, columns)
        ]

    def score(self, child: int, parents: int) -> float:
        """The score of a family, latents behind the observed variables; −∞ for a latent with a parent.

        A latent without parents adds the same to every DAG, which is left out.
        """
        n_observed = self._scores.n_observed
        if child >= n_observed:
            return -inf if parents else 0.0
        if parents >> n_observed:
            return self._scores.with_latents(self, child, parents)
        return self._scores.plain(child, parents)


def hard_states(scorer: Scorer, candidate: BitDag, fit_of: FitOf) -> list[IntArray]:
    """The most probable state of each latent in every row that is counted on, the first of equal ones."""
    codes, _ = counting_table(scorer.dataset)
    states: list[IntArray] = [np.zeros(0, dtype=np.int64)] * len(candidate.latents)
    for component, places in split_latents(*candidate):
        scorer.control.checkpoint()
        fitted = Fitted(component, ("",) * len(places), scorer.layout(component), fit_of(component))
        rows = fitted.layout.rows
        of_row = row_places_in(codes, scorer.dataset.n_states, rows.columns, data_codes(rows))
        for index, marginal in zip(places, marginals(fitted)):
            states[index] = marginal.argmax(axis=1)[of_row]
    return states


def _relabelled(column: Column) -> npt.NDArray[np.uint16]:
    """The column with its states numbered as they come: the same for columns that group the rows alike."""
    _, first, numbers = np.unique(column, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.uint16)
    rank[np.argsort(first)] = np.arange(len(first), dtype=np.uint16)
    return rank[numbers]
