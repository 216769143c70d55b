from __future__ import annotations

from support.builders import mixed

from latconf_core.pag.standing import find_standing
from latconf_core.wording.validity_sentences import validity_sentence


def test_that_an_invalid_pag_says_its_reason_and_what_a_search_does_once_that_is_known() -> None:
    standing = find_standing(mixed("A --> B", "B --> C", "C --> A", "C o-o D"))
    assert standing.check.reasons[0].sentence in validity_sentence(standing)
    assert "search" not in validity_sentence(standing)
    assert validity_sentence(standing, is_searched_as_given=False).endswith("The search repairs it first.")
    assert validity_sentence(standing, is_searched_as_given=True).endswith("The search uses it as given.")


def test_that_a_valid_pag_is_called_so() -> None:
    assert validity_sentence(find_standing(mixed("A o-> B", "C o-> B"))) == "This is a valid PAG."
