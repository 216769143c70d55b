"""Whether knowledge allows a DAG with latents, which may stand below one another as in a forest."""

from __future__ import annotations

from latconf_core.graph.bits import bits, closure
from latconf_core.knowledge.bound import BoundKnowledge
from latconf_core.model.bit_dag import NO_PARENT, BitDag


def allows(known: BoundKnowledge, dag: BitDag) -> bool:
    """Whether a DAG contradicts nothing that is known.

    A hidden cause acts on its children and on those of the latents below it: all of them share it.
    """
    if not known.binds:
        return True
    n_observed = len(dag.parents)
    observed = (1 << n_observed) - 1
    if all(latent.parent == NO_PARENT and not latent.children & ~observed for latent in dag.latents):
        return known.allows_dag(dag.parents, [latent.children for latent in dag.latents])
    if not all(known.allows_family(v, mask) for v, mask in enumerate(dag.parents)):
        return False
    return _allows_latents(known, dag) and _allows_ancestors(known, dag)


def _allows_latents(known: BoundKnowledge, dag: BitDag) -> bool:
    n_observed = len(dag.parents)
    below = [*(0 for _ in dag.parents), *(latent.children for latent in dag.latents)]
    reached = (closure(below, 1 << n_observed + k) for k in range(len(dag.latents)))
    return all(known.allows_latent(mask & (1 << n_observed) - 1) for mask in reached)


def _allows_ancestors(known: BoundKnowledge, dag: BitDag) -> bool:
    """Also along arcs into latents, which make a variable a cause of what is below them."""
    n_observed = len(dag.parents)
    above = [
        *dag.parents,
        *(0 if other_latent.parent == NO_PARENT else 1 << other_latent.parent for other_latent in dag.latents),
    ]
    for k, latent in enumerate(dag.latents):
        for child in bits(latent.children):
            above[child] |= 1 << n_observed + k
    return not any(never and closure(above, above[v]) & never for v, never in enumerate(known.never_above))
