"""What the user said stands in report, methods and verdict of a run, and nowhere where nothing was said."""

from __future__ import annotations

from functools import cache

import pytest
from support.small_runs import GRAPH, OPTIONS, confounded, small_run

from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.report.contents import ReportContents
from latconf_core.report.knowledge_section import TITLE
from latconf_core.report.methods_text import methods_paragraph
from latconf_core.report.render import render_report
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_search
from latconf_core.wording.knowledge_sentences import knowledge_sentences
from latconf_core.wording.knowledge_texts import knowledge_remark, knowledge_sentence, knowledge_statements
from latconf_core.wording.verdicts import verdict

KNOWN = Knowledge(tiers=(("A", "B"), ("C", "Gone")), no_hidden_cause=(("A", "C"),))


@cache
def informed_run() -> SearchResult:
    """What HCLC-V finds where C comes last."""
    return run_search(confounded(), GRAPH, "hclc-v", options=OPTIONS, knowledge=KNOWN)


def test_that_a_report_has_every_statement_and_what_it_did() -> None:
    page = render_report(ReportContents(informed_run(), "Title"))
    assert f"<h2>{TITLE}</h2>" in page
    for title, about in knowledge_statements(KNOWN):
        assert title in page
        assert about in page
    assert "Gone" in page
    assert f"<h2>{TITLE}</h2>" not in render_report(ReportContents(small_run(), "Title"))


def test_that_the_verdict_and_the_methods_count_what_was_said() -> None:
    said = knowledge_sentence(KNOWN)
    assert "2 tiers" in said
    assert said in verdict(informed_run())
    assert all(sentence in verdict(informed_run()) for sentence in knowledge_sentences(informed_run()))
    assert "(2 tiers, 1 group without a hidden cause)" in methods_paragraph(
        informed_run(), pag_origin="", n_rows=None, version="1"
    )
    assert "nowledge" not in verdict(small_run())
    assert "nowledge" not in methods_paragraph(small_run(), pag_origin="", n_rows=None, version="1")


@pytest.mark.parametrize(
    ("used", "now", "said"),
    [
        (Knowledge(), Knowledge(), ""),
        (Knowledge(exogenous=("A",)), Knowledge(exogenous=("A",)), "1 exogenous variable"),
        (Knowledge(exogenous=("A",)), Knowledge(), "1 exogenous variable; you have changed the knowledge since"),
        (Knowledge(), Knowledge(exogenous=("A",)), "none; you have changed the knowledge since"),
    ],
)
def test_that_a_run_says_whether_its_knowledge_is_that_of_now(used: Knowledge, now: Knowledge, said: str) -> None:
    assert knowledge_remark(used, now) == said
