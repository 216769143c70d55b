"""Searches of the window obey what is known, say so, and keep it with each run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from support.search_acts import SearchHost, confounded_data, open_pag, put, quick_options, run_to_end, warm

from latconf_core.control import RunControl
from latconf_core.formats.projects.project_state import OpenedProject, open_project, save_state
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.options.searching import SearchOptions
from latconf_core.search.runner import run_search
from latconf_gui.pages.compare.comparable_graphs import list_offers
from latconf_gui.pages.model.chance.chance_job import ChanceJob, chance_job
from latconf_gui.pages.stability.stability_job import StabilityJob, run_job

KNOWN = Knowledge(tiers=(("A", "D"), ("B",), ("C",)), exogenous=("A",))


@pytest.fixture
def host(qtbot: QtBot) -> Iterator[SearchHost]:
    """The window with the Search page alone: data, a PAG and knowledge."""
    warm()
    host = SearchHost()
    put(host, confounded_data(), open_pag())
    host.document.set_knowledge(KNOWN, "Know something")
    host.page.form.show_options("refine", quick_options())
    with qtbot.waitActive(host):
        host.show()
    yield host
    host.end()


def options_of(host: SearchHost) -> SearchOptions:
    return host.page.form.options()


def test_that_a_search_gets_what_is_known_and_a_second_run_what_is_known_then(
    qtbot: QtBot, host: SearchHost, tmp_path: Path
) -> None:
    page, document = host.page, host.document
    assert "3 tiers, 1 exogenous variable" in page.knowledge.text.text()
    run_to_end(qtbot, page, "refine")
    first = document.state.runs[-1]
    expected = run_search(confounded_data(), open_pag(), "refine", options=first.result.options, knowledge=KNOWN)
    assert first.result.knowledge == KNOWN
    assert first.result.best == expected.best
    assert "Knowledge: 3 tiers, 1 exogenous variable." in page.banner.end.text()

    document.set_knowledge(NO_KNOWLEDGE, "Clear")
    assert "you have changed the knowledge since" in page.banner.end.text()
    run_to_end(qtbot, page, "refine")
    second = document.state.runs[-1]
    assert second.result.knowledge == NO_KNOWLEDGE
    assert "Knowledge:" not in page.banner.end.text()

    origins = {offer.origin for offer in list_offers(document)}
    assert {f"{first.name}, with knowledge", second.name} <= origins
    assert all(graph.origin == second.name for graph in page.results_to_compare())
    stability, chance = run_job(document.state, first), chance_job(document.state, first)
    assert isinstance(stability, StabilityJob)
    assert stability.knowledge == KNOWN
    assert not isinstance(chance, ChanceJob) or chance.knowledge == KNOWN

    path = tmp_path / "known.latconf"
    for _ in save_state(document.state, path, RunControl(), post=lambda _step: None):
        pass
    opened = list(open_project(path, RunControl(), post=lambda _step: None))[-1]
    assert isinstance(opened, OpenedProject)
    assert [run.result.knowledge for run in opened.state.runs] == [KNOWN, NO_KNOWLEDGE]
    host.document.undo_stack.undo()
    host.document.undo_stack.undo()
    assert "Knowledge: 3 tiers, 1 exogenous variable." in page.banner.end.text()
