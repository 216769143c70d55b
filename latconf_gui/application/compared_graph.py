"""A graph that one page hands to the Compare page."""

from __future__ import annotations

from dataclasses import dataclass

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.formats.projects.compared_graphs import GraphSource
from latconf_core.graph.mixed import MixedGraph


@dataclass(frozen=True)
class ComparedGraph:
    """Its name, where it comes from, and the graph; `source` where the project has it."""

    name: str
    origin: str
    content: MixedGraph | LatentDag
    source: GraphSource | None = None
