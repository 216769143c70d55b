"""The methods say from how many seeds a search was made, and cite what was used."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from support.small_runs import small_run

from latconf_core.report.methods_text import GFCI, methods_paragraph, references
from latconf_core.search.outcome.restarts import Restarts


@pytest.mark.parametrize(
    ("restarts", "said"),
    [
        (Restarts(3, 3, 3), "repeated from 3 seeds and the best kept; all support the same hidden causes."),
        (Restarts(3, 3, 2), "repeated from 3 seeds and the best kept; 2 of them support the same hidden causes."),
        (Restarts(3, 1, 1), ""),
        (None, ""),
    ],
)
def test_that_restarts_are_told_where_there_were_several(restarts: Restarts | None, said: str) -> None:
    told = methods_paragraph(replace(small_run(), restarts=restarts), pag_origin="", n_rows=100, version="1")
    assert (said in told) if said else "seeds" not in told


@pytest.mark.parametrize("algorithm", ["auto", "refine", "ilc-v", "hclc-v", "no-latents", "another"])
@pytest.mark.parametrize(
    ("pag_origin", "learner"), [("", ""), ("GFCI, alpha 0.05", "gfci"), ("FCI, alpha 0.05", "fci"), ("GFCI.txt", "")]
)
def test_that_every_reference_is_cited_in_its_order(algorithm: str, pag_origin: str, learner: str) -> None:
    result = replace(small_run(), algorithm=algorithm)
    told = methods_paragraph(result, pag_origin=pag_origin, learner=learner, n_rows=100, version="1")
    cited = dict.fromkeys(int(number) for number in re.findall(r" \[(\d+)\]", told))
    assert list(cited) == list(range(1, len(references(result, pag_origin=pag_origin, learner=learner)) + 1))
    assert ("learned by GFCI" in told) == (algorithm == "auto" and not pag_origin)


@pytest.mark.parametrize(("learner", "is_cited"), [("gfci", True), ("", False)])
def test_that_a_learner_is_cited_for_what_it_is_not_for_the_name_of_a_file(learner: str, is_cited: bool) -> None:
    cited = references(replace(small_run(), algorithm="ilc-v"), pag_origin="GFCI.txt", learner=learner)
    assert (GFCI in cited) == is_cited
