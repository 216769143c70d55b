from __future__ import annotations

import pytest

from latconf_core.errors import FileFormatError
from latconf_core.formats.history_csv import history_text, parse_history
from latconf_core.search.candidate import Candidate, Hidden
from latconf_core.search.outcome.history import History
from latconf_core.search.outcome.visit_columns import VisitColumns


def two_efforts() -> History:
    history = History("AB")
    history.add(Candidate((0, 1)), -3.0, level=0)
    history.add(Candidate((0, 0), (Hidden(0b11),)), -20.0, level=1, effort="light")
    return history


def test_that_a_visit_keeps_its_effort_in_both_forms() -> None:
    history = two_efforts()
    assert parse_history(history_text(history), "AB") == history
    assert History.from_json(history.to_json()) == history
    assert [visit.effort for visit in parse_history(history_text(history), "AB")] == ["full", "light"]
    assert VisitColumns("AB", list(history)).is_light.tolist() == [False, True]


def test_that_visits_of_before_there_were_efforts_are_full() -> None:
    text = "visit,kind,bidirected,p_elbo,edges,latents\n1,candidate,0,-3.0,A --> B,\n"
    assert [visit.effort for visit in parse_history(text, "AB")] == ["full"]
    rows = [[1, "candidate", 0, -3.0, "A --> B", ""]]
    old = {"version": 1, "nodes": ["A", "B"], "columns": text.splitlines()[0].split(","), "rows": rows}
    assert [visit.effort for visit in History.from_json(old)] == ["full"]


def test_that_an_unknown_effort_is_refused() -> None:
    text = history_text(two_efforts()).replace("light", "heavy")
    with pytest.raises(FileFormatError, match="not a visit"):
        parse_history(text, "AB")
