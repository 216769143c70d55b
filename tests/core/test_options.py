"""Options: the paper's defaults, and every setting out of its range."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable

import numpy as np
import pytest

from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.discretise import Discretisation
from latconf_core.data.read_options import ReadOptions
from latconf_core.errors import OptionError
from latconf_core.json_form import JsonFields
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
        (VbemOptions, "prior", "peaked"),
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


WRONG_TYPES = [
    (VbemOptions, "ess", None),
    (VbemOptions, "ess", "0.05"),
    (VbemOptions, "ess", True),
    (VbemOptions, "ess", float("inf")),
    (VbemOptions, "ess", 1e300),
    (VbemOptions, "ess", 10**400),
    (VbemOptions, "restarts", 1.5),
    (VbemOptions, "restarts", None),
    (VbemOptions, "max_iterations", 10**30),
    (VbemOptions, "max_iterations", "2000"),
    (VbemOptions, "seed", True),
    (VbemOptions, "prior", None),
    (VbemOptions, "prior", ["uniform"]),
    (SearchOptions, "max_bidirected", 4.0),
    (SearchOptions, "max_bidirected", None),
    (SearchOptions, "max_states", "3"),
    (SearchOptions, "time_limit", "60"),
    (SearchOptions, "tries_cliques", 1),
    (SearchOptions, "vbem", None),
    (SearchOptions, "vbem", 5),
    (SearchOptions, "binding", 3),
    (PagOptions, "alpha", None),
    (PagOptions, "alpha", "0.05"),
    (PagOptions, "alpha", True),
    (PagOptions, "method", None),
    (PagOptions, "statistic", 3),
    (PagOptions, "max_conditioning", 1.5),
    (PagOptions, "possible_dsep", None),
    (PagOptions, "skeleton_tests", 10**30),
]


@pytest.mark.parametrize(("kind", "setting", "value"), WRONG_TYPES)
def test_that_a_setting_of_a_wrong_type_is_refused_in_python_and_in_files(
    kind: type[JsonFields], setting: str, value: object
) -> None:
    with pytest.raises(OptionError, match=r"must be|cannot be read"):
        kind(**{setting: value})
    with pytest.raises(OptionError):
        kind.from_json({**kind().to_json(), setting: value})


def test_that_numbers_of_numpy_are_taken_and_written_as_plain_ones() -> None:
    options = SearchOptions(max_bidirected=np.int64(3), time_limit=np.float32(2.5), seed=np.uint8(7))  # type: ignore[arg-type]
    assert options == SearchOptions(max_bidirected=3, time_limit=2.5, seed=7)
    assert SearchOptions.from_json(json.loads(json.dumps(options.to_json()))) == options


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: ReadOptions(delimiter=5), "must be a text"),
        (lambda: ReadOptions(header="yes"), "must be True or False"),
        (lambda: ReadOptions(encoding="a\0b"), "is not known"),
        (lambda: Preparation(max_states=1.5), "must be a whole number"),
        (lambda: Preparation(missing_marks="NA"), "must be several texts"),
        (lambda: Preparation(include=[3]), "must be a text"),
        (lambda: Preparation(discretise=(("A", 3),)), "must be a Discretisation"),
        (lambda: Discretisation(n_bins=2.5), "must be a whole number"),
        (lambda: Discretisation(n_bins=None), "must be a whole number"),
        (lambda: Discretisation("cut points", cut_points=("1",)), "must be a number"),
    ],
)
def test_that_choices_about_data_of_a_wrong_type_are_refused(make: Callable[[], object], says: str) -> None:
    with pytest.raises(OptionError, match=says):
        make()


@pytest.mark.parametrize("options", [VbemOptions(), SearchOptions(), PagOptions()])
def test_that_options_are_frozen_equal_and_hashable(options: object) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        options.seed = 1  # type: ignore[attr-defined]
    assert hash(options) == hash(type(options)())
    assert options == type(options)()
