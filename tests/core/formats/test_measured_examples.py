from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import latconf_core as latconf
from latconf_core.control import RunControl
from latconf_core.data.reading.load import read_table
from latconf_core.errors import OptionError
from latconf_core.files import read_text
from latconf_core.formats.example_choice import ExampleChoice, default_choice
from latconf_core.formats.example_files import examples_folder
from latconf_core.formats.examples import example_names, load_example
from latconf_core.formats.measured_examples import (
    FOLDER,
    MeasuredName,
    load_measured,
    measured_example,
    measured_examples,
    measured_names,
)
from latconf_core.formats.projects.opening import open_example
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.search.outcome.result import SearchResult
from latconf_core.wording.overall_verdict import overall_verdict
from latconf_core.wording.verdicts import claim_sentence

TABLES = examples_folder() / FOLDER


@pytest.mark.parametrize("name", get_args(MeasuredName))
def test_that_each_table_has_the_columns_and_rows_that_are_said_and_names_source_and_licence(name: str) -> None:
    example = measured_example(name)
    raw = read_table(TABLES / f"{name}.arff")
    assert tuple(column for column in raw.names if column != example.counts) == example.columns
    table = load_measured(name, hide=())
    assert table.dataset.n_rows == example.n_rows
    assert table.dataset.names == example.columns
    text = read_text(TABLES / f"{name}.arff")
    assert "% Source: " in text
    assert "Licence: " in text
    assert example.known.count(". ") == 1
    assert example.known.endswith(".")


def test_that_the_index_has_every_file_and_no_name_of_a_network() -> None:
    assert set(measured_names()) == set(get_args(MeasuredName)) == {path.stem for path in TABLES.glob("*.arff")}
    assert not set(measured_names()) & set(example_names())
    with pytest.raises(OptionError, match="there is no measured table 'vote'; choose one of votes, "):
        measured_example("vote")


def test_that_the_counts_are_those_that_were_published() -> None:
    berkeley = load_measured("berkeley", hide=()).dataset.to_pandas()
    admitted = berkeley[berkeley.admission == "admitted"].groupby("gender", observed=True).size()
    assert admitted.to_dict() == {"male": 1198, "female": 557}
    stones = load_measured("kidney-stones", hide=()).dataset.to_pandas()
    successes = stones[stones.outcome == "success"].groupby("treatment", observed=True).size()
    assert successes.to_dict() == {"open": 273, "percutaneous": 289}
    titanic = load_measured("titanic").dataset.to_pandas()
    assert (titanic.survived == "yes").sum() == 711
    plans = load_measured("college-plans").dataset
    assert plans.distinct.counts.sum() == 10_318
    votes = load_measured("votes")
    assert np.bincount(votes.held[0].codes).tolist() == [124, 108]


def test_that_columns_held_back_never_reach_the_data_and_keep_their_rows() -> None:
    table = load_example("votes")
    assert "party" not in table.dataset.names
    (party,) = table.held
    both = load_measured("votes", hide=()).dataset.to_pandas()
    assert both.party.astype(str).tolist() == [party.states[code] for code in party.codes]
    votes = table.dataset.to_pandas()
    assert both.drop(columns="party").astype(str).equals(votes.astype(str))


def test_that_held_back_columns_of_counted_rows_are_written_out_row_by_row() -> None:
    table = load_measured("berkeley")
    written = load_measured("berkeley", hide=()).dataset.to_pandas()
    (department,) = table.held
    assert written.department.astype(str).tolist() == [department.states[code] for code in department.codes]
    assert table.held_data.n_rows == table.dataset.n_rows == 4526


def test_that_the_experts_graph_is_seen_without_what_is_hidden() -> None:
    whole, hidden = load_measured("sachs-measured", hide=()), load_measured("sachs-measured")
    assert whole.believed_graph is not None
    assert len(whole.believed_graph.edges) == 20
    assert hidden.believed_graph is not None
    (latent,) = hidden.believed_graph.latents
    assert set(latent.children) == {"Raf", "Mek", "PKA", "P38", "Jnk"}
    assert set(hidden.believed_graph.nodes) == set(hidden.dataset.names)


