"""What about the rows keeps every claim from being more than weak evidence: filled-in cells, copies, designs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.data.completed_dataset import CompletedDataset
from latconf_core.data.dataset import Dataset
from latconf_core.data.row_repeats import common_divisor, is_design
from latconf_core.data.sampling import sample
from latconf_core.search.outcome.about_rows import RowRepeats
from latconf_core.search.outcome.evidence import LatentEvidence, Limit

TOO_FEW = 0.8  # of the different rows that the model expects
MOST_NUMBERS = 4_000_000  # cells of a table that is drawn from the model to see how many different rows it expects


def find_repeats(dataset: Dataset, network: BayesNet | None) -> RowRepeats | None:
    """Whether rows look designed or copied; asked of the fitted model where there is one."""
    if isinstance(dataset, CompletedDataset):
        dataset = dataset.source
    if not dataset.has_whole_rows or dataset.n_rows < 2:
        return None
    n_distinct, n_rows = len(dataset.distinct.counts), dataset.n_rows
    is_accepted = dataset.facts.rows_are_real
    if is_design(dataset):
        return RowRepeats("designed", n_distinct, n_rows, is_accepted=is_accepted)
    if dataset.facts.is_counted:
        return None
    divisor = common_divisor(dataset)
    expected = _expected_distinct(dataset, network)
    if expected is not None and n_distinct < TOO_FEW * expected:
        return RowRepeats("copied", n_distinct, n_rows, expected, divisor, is_accepted=is_accepted)
    if divisor > 1:
        return RowRepeats("divisible", n_distinct, n_rows, expected, divisor, is_accepted=is_accepted)
    return None


def _expected_distinct(dataset: Dataset, network: BayesNet | None) -> float | None:
    """How many different rows the model expects among as many; None where cells are missing or tables too large."""
    if network is None or not dataset.is_complete or dataset.n_rows * dataset.n_variables > MOST_NUMBERS:
        return None
    rng = np.random.default_rng(0)
    hide = [name for name in network.variables if name not in dataset.index and name not in network.latents]
    drawn = sample(network, dataset.n_rows, rng=rng, hide=hide).dataset
    return float(len(drawn.distinct.counts))


def limit_evidence(
    evidence: Iterable[LatentEvidence], dataset: Dataset, repeats: RowRepeats | None
) -> tuple[LatentEvidence, ...]:
    """The evidence, weak at most where the rows say so."""
    return tuple(_limited(one, dataset, repeats) for one in evidence)


def _limited(evidence: LatentEvidence, dataset: Dataset, repeats: RowRepeats | None) -> LatentEvidence:
    limits: list[Limit] = []
    if dataset.facts.filled_in & set(evidence.latent.children):
        limits.append("filled in")
    if repeats is not None and not repeats.is_accepted:
        limits.append("design" if repeats.kind == "designed" else "copied rows")
    return replace(evidence, limits=tuple(limits)).graded() if limits else evidence
