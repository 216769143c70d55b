"""Stability as tables: a row per pair of variables, a row per latent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from latconf_core.comparison.tables import Table
from latconf_core.phrases import percent
from latconf_core.stability.shares import LatentShare, PairShare
from latconf_core.wording.stability_words import arrows_text, pair_text

PAIR_TITLES = ("Edge", "Same marks", "Adjacent", "In samples")
LATENT_TITLES = ("Latent", "Children", "Half", "Exact", "Overlap", "States")
ONLY_IN_SAMPLES = "(in samples)"


def states_text(latent_share: LatentShare) -> str:
    """The numbers of states that a latent has in samples, each with how many of them: "2 (30), 3 (13)"."""
    return ", ".join(f"{number} ({count:,})" for number, count in latent_share.states.items())


def tabulate_pairs(pairs: Iterable[PairShare]) -> Table:
    """A row per pair: what stands there, how often the same does, how often anything, and what in how many samples."""
    rows = [
        (pair_text(pair), percent(pair.n_same / max(pair.n_samples, 1)), percent(pair.joined), arrows_text(pair))
        for pair in pairs
    ]
    return Table(PAIR_TITLES, tuple(rows))


def tabulate_latents(latents: Sequence[LatentShare]) -> Table:
    """A row per latent: how often with at least half of its children, how often exactly, how alike, how many states."""
    rows = []
    for latent in latents:
        rows.append(
            (
                latent.name or ONLY_IN_SAMPLES,
                ", ".join(latent.children),
                percent(latent.half),
                percent(latent.exact),
                percent(latent.mean_overlap),
                states_text(latent),
            )
        )
    return Table(LATENT_TITLES, tuple(rows))
