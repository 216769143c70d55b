"""What the Model page writes: the model, its graph, its tables, the states per row, and pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from latconf_core.control import RunControl
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.data.watch import Watch
from latconf_core.graph.mixed import MixedGraph
from latconf_core.report.contents import ReportContents
from latconf_core.score.posterior import Posterior
from latconf_gui.application.settings import Settings
from latconf_gui.background.run_thread import RunThread
from latconf_gui.background.runs import Report, Runs
from latconf_gui.drawing.picture_export import export_picture
from latconf_gui.drawing.scene import GraphScene
from latconf_gui.widgets.file_dialogs import FileDialogs, format_filter, propose_name

TABLES = ("CSV (*.csv)",)
REPORTS = ("HTML report (*.html)",)


@dataclass(frozen=True, eq=False)
class ShownModel:
    """What there is to write.

    network : the posterior means; latents and their states under the names given to them
    names : those given to latents, by the name that each has in the posterior
    rows : which row of the table that was read each row of the data is
    pag : what the data determine, where that is shown in the place of the DAG
    """

    posterior: Posterior
    network: BayesNet
    names: Mapping[str, str]
    rows: npt.NDArray[np.intp] | None
    pag: MixedGraph | None = None


class ModelFiles(QObject):
    """Asks where to and writes; a failure is reported and leaves no half file."""

    def __init__(self, runs: Runs, settings: Settings, *, report: Report, window: QWidget) -> None:
        super().__init__(window)
        self._runs = runs
        self._report = report
        self._dialogs = FileDialogs(settings, report, window=window)
        self.model: Callable[[], ShownModel | None] = lambda: None
        self.document: Callable[[], str] = lambda: ""  # the name of what is open
        self.contents: Callable[[], ReportContents | None] = lambda: None  # what a report tells of the run

    # Asking ---------------------------------------------------------------------------------------

    def ask_model(self) -> QFileDialog | None:
        """Where to write the model."""
        filters = model_filters()
        return self._ask("Export the model", filters, "model", lambda path, text: self.write_model(path, filters[text]))

    def ask_report(self) -> QFileDialog | None:
        """Where to write the report of the run."""
        if self.contents() is None:
            self._report("There is no run to report on yet; run a search first.", "Export a report")
            return None
        name = propose_name(self.document(), "report")
        return self._dialogs.ask_save(
            "Export a report", REPORTS, name=name, take=lambda path, _: self.write_report(path)
        )

    def ask_graph(self) -> QFileDialog | None:
        """Where to write the DAG, or the PAG where that is shown, and in which format."""
        is_dag = self._is_dag_shown()
        filters, name = (dag_filters(), "DAG") if is_dag else (pag_filters(), "PAG")
        return self._ask("Export the graph", filters, name, lambda path, text: self.write_graph(path, filters[text]))

    def ask_table(self, variable: str) -> QFileDialog | None:
        """Where to write the table of a variable."""
        title = f"Export the table of {variable}"
        return self._ask(title, TABLES, variable, lambda path, _: self.write_table(variable, path))

    def ask_rows(self, latent: str) -> QFileDialog | None:
        """Where to write the states of a latent row by row."""
        model = self.model()
        name = latent if model is None else model.names.get(latent, latent)
        title = f"Export the states of {name}"
        return self._ask(title, TABLES, f"{name} per row", lambda path, _: self.write_rows(latent, path))

    def ask_picture(self, scene: GraphScene) -> QDialog | None:
        """The scale, then where to write the picture."""
        if not self._has_model("Export a picture"):
            return None
        name = propose_name(self.document(), "DAG" if self._is_dag_shown() else "PAG")
        return self._dialogs.ask_picture(name, lambda path, scale: self.write_picture(scene, path, scale))

    def _is_dag_shown(self) -> bool:
        model = self.model()
        return model is None or model.pag is None

    def _ask(
        self, title: str, filters: Iterable[str], what: str, take: Callable[[Path, str], None]
    ) -> QFileDialog | None:
        if not self._has_model(title):
            return None
        name = propose_name(self.document(), what)
        return self._dialogs.ask_save(title, list(filters), name=name, take=take)

    def _has_model(self, where: str) -> bool:
        if self.model() is None:
            self._report("There is no fitted model yet; run a search, or wait until it is fitted.", where)
            return False
        return True

    # Writing --------------------------------------------------------------------------------------

    def write_model(self, path: Path, format: str | None = None) -> None:
        """Write the network, where no format is given in that of the ending; names that had to change are said."""
        from latconf_core.formats.networks.registry import write_network

        self._write(path, lambda model: write_network(model.network, path, format=format))

    def write_graph(self, path: Path, format: str | None = None) -> None:
        """Write the DAG, or the PAG where that is shown; names that had to change are said."""
        from latconf_core.formats.graphs.registry import write_dag
        from latconf_core.formats.graphs.registry import write_graph as write_marks

        def write(model: ShownModel) -> Mapping[str, str]:
            if model.pag is not None:
                return write_marks(model.pag, path, format=format)
            return write_dag(model.posterior.dag.with_latent_names(model.names), path, format=format)

        self._write(path, write)

    def write_table(self, variable: str, path: Path) -> None:
        """Write the table of a variable with intervals and Dirichlet parameters."""
        from latconf_core.formats.networks.tables_csv import write_cpt_csv

        self._write(path, lambda model: write_cpt_csv(model.network, variable, path))

    def write_picture(self, scene: GraphScene, path: Path, scale: float) -> None:
        """Write the drawing with its legend."""
        self._write(path, lambda _model: export_picture(scene, path, scale=scale))

    def _write(self, path: Path, write: Callable[[ShownModel], Mapping[str, str] | None]) -> None:
        model = self.model()
        if model is not None:
            self._dialogs.write(path, lambda: write(model))

    def write_report(self, path: Path) -> None:
        """Write the report, beside the window: its pictures take a second to draw."""
        from latconf_core.pictures import find_painter
        from latconf_core.report.render import write_report

        contents = self.contents()
        if contents is None:
            return
        told = contents

        def start(_control: RunControl) -> Iterator[object]:
            write_report(told, path, painter=find_painter())
            yield path

        thread = RunThread(start)
        thread.events.connect(lambda events: self._dialogs.say_written(path) if path in events else None)
        self._runs.start(thread, f"Exporting {path.name}")

    def write_rows(self, latent: str, path: Path) -> None:
        """Write the posterior of a latent for every row, beside the window: there may be a million."""
        from latconf_core.formats.networks.tables_csv import write_latent_rows

        model = self.model()
        if model is None:
            return
        shown = model

        def start(control: RunControl) -> Iterator[object]:
            name = shown.names.get(latent, latent)
            states, watch = shown.network.states(name), Watch(control, thread.post)
            write_latent_rows(shown.posterior, latent, path, states=states, name=name, rows=shown.rows, watch=watch)
            yield path

        thread = RunThread(start)
        thread.events.connect(lambda events: self._dialogs.say_written(path) if path in events else None)
        self._runs.start(thread, f"Exporting {path.name}")


def model_filters() -> dict[str, str]:
    """The choices of the export dialog that hold a whole model: text → name of a format."""
    from latconf_core.formats.networks.registry import NETWORK_FORMATS

    return {format_filter(network_format): network_format.name for network_format in NETWORK_FORMATS}


def dag_filters() -> dict[str, str]:
    """The choices of the export dialog that can hold latents: text → name of a format."""
    from latconf_core.formats.graphs.registry import graph_formats

    able = [graph_format for graph_format in graph_formats() if graph_format.can_write and graph_format.holds_latents]
    return {format_filter(graph_format): graph_format.name for graph_format in able}


def pag_filters() -> dict[str, str]:
    """The choices of the export dialog for a PAG: text → name of a format."""
    from latconf_core.formats.graphs.registry import graph_formats

    return {
        format_filter(graph_format): graph_format.name for graph_format in graph_formats() if graph_format.can_write
    }
