"""What a DAG looks like to someone who cannot see some of its variables."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.latent_dag import Latent, LatentDag


def hidden_truth(network: BayesNet, hidden: Collection[str]) -> LatentDag:
    """The DAG over the visible variables, with a latent for every hidden one that confounds at least two.

    A hidden variable with parents becomes a root and its parents become parents of its children, which leaves
    every independence among the visible variables as it was (Evans 2016, exogenised DAGs).
    """
    parents = {name: set(cpt.parents) for name, cpt in network.cpts.items()}
    for name in network.topological_order:
        if name in hidden:
            for child in _children(parents, name):
                parents[child] |= parents[name]
            parents[name] = set()
    visible = [name for name in network.variables if name not in hidden]
    edges = [(parent, name) for name in visible for parent in parents[name] if parent not in hidden]
    latents = []
    for name in network.variables:
        children = [child for child in _children(parents, name) if child not in hidden]
        if name in hidden and len(children) > 1:
            latents.append(Latent(name, len(network.states(name)), tuple(children)))
    return LatentDag(visible, edges, latents)


def _children(parents: Mapping[str, set[str]], name: str) -> list[str]:
    return [child for child, own in parents.items() if name in own]
