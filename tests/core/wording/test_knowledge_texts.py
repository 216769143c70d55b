"""What the user says about causes, counted and statement by statement."""

from __future__ import annotations

import pytest
from support.builders import knowledge_of_all_kinds

from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.wording.knowledge_texts import (
    MOST_NAMED,
    knowledge_statements,
    knowledge_summary,
    remaining_text,
)


def test_that_the_summary_counts_every_kind_of_statement() -> None:
    said = (
        "2 tiers, 1 required edge, 1 forbidden edge, 1 forbidden effect, 1 exogenous variable, "
        "1 group without a hidden cause, hidden causes only among 4 variables"
    )
    assert knowledge_summary(knowledge_of_all_kinds()) == said
    assert knowledge_summary(NO_KNOWLEDGE) == ""
    known = Knowledge((("A",), (), ("B",), ("C",)), required=(("A", "B"), ("A", "C")))
    assert knowledge_summary(known) == "3 tiers, 2 required edges"


def test_that_the_statements_name_every_variable_that_is_named() -> None:
    statements = dict(knowledge_statements(knowledge_of_all_kinds()))
    assert statements == {
        "Tier 1, no effects within": "A, B",
        "Tier 2": "C, D",
        "Required edges": "B --> C",
        "Forbidden edges": "A --> D",
        "No effect, direct or indirect": "E on C",
        "Exogenous (no measured causes)": "A",
        "No shared hidden cause among": "B, C and D",
        "Hidden causes only among": "B, C, D, E",
    }
    assert list(knowledge_statements(NO_KNOWLEDGE)) == []
    assert dict(knowledge_statements(Knowledge(hidden_causes_only_among=()))) == {
        "Hidden causes only among": "no variables"
    }


def test_that_a_long_statement_says_how_much_is_left_out() -> None:
    names = tuple(f"V{i}" for i in range(MOST_NAMED + 1_500))
    ((_, said),) = knowledge_statements(Knowledge(exogenous=names))
    assert said.endswith("V39, … 1,500 more")


@pytest.mark.parametrize(
    ("remaining", "said"),
    [
        (None, "PAG with knowledge"),
        ((1, 5), "PAG with knowledge: 1 of 5 MAGs remains"),
        ((2, 12_000), "PAG with knowledge: 2 of 12,000 MAGs remain"),
    ],
)
def test_that_a_pag_with_knowledge_says_how_many_mags_remain(remaining: tuple[int, int] | None, said: str) -> None:
    assert remaining_text(remaining) == said