@pytest.mark.parametrize("name", ["votes", "sachs-measured"])
def test_that_a_measured_table_opens_as_a_project_with_its_columns_held_back(name: str) -> None:
    choice = default_choice(name)
    *_, state = open_example(choice, RunControl())
    assert isinstance(state, ProjectState)
    assert state.source == choice
    assert state.dataset == load_measured(name).dataset
    assert tuple(column.name for column in state.held_columns) == measured_example(name).hide
    assert [item.kind for item in state.compared] == (["DAG"] if measured_example(name).truth else [])


def test_that_other_columns_can_be_held_back() -> None:
    *_, state = open_example(ExampleChoice("titanic", ("class", "age")), RunControl())
    assert isinstance(state, ProjectState)
    assert state.dataset is not None
    assert state.dataset.names == ("sex", "survived")
    assert [column.name for column in state.held_columns] == ["class", "age"]


def search(name: str) -> SearchResult:
    """What Auto says of a table as it is offered."""
    return latconf.find_latents(load_measured(name).dataset, seed=1)


@pytest.mark.parametrize(("name", "n_edges"), [("berkeley", 1), ("kidney-stones", 0)])
def test_that_two_variables_cannot_tell(name: str, n_edges: int) -> None:
    result = search(name)
    assert result.best is not None
    assert len(result.best.edges) == n_edges
    assert not result.best.latents
    assert claim_sentence(result).startswith("Cannot tell: ")
    assert overall_verdict(result)[0].startswith("Cannot tell: ")


@pytest.mark.parametrize("name", ["berkeley", "kidney-stones", "titanic"])
def test_that_nothing_is_claimed_where_nothing_is_hidden(name: str) -> None:
    result = latconf.find_latents(load_measured(name, hide=()).dataset, seed=1)
    assert result.best is not None
    assert not result.best.latents
    assert not result.evidence


@pytest.mark.parametrize(
    "algorithm",
    [pytest.param("refine", marks=pytest.mark.slow), pytest.param("auto", marks=pytest.mark.exhaustive)],
)
def test_that_the_hidden_cause_of_the_votes_agrees_with_the_party(algorithm: str) -> None:
    table = load_example("votes")
    result = latconf.find_latents(table.dataset, algorithm=algorithm, seed=1)
    assert result.best is not None
    (latent,) = result.best.latents
    assert len(latent.children) == 7
    assert result.evidence[0].support == "strong"
    (agreement,) = table.agreements(result)[latent.name]
    assert agreement.share == pytest.approx(0.79, abs=0.01)
    assert agreement.guess == pytest.approx(124 / 232)
    assert set(agreement.stands_for) == {"democrat", "republican"}


@pytest.mark.slow
def test_that_college_plans_have_a_hidden_cause_of_intelligence_and_status() -> None:
    result = search("college-plans")
    assert result.best is not None
    assert [set(latent.children) >= {"intelligence", "status"} for latent in result.best.latents] == [True]
    assert result.evidence[0].support == "strong"


@pytest.mark.exhaustive
@pytest.mark.parametrize("hide", [("PKC",), ()])
def test_that_pooled_treatments_are_a_hidden_cause_of_most_proteins(hide: tuple[str, ...]) -> None:
    table = load_measured("sachs-measured", hide=hide)
    result = latconf.find_latents(table.dataset, seed=1, time_limit=900)
    assert result.best is not None
    (latent,) = result.best.latents
    assert {"Raf", "Mek", "Plcg", "Erk", "Akt", "PKA", "P38", "Jnk"} <= set(latent.children)
    assert result.evidence[0].support == "strong"
    assert all(agreement.share > 0.7 for agreement in table.agreements(result)[latent.name])


def test_that_agreement_asks_for_a_result_on_this_table() -> None:
    result = search("kidney-stones")
    with pytest.raises(OptionError, match="the result has no model of the table 'votes'"):
        load_example("votes").agreements(result)
    assert load_measured("kidney-stones").agreements(result) == {}


def test_that_every_measured_table_is_listed_with_a_sentence_on_its_licence() -> None:
    for example in measured_examples():
        assert example.licence in ("CC0", "published counts", "public records of votes")
        assert replace(example).source
        assert Path(f"{example.name}.arff").stem == example.name
