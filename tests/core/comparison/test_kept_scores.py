"""A result keeps the score of every part it was reported with, and a comparison uses those."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.small_runs import confounded, small_run

from latconf_core.comparison.compare import compare_pair
from latconf_core.comparison.numbers import describe_subject
from latconf_core.comparison.parts import kept_scores
from latconf_core.comparison.subject import Subject
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.json_form import encode
from latconf_core.score.scorer import Scorer
from latconf_core.search.outcome.part_scores import PartScore
from latconf_core.search.outcome.result import SearchResult

PLAIN = Subject("plain", LatentDag("ABC", [("A", "C"), ("B", "C")]))


def best() -> Subject:
    dag = small_run().best
    assert dag is not None
    assert dag.latents
    return Subject("best", dag)


def raised(by: float) -> SearchResult:
    """The result as if more effort had found more in the part that has the latent."""
    parts = (replace(part, p_elbo=part.p_elbo + by * (len(part.variables) > 1)) for part in small_run().parts)
    return replace(small_run(), parts=tuple(parts))


def test_that_the_parts_of_a_result_add_up_to_its_score() -> None:
    result = small_run()
    assert sum(part.p_elbo for part in result.parts) == pytest.approx(result.p_elbo, abs=1e-9)
    assert sorted(name for part in result.parts for name in part.variables) == ["A", "B", "C"]


def test_that_parts_survive_json_and_an_older_result_has_none() -> None:
    content = small_run().to_json()
    read = SearchResult.from_json(content, history=small_run().history)
    assert read.parts == small_run().parts
    older = {key: value for key, value in content.items() if key != "parts"}
    assert SearchResult.from_json(older, history=small_run().history).parts == ()


def test_that_a_comparison_takes_the_scores_that_were_reported() -> None:
    result, scorer = raised(3.0), Scorer(confounded(), small_run().options.vbem)
    kept = kept_scores([result], scorer)
    pair = compare_pair(PLAIN, best(), scorer=scorer, kept=kept)
    fresh = compare_pair(PLAIN, best(), scorer=scorer)
    assert pair.scores is not None
    assert fresh.scores is not None
    assert pair.parts is not None
    assert pair.scores[1] == pytest.approx(sum(part.p_elbo for part in result.parts), abs=1e-9)
    assert pair.scores[1] == pytest.approx(fresh.scores[1] + 3.0, abs=0.01)  # the tolerance of a fit
    assert pair.scores[0] == fresh.scores[0]
    assert sum(part.difference for part in pair.parts) == pytest.approx(pair.score_difference, abs=1e-6)
    assert describe_subject(best(), scorer, kept).score == pair.scores[1]


def test_that_of_two_results_the_higher_score_is_taken() -> None:
    scorer = Scorer(confounded(), small_run().options.vbem)
    assert kept_scores([raised(1.0), raised(2.0)], scorer) == kept_scores([raised(2.0)], scorer)


def test_that_scores_of_other_data_or_another_prior_are_not_taken() -> None:
    vbem = small_run().options.vbem
    assert kept_scores([small_run()], Scorer(confounded(300), vbem)) == {}
    assert kept_scores([small_run()], Scorer(confounded(), replace(vbem, ess=2.0))) == {}
    assert kept_scores([small_run()], Scorer(confounded(), replace(vbem, restarts=1, seed=9))) != {}


def test_that_a_part_is_written_by_its_variables() -> None:
    assert encode(PartScore(("A", "B"), -3.5)) == {"part": ["A", "B"], "p_elbo": -3.5}
