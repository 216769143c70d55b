"""Options as JSON: what another version wrote is read as far as it can be, and said."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

import pytest

from latconf_core.errors import FileFormatError, OptionError
from latconf_core.json_form import BEFORE, JsonFields, Notes
from latconf_core.options.learning import PAG_PRESETS, PagOptions
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions

OTHER = SearchOptions(max_bidirected=2, max_states=None, time_limit=None, seed=9, vbem=VbemOptions(prior="bdeu", ess=3))


@pytest.mark.parametrize("options", [SearchOptions(), OTHER, VbemOptions(restarts=3), *PAG_PRESETS.values()])
def test_that_options_come_back_from_json(options: JsonFields) -> None:
    notes: Notes = []
    assert type(options).from_json(json.loads(json.dumps(options.to_json())), notes) == options
    assert notes == []


def test_that_an_option_that_is_not_known_is_left_out_with_a_note() -> None:
    content = OTHER.to_json()
    content["vbem"]["temperature"] = 3
    notes: Notes = []
    assert SearchOptions.from_json({**content, "later_option": "free"}, notes) == OTHER
    assert notes == [
        "'later_option' of SearchOptions is unknown to this version of latconf and was ignored",
        "'temperature' of VbemOptions is unknown to this version of latconf and was ignored",
    ]


def test_that_a_missing_option_takes_its_default() -> None:
    content = OTHER.to_json()
    del content["max_bidirected"], content["vbem"]["prior"], content["version"]
    expected = replace(OTHER, max_bidirected=4, vbem=replace(OTHER.vbem, prior="empirical"))
    assert SearchOptions.from_json(content) == expected


def test_that_an_option_of_later_takes_what_was_done_before_it() -> None:
    @dataclass(frozen=True)
    class Later(JsonFields):
        old: int = 1
        new: str = field(default="auto", metadata={BEFORE: "by hand"})

    assert Later.from_json({"old": 5}) == Later(5, "by hand")
    assert Later.from_json(Later().to_json()) == Later(1, "auto")


def test_that_options_of_a_newer_program_are_refused_with_what_to_do() -> None:
    with pytest.raises(FileFormatError, match=r"PagOptions has format 2.*install a newer one"):
        PagOptions.from_json({**PagOptions().to_json(), "version": 2})


@pytest.mark.parametrize(
    "change", [{"max_bidirected": "four"}, {"seed": True}, {"vbem": []}, {"invalid_pag": "guess"}, {"workers": 0}]
)
def test_that_a_value_that_cannot_be_is_refused_in_a_sentence(change: dict[str, object]) -> None:
    with pytest.raises(OptionError, match=str(next(iter(change.values()))).strip("[]") or "object"):
        SearchOptions.from_json({**SearchOptions().to_json(), **change})


@pytest.mark.parametrize("content", [None, 3, "x", [1], [["version", 1]]])
def test_that_options_that_are_no_object_are_refused_with_a_sentence(content: object) -> None:
    with pytest.raises(OptionError, match=r"PagOptions cannot be read: found .*, expected an object"):
        PagOptions.from_json(content)  # type: ignore[arg-type]
