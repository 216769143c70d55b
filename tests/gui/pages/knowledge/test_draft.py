"""Knowledge while it is edited: tiers that grow, empty and move, and back to knowledge."""

from __future__ import annotations

import pytest
from support.builders import knowledge_of_all_kinds

from latconf_core.errors import GraphError
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_gui.pages.knowledge.draft import NO_TIER, Draft, Tier
from latconf_gui.pages.knowledge.draft_history import DraftHistory
from latconf_gui.pages.knowledge.hidden_model import with_exogenous, with_hidden
from latconf_gui.pages.knowledge.rules_model import Rule, RuleKind, rules_of, with_rule, without_rules

ABC = tuple("ABCDE")


def test_that_every_kind_of_knowledge_survives_a_draft() -> None:
    known = knowledge_of_all_kinds()
    assert Draft.of(known).knowledge() == known
    assert set(Draft.of(known).names()) == set(known.names())
    assert Draft.of(NO_KNOWLEDGE) == Draft()


def test_that_variables_move_between_tiers_and_keep_the_order_of_the_data() -> None:
    draft = Draft().put(["C"], 0, order=ABC).put(["A", "D"], 0, order=ABC).put(["B"], 7, order=ABC)
    assert draft.tiers == (Tier(tuple("ACD")), Tier(("B",)))
    assert draft.put(["A", "B"], NO_TIER, order=ABC).knowledge() == Knowledge(tiers=(("C", "D"),))
    assert [draft.tier_of(name) for name in "ABE"] == [0, 1, NO_TIER]


def test_that_an_empty_tier_says_nothing_and_closed_ones_keep_to_their_variables() -> None:
    draft = Draft((Tier(("A",)), Tier(is_closed=True), Tier(("B", "C"), is_closed=True)))
    assert draft.knowledge() == Knowledge((("A",), ("B", "C")), frozenset({1}))
    assert draft.move_tier(2, -1).insert_tier(0).knowledge() == Knowledge((("A",), ("B", "C")), frozenset({1}))
    assert draft.move_tier(2, -2).knowledge() == Knowledge((("B", "C"), ("A",)), frozenset({0}))
    assert draft.remove_tier(0).knowledge() == Knowledge((("B", "C"),), frozenset({0}))
    assert draft.close_tier(2, False).knowledge() == Knowledge((("A",), ("B", "C")))


def test_that_a_draft_may_contradict_itself_and_knowledge_may_not() -> None:
    draft = Draft().put(["A"], 0, order=ABC).put(["B"], 1, order=ABC)
    contradictory = with_rule(draft, Rule(RuleKind.REQUIRED, "B", "A"))
    with pytest.raises(GraphError, match="B --> A is required, but B is in a later tier than A"):
        contradictory.knowledge()
    assert without_rules(contradictory, rules_of(contradictory)).knowledge() == draft.knowledge()


@pytest.mark.parametrize("kind", RuleKind)
def test_that_a_rule_of_each_kind_is_kept_once_and_deleted_alone(kind: RuleKind) -> None:
    rule, other = Rule(kind, "A", "B"), Rule(kind, "C", "D")
    draft = with_rule(with_rule(with_rule(Draft(), rule), other), rule)
    assert rules_of(draft) == [rule, other]
    assert rules_of(without_rules(draft, [rule])) == [other]


def test_that_nothing_is_said_where_hidden_causes_may_act_on_all_variables() -> None:
    draft = with_hidden(Draft(), ["B"], False, variables=ABC)
    assert draft.may_be_hidden == tuple("ACDE")
    assert with_hidden(draft, ["B"], True, variables=ABC) == Draft()


def test_that_an_exogenous_variable_is_none_that_a_hidden_cause_acts_on() -> None:
    draft = with_exogenous(with_hidden(Draft(), ["B"], False, variables=ABC), ["A"], True)
    assert draft.may_be_hidden == tuple("CDE")
    assert draft.knowledge().exogenous == ("A",)
    assert with_exogenous(with_exogenous(Draft(), ["A", "B"], True), ["A"], False).exogenous == ("B",)


def test_that_steps_are_taken_back_and_done_again_and_a_new_one_forgets_what_was_taken_back() -> None:
    history = DraftHistory(Draft())
    first, second = Draft((Tier(("A",)),)), Draft((Tier(("B",)),))
    history.push(first, "first")
    history.push(second, "second")
    history.undo()
    assert (history.draft, history.undo_text, history.redo_text) == (first, "first", "second")
    history.redo()
    assert history.draft == second
    history.undo()
    history.undo()
    history.undo()
    assert (history.draft, history.undo_text) == (Draft(), "")
    history.push(second, "other")
    assert history.redo_text == ""
