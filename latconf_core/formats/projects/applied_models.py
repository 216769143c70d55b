"""A model that is applied to a table: from whatever keeps one, a project among them."""

from __future__ import annotations

from pathlib import Path

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.errors import FileFormatError
from latconf_core.files import has_file
from latconf_core.formats.asked_models import read_model
from latconf_core.formats.projects.project_file import read_project

PROJECT = ".latconf"


def read_applied_model(source: str | Path) -> BayesNet:
    """The network of a run's folder or file, of a network file, of an example, or of the current run of a project."""
    path = Path(source)
    if path.suffix.lower() != PROJECT or not has_file(path):
        return read_model(source)
    project = read_project(path)
    run = next((run for run in project.runs if run.name == project.current_run), None)
    if run is None or run.result.posterior is None:
        raise FileFormatError("the current run of this project has no model; open the project and choose a run", path)
    return run.result.network()
