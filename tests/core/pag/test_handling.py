"""Graphs that are no valid PAGs: when they are searched as given, and when repaired."""

from __future__ import annotations

import pytest
from support.builders import mixed

from latconf_core.pag.handling import handle_pag, has_ancestral_member
from latconf_core.pag.validity import check_pag

VALID = mixed("A o-> B", "C o-> B")
# A --> C is not what the rules give, but its graphs are ancestral.
ANCESTRAL = mixed("A o-> B", "C --> B")
# B is an ancestor and a spouse of D in every graph: an almost directed cycle.
NOT_ANCESTRAL = mixed("A <-> B", "A --> C", "C --> B")


@pytest.mark.parametrize("option", ["auto", "as-given", "repair"])
def test_that_a_valid_pag_is_never_changed(option: str) -> None:
    found = handle_pag(VALID, option)  # type: ignore[arg-type]
    assert (found.kind, found.graph, found.is_valid, found.reasons) == ("valid", VALID, True, ())
    assert str(found) == "the graph is a valid PAG"


def test_that_auto_takes_an_ancestral_graph_as_given_with_the_reasons() -> None:
    assert has_ancestral_member(ANCESTRAL)
    found = handle_pag(ANCESTRAL, "auto")
    assert (found.kind, found.graph, found.is_valid) == ("as given", ANCESTRAL, False)
    assert found.reasons
    assert not found.diff


def test_that_auto_repairs_what_has_no_ancestral_graph_and_says_what_changed() -> None:
    assert not has_ancestral_member(NOT_ANCESTRAL)
    found = handle_pag(NOT_ANCESTRAL, "auto")
    assert found.kind == "repaired"
    assert check_pag(found.graph).valid
    changed = {(before and str(before), after and str(after)) for before, after in found.diff}
    assert any(before == "A <-> B" for before, _ in changed)
    assert str(found) == f"the graph is not a valid PAG and was repaired ({len(changed)} edges changed)"


def test_that_the_option_overrules() -> None:
    assert handle_pag(NOT_ANCESTRAL, "as-given").kind == "as given"
    assert handle_pag(ANCESTRAL, "repair").kind == "repaired"
