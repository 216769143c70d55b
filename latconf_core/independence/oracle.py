"""An independence test that answers from the d-separations of a DAG with latents."""

from __future__ import annotations

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.dag.latent_projection import graph_of_dag
from latconf_core.graph.bits import as_bits
from latconf_core.graph.separation import connected_nodes
from latconf_core.independence.base import IndependenceTest


class DSeparationOracle(IndependenceTest):
    """What tests would say with infinite data from this DAG: p is 1 for d-separated variables, else 0."""

    def __init__(self, dag: LatentDag) -> None:
        super().__init__(dag.nodes, alpha=0.5)
        self.dag = dag
        self._graph = as_bits(graph_of_dag(dag))
        self._connected: dict[tuple[int, int], int] = {}

    def compute_p_value(self, x: int, y: int, given: tuple[int, ...]) -> float:
        blocked = sum(1 << v for v in given)
        connected = self._connected.get((x, blocked))
        if connected is None:
            connected = self._connected[x, blocked] = connected_nodes(self._graph, x, blocked)
        return 0.0 if connected >> y & 1 else 1.0
