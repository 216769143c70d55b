"""The section of a report on what the user said about causes before any data."""

from __future__ import annotations

from latconf_core.report.contents import ReportContents
from latconf_core.report.page import listing, paragraph, section, table
from latconf_core.wording.knowledge_sentences import knowledge_sentences
from latconf_core.wording.knowledge_texts import TIERS_MEAN, knowledge_statements, knowledge_summary

TITLE = "Background knowledge"


def knowledge_section(contents: ReportContents) -> str:
    """Every statement, and what it did to the search; nothing where nothing was said."""
    result = contents.result
    if not result.knowledge:
        return ""
    obeyed = f"Every visited DAG obeys this knowledge: {knowledge_summary(result.knowledge)}."
    return section(
        TITLE,
        paragraph(obeyed),
        paragraph(TIERS_MEAN) if result.knowledge.tiers else "",
        table(("Statement", "About"), list(knowledge_statements(result.knowledge))),
        listing(knowledge_sentences(result)),
    )
