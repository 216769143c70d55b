"""Which latents of a network hang together: those that must be summed out, or drawn, together."""

from __future__ import annotations

from itertools import chain

from latconf_core.dag.bayes_net import BayesNet


def latent_groups(network: BayesNet) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Latents that share a family, and the variables whose families these are: what must be summed out together."""
    groups: list[tuple[set[str], list[str]]] = []
    for name, cpt in network.cpts.items():
        latents = {member for member in (*cpt.parents, name) if member in network.latents}
        if latents:
            joined = [group for group in groups if group[0] & latents]
            groups = [group for group in groups if not group[0] & latents]
            families = [*chain.from_iterable(group[1] for group in joined), name]
            groups.append((latents.union(*(group[0] for group in joined)), families))
    return [(tuple(sorted(latents)), tuple(families)) for latents, families in groups]
