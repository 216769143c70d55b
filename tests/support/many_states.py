"""Tables whose variables have four to ten states, drawn from random networks with a hidden cause."""

from __future__ import annotations

import numpy as np

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample

N_VARIABLES, N_ROWS = 8, 2000
CONCENTRATION = 0.25  # of the tables: the less, the stronger the dependences


def many_state_table(seed: int) -> Dataset:
    """Eight variables with at most two parents each, three of them also below a hidden cause of three states."""
    rng = np.random.default_rng(seed)
    seen = [f"x{k}" for k in range(N_VARIABLES)]
    n_states = {"hidden": 3, **{name: int(rng.integers(4, 11)) for name in seen}}
    parents: dict[str, list[str]] = {"hidden": []}
    for k, name in enumerate(seen):
        wanted = min(k, int(rng.choice(3, p=[0.3, 0.5, 0.2])))
        parents[name] = [str(one) for one in rng.choice(seen[max(0, k - 4) : k], wanted, replace=False)]
    for name in rng.choice(seen, 3, replace=False):
        parents[str(name)] = [*parents[str(name)][:1], "hidden"]
    cpts = []
    for name, parent in parents.items():
        shape = [n_states[index] for index in parent]
        table = rng.dirichlet([CONCENTRATION] * n_states[name], size=shape or None)
        cpts.append(Cpt(name, [f"s{k}" for k in range(n_states[name])], parent, table))
    return sample(BayesNet(cpts, name=f"many states {seed}"), N_ROWS, rng=rng, hide=["hidden"]).dataset
