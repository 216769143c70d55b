"""Shares of samples as a drawing shows them: of each edge, and beside each latent."""

from __future__ import annotations

from collections.abc import Mapping

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.resampling import StabilityOptions
from latconf_core.stability.shares import PairShare
from latconf_core.stability.stability_result import Stability
from latconf_core.wording.stability_words import arrows_text, latent_sentence, samples_text
from latconf_gui.drawing.content.graph_drawing import EdgeShare, Pair

Shares = dict[Pair, EdgeShare]


def pag_shares(stability: Stability, graph: MixedGraph) -> Shares:
    """How often each edge of a PAG is there in samples, and how often with its marks."""
    return _shares(stability.pag_pairs, list(graph.edges()), stability)


def dag_shares(stability: Stability, dag: LatentDag, names: Mapping[str, str]) -> Shares:
    """The same for a DAG; an edge of a latent is there where what stands for the latent has that child.

    names : what the latents are called in the drawing
    """
    edges = [Edge(parent, child, Mark.TAIL, Mark.ARROW) for parent, child in dag.edges]
    shares = _shares(stability.dag_pairs, edges, stability)
    for latent, latent_share in zip(dag.latents, stability.latents_of(dag)):
        called = names.get(latent.name, latent.name)
        for child, count in latent_share.n_with_child.items():
            share = count / max(latent_share.n_samples, 1)
            note = f"{called} {latent_sentence(latent_share, stability.options)}; with {child} in {count:,} of them"
            shares[frozenset((called, names.get(child, child)))] = EdgeShare(share, share, note)
    return shares


def latent_notes(stability: Stability, dag: LatentDag) -> dict[str, str]:
    """What stands below the name of each latent: how often it came back, by its name in the DAG."""
    shares = zip(dag.latents, stability.latents_of(dag))
    return {latent.name: f"half {share.half:.0%}, exact {share.exact:.0%}" for latent, share in shares}


def _shares(pairs: tuple[PairShare, ...], edges: list[Edge], stability: Stability) -> Shares:
    known: dict[Pair, PairShare] = {frozenset((pair.a, pair.b)): pair for pair in pairs}
    shares: Shares = {}
    for edge in edges:
        pair = frozenset((edge.first, edge.second))
        pair_share = known.get(pair)
        shares[pair] = (
            EdgeShare(0.0, 0.0, _never(stability))
            if pair_share is None
            else _share(pair_share, edge, stability.options)
        )
    return shares


def _share(pair_share: PairShare, edge: Edge, options: StabilityOptions) -> EdgeShare:
    oriented = edge if edge.first == pair_share.a else edge.reversed()
    count = pair_share.counts.get(oriented.arrow, 0)
    of = samples_text(options, pair_share.n_samples)
    note = f"Adjacent in {pair_share.n_joined:,} of {of}, with these marks in {count:,} ({arrows_text(pair_share)})"
    return EdgeShare(pair_share.joined, pair_share.share(oriented.arrow), note)


def _never(stability: Stability) -> str:
    return f"Adjacent in none of {samples_text(stability.options, stability.n_samples)}"
