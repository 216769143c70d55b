from __future__ import annotations

import pytest

from latconf_core.errors import FileFormatError
from latconf_core.formats.history_csv import history_text, parse_history
from latconf_core.model.bit_dag import BitDag, Hidden
from latconf_core.search.outcome.history import History


def staged_scoring() -> History:
    history = History("AB")
    history.add(BitDag((0, 1)), -3.0, level=0)
    history.add(BitDag((0, 0), (Hidden(0b11),)), -20.0, level=1, effort="light")
    return history


def test_that_a_visit_keeps_its_effort_in_both_forms() -> None:
    history = staged_scoring()
    assert parse_history(history_text(history), "AB") == history
    assert History.from_json(history.to_json()) == history
    assert [visit.effort for visit in parse_history(history_text(history), "AB")] == ["full", "light"]
    assert History("AB", list(history)).is_light.tolist() == [False, True]


def test_that_visits_of_before_there_were_efforts_are_full() -> None:
    text = "visit,kind,bidirected,p_elbo,edges,latents\n1,candidate,0,-3.0,A --> B,\n"
    assert [visit.effort for visit in parse_history(text, "AB")] == ["full"]
    rows = [[1, "candidate", 0, -3.0, "A --> B", ""]]
    old = {"version": 1, "nodes": ["A", "B"], "columns": text.splitlines()[0].split(","), "rows": rows}
    assert [visit.effort for visit in History.from_json(old)] == ["full"]


def test_that_visits_of_before_levels_had_their_name_are_read() -> None:
    text = "visit,kind,bidirected,p_elbo,edges,latents,effort\n1,candidate,2,-3.0,A --> B,,light\n"
    assert [(visit.level, visit.effort) for visit in parse_history(text, "AB")] == [(2, "light")]


def test_that_a_later_full_score_is_in_the_columns_and_leaves_the_visit_as_it_was_scored() -> None:
    history = staged_scoring()
    history.add_full_score(1, -2.0)
    assert history.p_elbo.tolist() == [-3.0, -2.0]
    assert history.is_light.tolist() == [False, False]
    assert (history[1].p_elbo, history[1].effort, history.score(1)) == (-20.0, "light", -2.0)
    assert history.best == history[0]
    with pytest.raises(IndexError):
        history.add_full_score(2, -1.0)


@pytest.mark.parametrize("name", ["p_elbo", "is_light", "level", "n_latents"])
def test_that_nobody_can_write_to_a_column(name: str) -> None:
    history = staged_scoring()
    for _ in range(2):
        with pytest.raises(ValueError, match="read-only"):
            getattr(history, name)[0] = 1
        history.add_full_score(0, -1.0)


def test_that_an_unknown_effort_is_refused() -> None:
    text = history_text(staged_scoring()).replace("light", "heavy")
    with pytest.raises(FileFormatError, match="not a visit"):
        parse_history(text, "AB")
