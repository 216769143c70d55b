"""What a comparison says, in sentences."""

from __future__ import annotations

from latconf_core.comparison.compare import PairComparison
from latconf_core.counted import counted
from latconf_core.search.outcome.wording import nats_with_odds

LESS_THAN_A_DIFFERENCE = 0.005  # nats: what two decimals do not show


def describe_pair(pair: PairComparison) -> str:
    """Which fits better and by how much, in what the two differ, and whether they are in the same Markov class."""
    said = [
        sentence for sentence in (_score_sentence(pair), _difference_sentence(pair), _class_sentence(pair)) if sentence
    ]
    return " ".join(said)


def _score_sentence(pair: PairComparison) -> str:
    gain = pair.p_elbo_difference
    if gain is None:
        return ""
    if abs(gain) < LESS_THAN_A_DIFFERENCE:
        return f"{pair.b} and {pair.a} fit equally well."
    return f"{pair.b} is {nats_with_odds(abs(gain))} {'above' if gain > 0 else 'below'} {pair.a}."


def _difference_sentence(pair: PairComparison) -> str:
    n_edges, n_latents = len(pair.edges), len(pair.other_latents)
    if not n_edges and not n_latents:
        return f"{pair.b} and {pair.a} have the same edges{' and latents' if pair.latents else ''}."
    parts = [counted(n_edges, "edge")] if n_edges else []
    parts += [counted(n_latents, "latent")] if n_latents else []
    return f"They differ in {' and '.join(parts)}."


def _class_sentence(pair: PairComparison) -> str:
    if pair.same_class is None:
        return ""
    return f"They are {'' if pair.same_class else 'not '}in the same Markov class."
