"""What a DAG looks like to someone who cannot see some of its variables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.latent_dag import Latent, LatentDag

STATES_WHERE_UNKNOWN = 2


def hidden_truth(network: BayesNet, hidden: Collection[str]) -> LatentDag:
    """The DAG over the visible variables of a network, with a latent for every hidden one that confounds at least two.

    A hidden variable with parents becomes a root and its parents become parents of its children, which leaves
    every independence among the visible variables as it was (Evans 2016, exogenised DAGs).
    """
    parents = {name: cpt.parents for name, cpt in network.cpts.items()}
    states = {name: len(network.states(name)) for name in network.variables}
    return _hide(parents, network.topological_order, hidden, states=states)


def hide_in_dag(dag: LatentDag, hidden: Collection[str]) -> LatentDag:
    """The same for a DAG with latents, which stay hidden; a variable of unknown states becomes a latent with two."""
    parents = dag.parents_with_latents
    states = {latent.name: latent.n_states for latent in dag.latents}
    return _hide(parents, dag.topological_order, {*hidden, *states}, states=states)


def _hide(
    given: Mapping[str, Sequence[str]], order: Iterable[str], hidden: Collection[str], *, states: Mapping[str, int]
) -> LatentDag:
    parents = {name: set(value) for name, value in given.items()}
    for name in order:
        if name in hidden:
            for child in _children(parents, name):
                parents[child] |= parents[name]
            parents[name] = set()
    visible = [name for name in given if name not in hidden]
    edges = [(parent, name) for name in visible for parent in parents[name] if parent not in hidden]
    latents = []
    for name in given:
        children = [child for child in _children(parents, name) if child not in hidden]
        if name in hidden and len(children) > 1:
            latents.append(Latent(name, states.get(name, STATES_WHERE_UNKNOWN), tuple(children)))
    return LatentDag(visible, edges, latents)


def _children(parents: Mapping[str, set[str]], name: str) -> list[str]:
    return [child for child, parent in parents.items() if name in parent]
