from __future__ import annotations

import numpy as np
import pytest

from latconf_gui.charts.ranges import count_limit, score_range


def test_that_a_few_terrible_scores_do_not_flatten_the_others() -> None:
    scores = np.concatenate((-1000 - np.arange(100.0) / 10, [-50_000.0, -90_000.0]))
    low, high = score_range(scores)
    assert -1040 < low < -1009
    assert -1000 < high < -990
    assert score_range(scores, "all")[0] < -90_000


def test_that_a_chart_that_is_over_leaves_no_room_for_what_is_not_there() -> None:
    scores = np.concatenate((-1000 - np.arange(100.0) / 10, np.full(40, -1100.0)))
    running, final = (score_range(scores, is_final=is_final) for is_final in (False, True))
    assert running[0] < -1015
    assert -1012 < final[0] < -1009.9


def test_that_the_best_tenth_can_be_looked_at() -> None:
    low, high = score_range(np.arange(1000.0), "best")
    assert 880 < low < 910
    assert high > 999


def test_that_a_score_that_must_be_seen_is_seen() -> None:
    assert score_range(np.arange(1000.0), "best", also=300.0)[0] < 300


@pytest.mark.parametrize("scores", [[], [-np.inf], [-5.0], [-5.0, -5.0]])
def test_that_a_range_is_never_empty(scores: list[float]) -> None:
    low, high = score_range(np.array(scores))
    assert np.isfinite([low, high]).all()
    assert high - low >= 0.5


def test_that_an_axis_grows_in_large_steps() -> None:
    limits = [count_limit(count) for count in range(1, 100_000)]
    assert all(limit >= count for count, limit in enumerate(limits, start=1))
    assert len(set(limits)) <= 12
