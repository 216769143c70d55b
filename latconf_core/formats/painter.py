"""Who draws the pictures that files hold: the core knows no drawing library, the window hands a painter in."""

from __future__ import annotations

from typing import Protocol

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.search.outcome.history import History


class Painter(Protocol):
    """Draws as SVG text, without a window."""

    def dag_svg(self, dag: LatentDag, /, knowledge: Knowledge = NO_KNOWLEDGE) -> str:
        """A DAG with its latents dashed; arrows that neither data nor knowledge decide are hollow."""

    def graph_svg(self, graph: MixedGraph, /) -> str:
        """A PAG or MAG with its marks."""

    def chart_svg(self, history: History, /) -> str:
        """p-ELBO against visited DAGs, by number of bidirected edges (the paper's Figure 2)."""
