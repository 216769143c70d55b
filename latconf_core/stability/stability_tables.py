"""Stability as tables: a row per pair of variables, a row per latent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from latconf_core.comparison.tables import Table
from latconf_core.stability.shares import LatentShare, PairShare
from latconf_core.stability.stability_words import arrows_text, pair_text

PAIR_TITLES = ("Edge", "As here", "Joined", "In samples")
LATENT_TITLES = ("Latent", "Children", "Came back", "Exactly", "Overlap", "States")
ONLY_IN_SAMPLES = "(in samples)"


def percent(share: float) -> str:
    """A share as a person reads it."""
    return f"{share:.0%}"


def tabulate_pairs(pairs: Iterable[PairShare]) -> Table:
    """A row per pair: what stands there, how often the same does, how often anything, and what in how many samples."""
    rows = [
        (pair_text(pair), percent(pair.n_same / max(pair.n_samples, 1)), percent(pair.joined), arrows_text(pair))
        for pair in pairs
    ]
    return Table(PAIR_TITLES, tuple(rows))


def tabulate_latents(latents: Sequence[LatentShare]) -> Table:
    """A row per latent: how often it came back, how often exactly, how alike, and with how many states."""
    rows = []
    for one in latents:
        states = ", ".join(f"{number}: {count}" for number, count in one.states.items())
        rows.append(
            (
                one.name or ONLY_IN_SAMPLES,
                ", ".join(one.children),
                percent(one.overlapping),
                percent(one.exact),
                percent(one.mean_overlap),
                states,
            )
        )
    return Table(LATENT_TITLES, tuple(rows))
