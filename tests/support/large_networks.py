"""Random networks of hundreds of variables with hidden causes: what the benchmark of scale draws its tables from."""

from __future__ import annotations

import numpy as np

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.data.sampling import Sample, sample

MOST_PARENTS = 3  # observed ones; a hidden cause may come besides
CONCENTRATION = 0.6  # of the Dirichlet that tables are drawn from
VARIABLES_PER_HIDDEN = 25
CHILDREN_OF_HIDDEN = (3, 6)  # at least, and one more than at most


def draw_large(n_variables: int, *, seed: int, n_rows: int = 5000, degree: float = 2.5) -> Sample:
    """Rows of a random network of so many visible variables of two to four states, one hidden cause per 25 of them."""
    rng = np.random.default_rng([seed, n_variables, 35])
    network = large_network(n_variables, rng=rng, degree=degree)
    hidden = [name for name in network.variables if name.startswith("h")]
    return sample(network, n_rows, rng=rng, hide=hidden)


def large_network(n_variables: int, *, rng: np.random.Generator, degree: float) -> BayesNet:
    """A random network in which the visible variables have `degree` neighbours on average."""
    seen = [f"x{k}" for k in range(n_variables)]
    hidden = [f"h{k}" for k in range(max(1, n_variables // VARIABLES_PER_HIDDEN))]
    parents: dict[str, list[str]] = {name: [] for name in (*hidden, *seen)}
    n_edges = 0
    while n_edges < degree * n_variables / 2:
        first, second = sorted(rng.choice(n_variables, 2, replace=False))
        above = parents[seen[second]]
        if seen[first] not in above and len(above) < MOST_PARENTS:
            above.append(seen[first])
            n_edges += 1
    for name in hidden:
        free = [child for child in seen if len(parents[child]) < MOST_PARENTS - 1]
        for child in rng.choice(free, int(rng.integers(*CHILDREN_OF_HIDDEN)), replace=False):
            parents[str(child)].append(name)
    n_states = {name: int(rng.integers(2, 5)) for name in parents}
    return BayesNet(
        [
            Cpt(
                name,
                [f"s{k}" for k in range(n_states[name])],
                above,
                rng.dirichlet([CONCENTRATION] * n_states[name], size=[n_states[index] for index in above] or None),
            )
            for name, above in parents.items()
        ],
        name="large",
    )
