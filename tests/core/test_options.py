"""Options: the paper's defaults, and every setting out of its range."""

from __future__ import annotations

import dataclasses

import pytest

from latconf_core.errors import OptionError
from latconf_core.options.learning import PagOptions
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions


def test_that_the_defaults_are_those_of_the_paper() -> None:
    search = SearchOptions()
    assert (search.max_bidirected, search.time_limit, search.max_states) == (4, 12 * 3600, None)
    assert search.vbem.tolerance == 0.01
    assert search.vbem.prior == "empirical"
    assert PagOptions().alpha == 0.05


@pytest.mark.parametrize(
    ("kind", "setting", "value"),
    [
        (VbemOptions, "prior", "flat"),
        (VbemOptions, "posterior", "mean-field"),
        (VbemOptions, "ess", 0),
        (VbemOptions, "ess", float("nan")),
        (VbemOptions, "restarts", 0),
        (VbemOptions, "tolerance", 0),
        (VbemOptions, "max_iterations", 0),
        (VbemOptions, "max_joint_states", 0),
        (VbemOptions, "seed", -1),
        (SearchOptions, "max_bidirected", -1),
        (SearchOptions, "max_states", 1),
        (SearchOptions, "time_limit", 0),
        (SearchOptions, "time_limit", float("nan")),
        (SearchOptions, "max_candidates", 0),
        (SearchOptions, "invalid_pag", "ignore"),
        (SearchOptions, "workers", 0),
        (SearchOptions, "seed", -1),
        (PagOptions, "alpha", 0),
        (PagOptions, "alpha", 1),
        (PagOptions, "alpha", float("nan")),
        (PagOptions, "degrees_of_freedom", "some"),
        (PagOptions, "max_conditioning", -1),
        (PagOptions, "possible_dsep_size", -1),
        (PagOptions, "possible_dsep_tests", -1),
        (PagOptions, "sample_prior", 0),
        (PagOptions, "structure_prior", -1),
        (PagOptions, "structure_prior_over", "columns"),
    ],
)
def test_that_a_setting_out_of_range_is_refused_with_its_value(kind: type, setting: str, value: object) -> None:
    with pytest.raises(OptionError) as caught:
        kind(**{setting: value})
    assert repr(value).strip("'") in str(caught.value)


@pytest.mark.parametrize("options", [VbemOptions(), SearchOptions(), PagOptions()])
def test_that_options_are_frozen_equal_and_hashable(options: object) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        options.seed = 1  # type: ignore[attr-defined]
    assert hash(options) == hash(type(options)())
    assert options == type(options)()
