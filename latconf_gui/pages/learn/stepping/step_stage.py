"""The stage of the steps: the DAG beside the learner's graph, every node at the same place in both."""

from __future__ import annotations

from latconf_core.pag.replay import Replay
from latconf_core.teaching.drawn_dag import DrawnDag, Places, places_on_circle
from latconf_gui.drawing.content.graph_drawing import Drawing, drawing_of_graph
from latconf_gui.pages.learn.stage import Stage, drawing_of_drawn_dag
from latconf_gui.pages.learn.stepping.step_drawing import StepDrawing

MOST_ON_CIRCLE = 12  # nodes without a place that stand on a circle; more are laid out


class StepStage(Stage):
    """Shows a run, then its steps; the view stays as it is from step to step."""

    def __init__(self) -> None:
        super().__init__("The DAG", "The learner's graph")
        self.scene = self.scenes[1]
        self._canvas = self.canvas(1)
        self._dag: DrawnDag | None = None
        self._replay: Replay | None = None
        self._drawn: StepDrawing | None = None
        self._places: dict[str, tuple[float, float]] = {}
        self._canvas.layouts.ready.connect(self._on_laid_out)
        self.moved.connect(self._on_nodes_moved)

    @property
    def is_busy(self) -> bool:
        return self._canvas.layouts.is_running

    def stop(self) -> None:
        """End the layout under way."""
        self._canvas.layouts.stop()

    def show_dag_alone(self, dag: DrawnDag | None) -> None:
        """Before there are steps; None where no DAG is shown."""
        self._dag, self._replay, self._drawn = dag, None, None
        self._places = {}
        self._show_all()

    def show_run(self, dag: DrawnDag | None, replay: Replay, known: Places) -> None:
        """Make room for every step of a run; nodes without a known place stand on a circle or are laid out."""
        self._dag, self._replay, self._drawn = dag, replay, None
        self._places = {name: known[name] for name in replay.nodes if name in known}
        if len(self._places) < len(replay.nodes):
            self._places = places_on_circle(replay.nodes)
            if len(replay.nodes) > MOST_ON_CIRCLE:
                self._canvas.layouts.ask(drawing_of_graph(replay.graph(replay.last)))
        self._show_all()

    def show_step(self, drawn: StepDrawing) -> None:
        """The graph of one step, with what stands out in it."""
        self._drawn = drawn
        self._canvas.show_drawing(drawn.drawing, self._places, keeps_view=True)
        self._canvas.highlight("step", drawn.highlights)
        for scene in self.scenes:
            scene.set_given(drawn.given)
        for item in self.scene.edge_items():
            item.set_active_end(drawn.end[0] if drawn.end is not None and item.pair == set(drawn.end) else None)
        self.pick(None)

    def pick(self, name: str | None) -> None:
        """Let a node stand out, or none."""
        self.scene.set_found([] if name is None else [name])

    def _show_all(self) -> None:
        """The last graph, which needs the most room and the longest legend; then the step."""
        final = Drawing() if self._replay is None else drawing_of_graph(self._replay.graph(self._replay.last))
        dag = None if self._dag is None else drawing_of_drawn_dag(self._dag)
        places = self._places if self._dag is None else {**self._dag.positions, **self._places}
        self.show_drawings((dag, final), places)
        if self._drawn is not None:
            self.show_step(self._drawn)

    def _on_laid_out(self, places: dict[str, tuple[float, float]]) -> None:
        if self._replay is not None and set(places) >= set(self._replay.nodes):
            self._places = places
            self._show_all()

    def _on_nodes_moved(self, places: dict[str, tuple[float, float]]) -> None:
        self._places |= {name: position for name, position in places.items() if name in self._places}
