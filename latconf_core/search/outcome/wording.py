"""Scores and latents in words, the same wherever a person reads them."""

from __future__ import annotations

from latconf_core.dag.latent_dag import LatentDag


def nats(score: float) -> str:
    """A score with two decimals and a proper minus sign."""
    return f"{score:,.2f}".replace("-", "−")


def latents_text(dag: LatentDag) -> str:
    """The latents of a DAG in a line, e.g. "L1 (2 states) → A, B"."""
    said = [f"{one.name} ({one.n_states} states) → {', '.join(one.children)}" for one in dag.latents]
    return "; ".join(said) or "none"
