"""The methods say from how many seeds a search was made."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.small_runs import small_run

from latconf_core.report.methods_text import methods_paragraph
from latconf_core.search.outcome.restarts import Restarts


@pytest.mark.parametrize(
    ("restarts", "said"),
    [
        (Restarts(3, 3, 3), "from 3 seeds, of which the best counts and all support the same hidden causes"),
        (Restarts(3, 3, 2), "from 3 seeds, of which the best counts and 2 support the same hidden causes"),
        (Restarts(3, 1, 1), ""),
        (None, ""),
    ],
)
def test_that_restarts_are_told_where_there_were_several(restarts: Restarts | None, said: str) -> None:
    told = methods_paragraph(replace(small_run(), restarts=restarts), pag_origin="", n_rows=100, version="1")
    assert (said in told) if said else "seeds" not in told
