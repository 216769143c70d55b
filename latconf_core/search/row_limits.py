"""What about the rows keeps every claim from being more than weak evidence: filled-in cells, copies, designs."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from latconf_core.arrays import IntArray
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.data.completed_dataset import CompletedDataset
from latconf_core.data.dataset import Dataset
from latconf_core.data.row_repeats import common_divisor, is_design
from latconf_core.data.sampling import sample
from latconf_core.search.outcome.about_rows import RowRepeats
from latconf_core.search.outcome.evidence import LatentEvidence, Limit

TOO_FEW = 0.8  # of the different rows that the model expects …
TOO_FEW_ONCE = 0.5  # … and of those that occur once: a model that smooths expects many, copies leave none
SURE = 3.0  # standard deviations that the different rows are below what is expected, as if they were counts
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
    drawn = _draw_rows(dataset, network)
    expected = None if drawn is None else float(len(drawn))
    if drawn is not None and expected is not None and _are_too_few(np.asarray(dataset.distinct.counts), drawn):
        return RowRepeats("copied", n_distinct, n_rows, expected, divisor, is_accepted=is_accepted)
    if divisor > 1:
        return RowRepeats("divisible", n_distinct, n_rows, expected, divisor, is_accepted=is_accepted)
    return None


def _draw_rows(dataset: Dataset, network: BayesNet | None) -> IntArray | None:
    """How often each different row occurs among as many of the model; None where cells are missing or it takes long."""
    if network is None or not dataset.is_complete or dataset.n_rows * dataset.n_variables > MOST_NUMBERS:
        return None
    rng = np.random.default_rng(0)
    hide = [name for name in network.variables if name not in dataset.index and name not in network.latents]
    return np.asarray(sample(network, dataset.n_rows, rng=rng, hide=hide).dataset.distinct.counts)


def _are_too_few(counts: IntArray, expected: IntArray) -> bool:
    """Whether so few different rows occur, and so few of them once, that rows must have been copied."""
    n_seen, n_expected = len(counts), len(expected)
    if n_seen >= TOO_FEW * n_expected or n_expected - n_seen <= SURE * np.sqrt(n_expected):
        return False
    return int((counts == 1).sum()) < TOO_FEW_ONCE * int((expected == 1).sum())


def limit_evidence(
    evidence: Iterable[LatentEvidence], dataset: Dataset, repeats: RowRepeats | None
) -> tuple[LatentEvidence, ...]:
    """The evidence, weak at most where the rows say so."""
    return tuple(_limited(latent_evidence, dataset, repeats) for latent_evidence in evidence)


def _limited(evidence: LatentEvidence, dataset: Dataset, repeats: RowRepeats | None) -> LatentEvidence:
    limits: list[Limit] = []
    if dataset.facts.filled_in & set(evidence.latent.children):
        limits.append("filled in")
    if repeats is not None and not repeats.is_accepted:
        limits.append("design" if repeats.kind == "designed" else "copied rows")
    return evidence.limited(*limits)
