"""Values say what they are through a port that the package fills from above."""

from __future__ import annotations

import pytest
from support.small_runs import small_run

from latconf_core.descriptions import describe
from latconf_core.wording.verdicts import verdict


def test_that_a_result_says_its_verdict_wherever_it_words_itself() -> None:
    result = small_run()
    assert describe(result) == verdict(result) == result.to_json()["verdict"]
    assert verdict(result).split(" ", 1)[0] in result._repr_html_()


def test_that_a_value_without_words_is_refused() -> None:
    with pytest.raises(ValueError, match="int has no words"):
        describe(3)
