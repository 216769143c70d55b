"""The commands of the Search page, and when each can be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from latconf_gui.pages.search.search_page import SearchPage

MENU: tuple[str | None, ...] = (
    "search.run",
    "search.auto",
    "search.pause",
    "search.stop",
    None,
    "search.best",
    "search.model",
    "search.compare",
    "search.compare_all",
    "search.manage",
    None,
    "search.chart",
    "search.table",
)
RESULTS_MENU: tuple[str | None, ...] = (
    "search.best",
    "search.model",
    "search.compare",
    None,
    "search.chart",
    "search.table",
)
TOOLBAR = ("search.run", "search.pause", "search.stop")


def add_actions(page: SearchPage) -> None:
    """Register every command of the page."""
    actions = page.context.actions
    actions.add(
        "search.run",
        "&Run the search",
        slot=page.run,
        shortcut="Ctrl+R",
        tip="Search for hidden common causes with these options",
        icon_name="play",
    )
    actions.add(
        "search.auto",
        "&Find hidden causes",
        slot=page.find_hidden_causes,
        tip="Run Auto: learn a PAG if there is none, search it, refine, and judge the hidden causes",
        icon_name="play",
    )
    actions.add(
        "search.pause",
        "&Pause",
        slot=page.pause_or_resume,
        shortcut="Ctrl+Shift+R",
        tip="Pause or resume the search",
        icon_name="pause",
    )
    actions.add(
        "search.stop",
        "&Stop",
        slot=page.running.stop,
        shortcut="Ctrl+.",
        tip="Stop the search and keep the best DAG so far",
        icon_name="stop",
    )
    actions.add("search.best", "Show the &best DAG", slot=page.show_best, tip="Draw the best DAG visited")
    actions.add("search.model", "Open the &model", slot=page.open_model, tip="Show the tables and latents of this DAG")
    tip = "Compare this DAG with others on the Compare page"
    actions.add("search.compare", "Add to &Compare", slot=page.add_to_compare, tip=tip)
    tip = "Show the result, the best DAG without hidden causes and the result of the other search side by side"
    actions.add("search.compare_all", "Compare the &results", slot=page.compare_results, tip=tip)
    actions.add(
        "search.chart",
        "Export the &chart…",
        slot=page.files.ask_chart,
        tip="Write the chart as a picture (SVG, PDF, PNG)",
    )
    actions.add(
        "search.table",
        "Export the &table…",
        slot=page.files.ask_table,
        tip="Write every visited DAG with its score, edges and latents (CSV)",
    )
    actions.add(
        "search.manage",
        "Rename or &delete runs…",
        slot=page.manage_runs,
        tip="List all runs, to rename or delete them",
    )
    actions["search.run"].setIconText("Run")


def show_enabled(page: SearchPage) -> None:
    """Enable what can be done now."""
    actions, running = page.context.actions, page.running
    actions["search.run"].setEnabled(not running.is_running)
    actions["search.auto"].setEnabled(not running.is_running and page.document.dataset is not None)
    actions["search.pause"].setEnabled(running.is_running)
    actions["search.pause"].setText("&Resume" if running.is_paused else "&Pause")
    actions["search.stop"].setEnabled(running.is_running)
    actions["search.best"].setEnabled(page.visits.best is not None)
    actions["search.compare"].setEnabled(page.visits.best is not None)
    actions["search.compare_all"].setEnabled(len(page.results_to_compare()) > 1 and "page.compare" in actions)
    actions["search.manage"].setEnabled(bool(page.document.state.runs) and not running.is_running)
    for id in ("search.chart", "search.table"):
        actions[id].setEnabled(page.history is not None)
    actions["search.model"].setEnabled(page.has_model and not running.is_running)
