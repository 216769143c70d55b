"""Meaning of a model and its latents, without a window."""

from __future__ import annotations

from dataclasses import replace

from support.small_runs import confounded, small_run

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.search.model_facts import facts_of, known_evidence


def test_that_the_tables_come_first_and_all_about_the_latents_second() -> None:
    result = small_run()
    assert result.best is not None
    tables, facts = facts_of(confounded(), result, result.best)
    assert tables.posterior is result.posterior
    assert (dict(tables.latents), tables.is_complete, facts.is_complete) == ({}, False, True)
    latent = facts.latents["L1"]
    assert latent.evidence == result.evidence[0]
    assert [point.n_states for point in latent.curve] == [2, 3]
    assert {association.variable for association in latent.associations} >= {"A", "B"}
    assert len(latent.spread) >= 1


def test_that_a_dag_without_latents_needs_one_step() -> None:
    (facts,) = facts_of(confounded(), small_run(), LatentDag("ABC", [("A", "B")]))
    assert facts.is_complete


def test_that_only_evidence_by_the_data_for_the_judged_dag_counts_as_known() -> None:
    result = small_run()
    assert result.best is not None
    assert known_evidence(result, result.best) == result.evidence
    assert known_evidence(result, result.best.with_states("L1", 5)) == ()
    not_asked = replace(result, evidence=tuple(replace(one, density=None) for one in result.evidence))
    assert known_evidence(not_asked, result.best) == ()


def test_that_what_chance_gains_is_said_of_the_judged_dag_alone() -> None:
    compared = small_run().with_null_gains((0.5, 1.5))
    assert compared.best is not None
    *_, facts = facts_of(confounded(), compared, compared.best)
    assert facts.latents["L1"].evidence.null_gains == (0.5, 1.5)
    *_, other = facts_of(confounded(), compared, compared.best.with_states("L1", 3))
    assert other.latents["L1"].evidence.density is not None
    assert other.latents["L1"].evidence.null_gains == ()
