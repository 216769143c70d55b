"""Rows drawn from a DAG with tables at random: data to learn from, with the truth."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from latconf_core.control import RunControl
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.prepare_table import table_of_dataset
from latconf_core.data.sampling import sample
from latconf_core.errors import GraphError
from latconf_core.formats.projects.project_state import ProjectState, prepare_state
from latconf_core.teaching.arrow_network import network_of_arrows
from latconf_core.teaching.drawn_dag import DrawnDag


def draw_rows(dag: DrawnDag, control: RunControl, *, name: str, n_rows: int, seed: int) -> Iterator[object]:
    """Draw rows; the last event is their ProjectState, with the truth. The seed decides tables and rows.

    GraphError where nothing would be seen, or a variable has too many causes for a table.
    """
    if not dag.observed:
        raise GraphError("every variable is hidden; show at least one to draw data")
    control.checkpoint()
    rng = np.random.default_rng(seed)
    network = network_of_arrows(dag.nodes, dag.edges, rng=rng, hidden=sorted(dag.hidden))
    drawn = sample(network, n_rows, rng=rng)
    control.checkpoint()
    state = ProjectState(name=name, raw=table_of_dataset(drawn.dataset), truth=drawn.network)
    yield prepare_state(state, Preparation(missing_marks=()), control=control)
