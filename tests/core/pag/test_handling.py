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
    pag = handle_pag(VALID, option)  # type: ignore[arg-type]
    assert (pag.kind, pag.graph, pag.is_valid, pag.reasons) == ("valid", VALID, True, ())
    assert str(pag) == "the graph is a valid PAG"


def test_that_auto_takes_an_ancestral_graph_as_given_with_the_reasons() -> None:
    assert has_ancestral_member(ANCESTRAL)
    pag = handle_pag(ANCESTRAL, "auto")
    assert (pag.kind, pag.graph, pag.is_valid) == ("as given", ANCESTRAL, False)
    assert pag.reasons
    assert not pag.diff


def test_that_auto_repairs_what_has_no_ancestral_graph_and_says_what_changed() -> None:
    assert not has_ancestral_member(NOT_ANCESTRAL)
    pag = handle_pag(NOT_ANCESTRAL, "auto")
    assert pag.kind == "repaired"
    assert check_pag(pag.graph).valid
    changed = {(before and str(before), after and str(after)) for before, after in pag.diff}
    assert any(before == "A <-> B" for before, _ in changed)
    assert str(pag) == f"the graph is not a valid PAG and was repaired ({len(changed)} edges changed)"


def test_that_the_option_overrules() -> None:
    assert handle_pag(NOT_ANCESTRAL, "as-given").kind == "as given"
    assert handle_pag(ANCESTRAL, "repair").kind == "repaired"
