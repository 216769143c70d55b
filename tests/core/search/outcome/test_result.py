"""A result as JSON: the keys that others rely on, what an older program wrote, and events that carry it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from support.builders import mixed
from support.small_runs import GRAPH, OPTIONS, confounded, small_run

from latconf_core.control import Progress
from latconf_core.errors import FileFormatError
from latconf_core.graph.marks import Edge
from latconf_core.json_form import Notes
from latconf_core.pag.handling import PagHandling
from latconf_core.search.outcome.events import (
    CandidateScored,
    SearchFinished,
    StatesTried,
    search_event_from_json,
    search_event_to_json,
)
from latconf_core.search.outcome.history import History
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import start_search

KEYS = {"search", "p_elbo", "elbo", "n_scored", "levels", "stop_reason", "truncated", "seconds", "seed", "latents"}
KEYS |= {"edges", "best_with_latents", "best_without_latents", "reference"}
FIELDS = ("algorithm", "options", "dataset_digest", "pag", "pag_handling", "best", "evidence", "stop_reason", "cuts")
REPAIRED = PagHandling(
    mixed("A o-o B", "A o-> C", nodes=list("ABC")),
    "repaired",
    ("r",),
    ((Edge.parse("A <-> B"), Edge.parse("A o-o B")), (Edge.parse("B o-> C"), None)),
)


def through_text(content: object) -> dict[str, object]:
    back: dict[str, object] = json.loads(json.dumps(content))
    return back


def test_that_the_keys_of_the_command_line_stand_at_the_top_level() -> None:
    content = small_run().to_json()
    assert content.keys() >= KEYS
    (latent,) = content["latents"]
    judged = {"orientation", "density", "support", "held_out_gain"}
    assert latent.keys() == {"name", "states", "children", "parent", "readings", "proxy", *judged}


def test_that_the_arrows_of_an_older_result_are_told_too() -> None:
    result = small_run()
    content = through_text(result.to_json())
    arrows = content["arrows"]
    assert [(arrow["from"], arrow["to"]) for arrow in arrows] == list(result.best.all_edges())  # type: ignore[union-attr]
    older = {key: value for key, value in content.items() if key not in ("arrows", "determined_pag")}
    back = SearchResult.from_json(older, history=result.history)
    assert back.to_json()["arrows"] == arrows
    assert back.arrows == result.arrows


def test_that_a_result_comes_back_from_json() -> None:
    result = replace(small_run(), pag_handling=REPAIRED, cuts=("a cut",))
    back = SearchResult.from_json(through_text(result.to_json()), history=result.history)
    for name in (*FIELDS, "seconds"):
        assert getattr(back, name) == getattr(result, name), name
    assert back.to_json() | {"converged": 0, "bic": 0} == result.to_json() | {"converged": 0, "bic": 0}


def test_that_a_result_without_a_score_has_no_dag() -> None:
    result = replace(small_run(), history=History("ABC"), best=None, posterior=None, evidence=())
    back = SearchResult.from_json(through_text(result.to_json()), history=result.history)
    assert (back.best, back.p_elbo) == (None, None)


def test_that_a_result_of_version_1_is_read_with_the_graph_that_was_searched() -> None:
    result = replace(small_run(), pag_handling=REPAIRED)
    old = result.to_json()
    for key in ("format", "version", "program", "reference"):
        del old[key]
    changes = [[str(before), None if after is None else str(after)] for before, after in REPAIRED.diff]
    old["treatment"] = {"kind": "repaired", "reasons": ["r"], "changes": changes}
    old["latents"] = [{key: one[key] for key in ("name", "states", "children")} for one in old["latents"]]
    del old["options"]["version"], old["options"]["vbem"]["version"]
    back = SearchResult.from_json(through_text(old), history=result.history)
    for name in FIELDS:
        assert getattr(back, name) == getattr(result, name), name
    assert back.pag == GRAPH


def test_that_an_unknown_option_of_a_result_is_noted_and_a_newer_result_refused() -> None:
    content = through_text(small_run().to_json())
    notes: Notes = []
    content["options"]["magic"] = 1  # type: ignore[index]
    assert SearchResult.from_json(content, history=small_run().history, notes=notes).options == replace(
        OPTIONS, objective="paper"
    )
    assert notes == ["'magic' of SearchOptions is unknown to this version of latconf and was ignored"]
    with pytest.raises(FileFormatError, match=r"this result has format 4.*install a newer one"):
        SearchResult.from_json({**content, "version": 4}, history=small_run().history)


def test_that_a_history_comes_back_from_json_and_a_newer_one_is_refused() -> None:
    history = small_run().history
    content = through_text(history.to_json())
    assert History.from_json(content) == history
    with pytest.raises(FileFormatError, match="this history has format 7"):
        History.from_json({**content, "version": 7})


def test_that_every_event_of_a_search_comes_back_from_json() -> None:
    events = [Progress(1, None, "text"), *start_search(confounded(), GRAPH, "hclc-v", options=OPTIONS)]
    assert {CandidateScored, StatesTried} <= {type(event) for event in events}
    for event in events:
        back = search_event_from_json(through_text(search_event_to_json(event)))
        assert type(back) is type(event)
        if isinstance(back, SearchFinished) and isinstance(event, SearchFinished):
            assert back.result.history == event.result.history
            assert back.result.best == event.result.best
        else:
            assert back == event


@pytest.mark.parametrize("content", [{"type": "Surprise"}, {}, {"type": "LevelStarted", "level": "two"}])
def test_that_an_event_that_is_none_is_refused(content: dict[str, object]) -> None:
    with pytest.raises(FileFormatError, match="event"):
        search_event_from_json(content)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("reference", "p_elbo"), "²"),
        (("reference", "p_elbo"), None),
        (("evidence", 0, "density"), "3"),
        (("evidence", 0, "support"), 7),
        (("evidence", 0, "over_local"), [1]),
        (("evidence", 0, "beside"), "AB"),
        (("evidence", 0, "better_by"), 3.0),  # than what?
        (("evidence", 0, "orientation"), [["A", "B", "dreams"]]),
        (("parts", 0, "p_elbo"), "1"),
        (("parts", 0, "part"), [1]),
        (("seconds",), "5"),
    ],
)
def test_that_a_part_of_a_wrong_type_is_refused_where_it_is_read(place: tuple[str | int, ...], value: object) -> None:
    """And not where it is shown: a report of such a result failed inside."""
    result = small_run()
    content = through_text(result.to_json())
    holder = content
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    with pytest.raises((ValueError, TypeError)):
        SearchResult.from_json(content, history=result.history)


@pytest.mark.parametrize("inside", ["x", 5, None, [1]])
def test_that_a_finished_search_without_a_result_is_refused(inside: object) -> None:
    with pytest.raises(FileFormatError, match="event"):
        search_event_from_json({"type": "SearchFinished", "result": inside, "history": inside})
