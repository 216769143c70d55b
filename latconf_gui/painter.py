"""Draws the pictures that the command line writes: graphviz and matplotlib, without Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from latconf_core.bench.writing.visit_panels import VisitFigure
    from latconf_core.dag.latent_dag import LatentDag
    from latconf_core.graph.mixed import MixedGraph
    from latconf_core.knowledge.knowledge import Knowledge
    from latconf_core.search.outcome.history import History


class SvgPainter:
    """Imports what draws when it draws, so that commands without pictures start fast."""

    def dag_svg(self, dag: LatentDag, knowledge: Knowledge | None = None) -> str:
        from latconf_gui.drawing.layout import graphviz_layout as layout

        return layout.dag_svg(dag, knowledge)

    def graph_svg(self, graph: MixedGraph) -> str:
        from latconf_gui.drawing.layout import graphviz_layout as layout

        return layout.graph_svg(graph)

    def chart_svg(self, history: History) -> str:
        from latconf_gui.charts import figure

        return figure.chart_svg(history)

    def visits_svg(self, figure: VisitFigure) -> str:
        from latconf_gui.charts import visit_figure

        return visit_figure.visits_svg(figure)
