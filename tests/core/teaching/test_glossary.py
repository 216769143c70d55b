"""The glossary holds what it promises, and finds its terms in texts."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from latconf_core.pag.learners.catalogue import LEARNERS
from latconf_core.search.catalogue import SEARCHES
from latconf_core.teaching.glossary import Bars, GlossaryEntry, explain_label, find_entries, find_mentions, glossary

ENTRIES = list(glossary().values())
SENTENCE_END = re.compile(r"[.!?](?=\s|$)")


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.term)
def test_that_every_term_has_two_sentences_and_a_picture(entry: GlossaryEntry) -> None:
    assert len(SENTENCE_END.findall(entry.text)) == 2
    assert entry.text.endswith(".")
    if isinstance(entry.picture, Bars):
        assert 2 <= len(entry.picture.bars) <= 4
        assert all(value >= 0 for _, value in entry.picture.bars)
    else:
        assert entry.picture.graph.n_edges
        assert set(entry.picture.places) == set(entry.picture.graph.nodes)


def test_that_no_word_and_no_label_belongs_to_two_terms() -> None:
    words = [word.casefold() for entry in ENTRIES for word in {*entry.links, entry.term}]
    assert sorted(words) == sorted(set(words))
    labels = [label.casefold() for entry in ENTRIES for label in entry.labels]
    assert sorted(labels) == sorted(set(labels))


def test_that_entries_stand_in_alphabetical_order() -> None:
    assert all(first.name.casefold() < second.name.casefold() for first, second in pairwise(ENTRIES))


def test_that_every_learner_and_every_search_is_explained() -> None:
    titles = [one.title for one in (*LEARNERS.values(), *SEARCHES.values())]
    assert [title for title in titles if explain_label(title) is None] == []


def mentioned(text: str) -> list[tuple[str, str]]:
    return [(text[mention.start : mention.end], mention.entry.term) for mention in find_mentions(text)]


def test_that_a_text_is_linked_where_it_first_uses_a_term() -> None:
    text = "Circles of a PAG: the PAG leaves a hidden common cause open."
    assert mentioned(text) == [
        ("Circles", "circle"),
        ("PAG", "PAG"),
        ("hidden common cause", "hidden common cause"),
    ]


def test_that_the_longer_of_two_terms_wins_and_parts_of_words_are_left_alone() -> None:
    assert mentioned("a valid PAG") == [("valid PAG", "valid PAG")]
    assert mentioned("RFCI, not FCI") == [("RFCI", "RFCI"), ("FCI", "FCI")]
    assert mentioned("the entailment of DAGitty and mid-circle") == []


def test_that_titles_of_the_window_are_explained() -> None:
    assert explain_label("&Significance level:").term == "alpha"
    assert explain_label("Seed").term == "seed"
    assert explain_label("Copy") is None


def test_that_a_search_finds_names_before_texts() -> None:
    found = [entry.term for entry in find_entries("collider")]
    assert found[0] == "collider"
    assert "orientation rules" in found
    assert len(find_entries("")) == len(ENTRIES)
    assert find_entries("no such thing") == ()
