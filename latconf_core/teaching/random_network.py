"""Random tables for a drawn DAG, strong enough that its arrows show in data, and rows drawn from them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.control import RunControl
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.prepare_table import table_of_dataset
from latconf_core.data.sampling import sample
from latconf_core.errors import GraphError
from latconf_core.formats.projects.project_state import ProjectState, prepare_state
from latconf_core.teaching.drawn_dag import DrawnDag

STATES = ("no", "yes")
LEAST_EFFECT = 0.3  # what changing one cause alone must do to the probabilities, on average over the others
SMALLEST = 0.05  # no probability is nearer to 0 or 1, so that no state is ever missing
MOST_PARENTS = 12  # tables double in size with each
MOST_TRIES = 200


def random_network(dag: DrawnDag, rng: np.random.Generator, *, name: str = "drawn") -> BayesNet:
    """Two states each and tables at random; hidden variables are the network's latents. GraphError where too large."""
    parents = {child: tuple(a for a, b in dag.edges if b == child) for child in dag.nodes}
    crowded = [child for child, own in parents.items() if len(own) > MOST_PARENTS]
    if crowded:
        raise GraphError(f"{crowded[0]} has {len(parents[crowded[0]])} causes; tables allow at most {MOST_PARENTS}")
    if not dag.observed:
        raise GraphError("every variable is hidden; show at least one to draw data")
    cpts = [Cpt(child, STATES, own, _random_table(len(own), rng)) for child, own in parents.items()]
    return BayesNet(cpts, name=name, latents=dag.hidden)


def draw_rows(dag: DrawnDag, control: RunControl, *, name: str, n_rows: int, seed: int) -> Iterator[object]:
    """Draw rows; the last event is their ProjectState, with the truth. The seed decides tables and rows."""
    control.checkpoint()
    rng = np.random.default_rng(seed)
    drawn = sample(random_network(dag, rng, name=name), n_rows, rng=rng)
    control.checkpoint()
    state = ProjectState(name=name, raw=table_of_dataset(drawn.dataset), truth=drawn.network)
    yield prepare_state(state, Preparation(missing_marks=()), control=control)


def _random_table(n_parents: int, rng: np.random.Generator) -> FloatArray:
    """The clearest of some tables: every cause matters, or as much as chance has given."""
    best, most = np.empty(0), -1.0
    for _ in range(MOST_TRIES):
        yes = SMALLEST + (1 - 2 * SMALLEST) * rng.beta(0.6, 0.6, size=(2,) * n_parents)
        effect = _least_effect(yes)
        if effect > most:
            best, most = yes, effect
        if most >= LEAST_EFFECT / max(n_parents, 1) ** 0.5:
            break
    return np.stack([1 - best, best], axis=-1)


def _least_effect(yes: FloatArray) -> float:
    """How much the weakest cause changes the probability of yes, on average over the other causes."""
    if not yes.ndim:
        return 1.0 if 0.25 <= float(yes) <= 0.75 else 0.0  # a root that is nearly constant shows nothing
    return min(float(np.abs(np.diff(yes, axis=axis)).mean()) for axis in range(yes.ndim))
