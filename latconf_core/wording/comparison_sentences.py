"""What a comparison says, in sentences."""

from __future__ import annotations

from latconf_core.comparison.compare import PairComparison
from latconf_core.comparison.differences import EdgeDifference
from latconf_core.comparison.latent_matching import LatentPair
from latconf_core.phrases import counted, list_names
from latconf_core.wording.evidence_texts import nats_apart

LESS_THAN_A_DIFFERENCE = 0.005  # nats: what two decimals do not show


def describe_pair(pair: PairComparison) -> str:
    """Which fits better and by how much, in what the two differ, and whether they are in the same Markov class."""
    said = [
        sentence for sentence in (_score_sentence(pair), _difference_sentence(pair), _class_sentence(pair)) if sentence
    ]
    return " ".join(said)


def _score_sentence(pair: PairComparison) -> str:
    gain = pair.score_difference
    if gain is None:
        return ""
    if abs(gain) < LESS_THAN_A_DIFFERENCE:
        return f"{pair.b} and {pair.a} fit equally well."
    return f"{pair.b} is {nats_apart(abs(gain))} {'above' if gain > 0 else 'below'} {pair.a}."


def _difference_sentence(pair: PairComparison) -> str:
    n_edges, n_latents = len(pair.edges), len(pair.other_latents)
    if not n_edges and not n_latents:
        return f"{pair.b} and {pair.a} have the same edges{' and latents' if pair.latents else ''}."
    parts = [counted(n_edges, "edge")] if n_edges else []
    parts += [counted(n_latents, "latent")] if n_latents else []
    return f"They differ in {list_names(parts)}."


def _class_sentence(pair: PairComparison) -> str:
    if pair.same_class is None:
        return ""
    return f"They are {'' if pair.same_class else 'not '}Markov equivalent."


def describe_edge_difference(difference: EdgeDifference) -> str:
    """One pair of nodes in words: `only in A: X --> Y`, or `X --> Y in A, X <-> Y in B`."""
    if difference.a is not None and difference.b is not None:
        return f"{difference.a} in A, {difference.b} in B"
    return f"{difference.kind}: {difference.a or difference.b}"


def describe_latent_difference(pair: LatentPair) -> str:
    """One latent in words: what only one of the two has, the children gained and lost, the numbers of states."""
    if pair.a is None or pair.b is None:
        latent, side = (pair.a, "A") if pair.b is None else (pair.b, "B")
        assert latent is not None, "latent in only one of the two"
        return f"only in {side}: latent over {', '.join(latent.children)} ({latent.n_states} states)"
    lost = [child for child in pair.a.children if child not in pair.b.children]
    gained = [child for child in pair.b.children if child not in pair.a.children]
    said = [f"{', '.join(lost)} only in A"] if lost else []
    said += [f"{', '.join(gained)} only in B"] if gained else []
    said += [f"{pair.a.n_states} → {pair.b.n_states} states"] if pair.a.n_states != pair.b.n_states else []
    shared = [child for child in pair.a.children if child in pair.b.children]
    return f"latent over {', '.join(shared)}: {'; '.join(said) or 'the same'}"
