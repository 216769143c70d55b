"""The events of every learner as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.small_runs import confounded

from latconf_core.errors import FileFormatError
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import TripleAmbiguous, pag_event_from_json, pag_event_to_json
from latconf_core.pag.learners.catalogue import learn_pag


@pytest.mark.parametrize("method", ["fci", "rfci", "cfci", "gfci"])
def test_that_every_event_of_a_learner_comes_back_from_json(method: str) -> None:
    options = PagOptions(method=method)  # type: ignore[arg-type]
    events = [TripleAmbiguous("A", "B", "C", 1, 2), *learn_pag(confounded(), options)]
    assert [pag_event_from_json(json.loads(json.dumps(pag_event_to_json(event)))) for event in events] == events


def test_that_an_event_of_a_newer_program_is_refused() -> None:
    with pytest.raises(FileFormatError, match="'EdgeDreamt' is not known to this latconf; install a newer one"):
        pag_event_from_json({"type": "EdgeDreamt"})


@pytest.mark.parametrize("content", ["EdgeRemoved", ["EdgeRemoved"], None, 3, {}])
def test_that_what_is_no_event_is_refused_with_a_sentence(content: Any) -> None:
    with pytest.raises(FileFormatError, match="is not known to this latconf"):
        pag_event_from_json(content)
