"""The port of family scores: what a variable adds to a score given its parents, whatever kind of table it has.

An implementation computes; whoever asks twice keeps what was found. It is made of data and options alone, by a callable
that can be sent to another process (`FamiliesOf`): a class of a module is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from latconf_core.arrays import CodeArray, FloatArray
from latconf_core.data.dataset import Dataset
from latconf_core.families.priors import Priors
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.options.scoring import VbemOptions


class FamilyModel(Protocol):
    """Scores and tables of families on one dataset, in nats, prices of structure taken off. Safe from several threads.

    Parents are bits; latents among them are given by their posteriors on the rows that are counted on.
    """

    @property
    def priors(self) -> Priors:
        """The Dirichlets that variational Bayes begins from below latents, and the prices of structure."""

    def log_score(self, child: int, parents: int) -> float:
        """The log marginal likelihood of a family without latents."""

    def expected_score(self, child: int, parents: int, latents: Sequence[SoftLatent]) -> float:
        """The same with latents among the parents, at expected counts; −∞ for a table too large."""

    def compact_score(self, child: int, parents: int, latents: Sequence[SoftLatent]) -> float:
        """The best score of a family by a form with fewer numbers than its table; −∞ where none can be looked for."""

    def latent_score(self, latent: SoftLatent) -> float:
        """What a latent adds itself: its prior at expected counts, its entropy, −log(states!) and its price."""

    def completed(self, codes: CodeArray, n_states: Sequence[int]) -> FamilyModel:
        """The families on the same rows with more columns: those behind the data's are latents filled in, unpriced."""

    def table(self, child: int, parents: Sequence[int]) -> FloatArray:
        """Dirichlet parameters of a table after the data, one axis per parent in the order given, the child last."""

    def n_parameters(self, child: int, parents: Sequence[int], latent_states: Sequence[int] = ()) -> int:
        """How many free numbers a table has, latents with so many states among the parents."""


FamiliesOf = Callable[[Dataset, VbemOptions], FamilyModel]
