"""DAGs with latents on which the learners are compared with brute force.

Random draws hardly ever need the possible-d-sep phase (1 in 20,000) or R8 (never), so those were searched for:
the graphs below are changes of one DAG that needs possible-d-sep and of one in which R9 and then R8 fire.
"""

from __future__ import annotations

from support.pag_truth import random_latent_dag

from latconf_core.dag.latent_dag import Latent, LatentDag

NEED_POSSIBLE_DSEP = (
    "GA EB AC DE GE | AB CD DE",
    "EB AC DE GE | AB AG CD DE",
    "FA GA EB AC GD DE GE | AB CD",
    "FA EB AC DC DE GE | AB AG CE DE",
    "FA GA EB AC DE GE | AB CD CF DE",
    "EB AC DE GE DG | AB AG CD DE",
    "FA EB AC DC GE | AB AG CD CE DE",
    "GA EB AC DE GE EF | AB CD DE EG",
    "EB GB AC DE GE DG | AB AG CD DE",
    "DA EB AC DE GE DG | AB AG CD CE",
    "EB AC DE GE EF | AB AF AG CD DE",
    "FA EB AC DC AD GE | AB AG CD CE DE",
)
MAKE_R8_FIRE = (
    "DA FA AB AC BC DC FC GC BE EG |",
    "DA FA AB AC BC DC FC GC BE EG | CD",
)
# seeds of six-node DAGs with one latent in which R10 fires
MAKE_R10_FIRE = (24, 90, 167, 388, 413, 610, 1126, 1376)


def drawn(text: str) -> LatentDag:
    """The DAG of "AB BC | CD": arrows A --> B --> C and a latent over C and D; always seven nodes."""
    edges, latents = text.split("|")
    children = [Latent(f"L{i}", 2, tuple(group)) for i, group in enumerate(latents.split())]
    return LatentDag("ABCDEFG", [(pair[0], pair[1]) for pair in edges.split()], children)


def chosen_dags() -> list[LatentDag]:
    """The DAGs chosen for the rules that they need."""
    with_r10 = [random_latent_dag(seed, 6, density=0.45, n_latents=1) for seed in MAKE_R10_FIRE]
    return [*map(drawn, (*NEED_POSSIBLE_DSEP, *MAKE_R8_FIRE)), *with_r10]


def random_dags(start: int, stop: int) -> list[LatentDag]:
    """One sparse DAG a seed: five nodes and two latents, every fifth six nodes and one latent."""
    return [
        random_latent_dag(seed, 6 if seed % 5 == 0 else 5, density=0.2, n_latents=1 if seed % 5 == 0 else 2)
        for seed in range(start, stop)
    ]
