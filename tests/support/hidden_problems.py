"""Problems whose hidden causes are known: rows of random and of example networks, some variables left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.data.sampling import Sample, sample
from latconf_core.formats.examples import load_example

EXAMPLES = ("alarm", "child", "insurance", "sachs", "asia")
ROWS = (1000, 2000, 5000, 10_000, 10_000, 10_000)
N_HIDDEN = (1, 1, 2, 2, 3)
SHARE_OF_EXAMPLES = 0.25
REACH = 8  # how far before a variable its parents stand


@dataclass(frozen=True)
class Problem:
    """Rows of a network without the variables that are hidden."""

    name: str
    drawn: Sample


def draw_problem(seed: int) -> Problem:
    """A problem of its own per seed: one of four from an example network, the others from random ones."""
    rng = np.random.default_rng([seed, 18])
    n_rows, n_hidden = int(rng.choice(ROWS)), int(rng.choice(N_HIDDEN))
    if rng.random() < SHARE_OF_EXAMPLES:
        name = str(rng.choice(EXAMPLES))
        network = load_example(name)
        hidden = choose_hidden(network, n_hidden, rng)
    else:
        network = random_network(rng, n_hidden)
        name, hidden = f"random {seed}", [f"h{k}" for k in range(n_hidden)]
    return Problem(f"{name}, {n_rows} rows", sample(network, n_rows, rng=rng, hide=hidden))


def random_network(rng: np.random.Generator, n_hidden: int) -> BayesNet:
    """Ten to twenty-five variables of two to five states below some roots with two to six children."""
    n, concentration = int(rng.integers(10, 26)), float(rng.uniform(0.4, 1.0))
    hidden, seen = [f"h{k}" for k in range(n_hidden)], [f"x{k}" for k in range(n)]
    states = {v: int(rng.choice([2, 3, 4, 5], p=[0.35, 0.3, 0.25, 0.1])) for v in (*hidden, *seen)}
    parents: dict[str, list[str]] = {v: [] for v in (*hidden, *seen)}
    for k, v in enumerate(seen):
        before = seen[max(0, k - REACH) : k]
        wanted = min(int(rng.choice(4, p=[0.25, 0.4, 0.25, 0.1])), len(before))
        parents[v] = [str(one) for one in rng.choice(before, wanted, replace=False)] if wanted else []
    for h in hidden:
        free = [v for v in seen if len(parents[v]) < 3]
        for v in rng.choice(free, int(rng.integers(2, 7)), replace=False):
            parents[str(v)].append(h)
    cpts = []
    for v, parent in parents.items():
        shape = [states[index] for index in parent]
        table = rng.dirichlet([concentration] * states[v], size=shape or None)
        cpts.append(Cpt(v, [f"s{k}" for k in range(states[v])], parent, table))
    return BayesNet(cpts, name="random")


def choose_hidden(network: BayesNet, n_hidden: int, rng: np.random.Generator) -> list[str]:
    """Variables with two children and more, roots where there are enough of them."""
    children = {name: sum(name in cpt.parents for cpt in network.cpts.values()) for name in network.variables}
    several = [name for name in network.variables if children[name] >= 2]
    roots = [name for name in several if not network.cpts[name].parents]
    pool = roots if len(roots) >= n_hidden else several
    return [pool[k] for k in sorted(rng.choice(len(pool), min(n_hidden, len(pool)), replace=False))]
