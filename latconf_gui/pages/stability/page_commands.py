"""The commands of the two pages: of the current PAG, and of the run whose DAG is shown."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.stability.stability_result import Stability
from latconf_gui.pages.page import PageContext
from latconf_gui.pages.stability.stability_command import StabilityCommand
from latconf_gui.pages.stability.stability_job import pag_job, run_job


def add_pag_command(context: PageContext, window: QWidget) -> StabilityCommand:
    """The command of the PAG page."""
    document = context.document
    return StabilityCommand(
        context,
        "pag",
        make_job=lambda: pag_job(document.state),
        find_kept=lambda: stability_of_pag(document.state),
        window=window,
    )


def stability_of_pag(state: ProjectState) -> Stability | None:
    """What is known of the current PAG: measured for it, or for a run on it that learned it anew."""
    kept, run = state.kept_pag, state.kept_run
    if kept is None or kept.stability is not None:
        return None if kept is None else kept.stability
    stability = None if run is None or run.pag != kept.name else run.stability
    return stability if stability is not None and stability.options.learner is not None else None


def add_model_command(context: PageContext, window: QWidget) -> StabilityCommand:
    """The command of the Model page."""
    document = context.document

    def find_kept() -> Stability | None:
        run = document.shown_run
        return None if run is None else run.stability

    return StabilityCommand(
        context,
        "model",
        make_job=lambda: run_job(document.state, document.shown_run),
        find_kept=find_kept,
        window=window,
    )
