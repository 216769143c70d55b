"""What is said of arrows: every kind has words, and no open arrow is called a cause."""

from __future__ import annotations

import pytest

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.determined.arrows import Arrow, ArrowKind, DagClass
from latconf_core.wording.arrow_words import (
    KIND_LABELS,
    arrow_sentence,
    arrow_text,
    latent_reading_sentence,
    summary_sentence,
)

CHAIN = LatentDag(["a", "b", "c"], [("a", "b"), ("b", "c")])
COLLIDER = LatentDag(["a", "b", "c"], [("a", "c"), ("b", "c")])
TRIPLE = LatentDag(["a", "b", "c"], [], [Latent("L", 2, ("a", "b", "c"))])


def arrow(dag: LatentDag, parent: str, child: str) -> Arrow:
    return next(latent for latent in DagClass(dag).arrows if (latent.parent, latent.child) == (parent, child))


def test_that_every_kind_has_a_label_and_names_its_arrow() -> None:
    assert KIND_LABELS.keys() == set(ArrowKind)
    for kind in ArrowKind:
        assert {"x", "y"} <= set(arrow_text(Arrow("x", "y", kind, False)).split())
        sentence = arrow_sentence(Arrow("x", "y", kind, False))
        assert "x" in sentence
        assert "y" in sentence


@pytest.mark.parametrize(
    ("dag", "parent", "child", "said"),
    [
        (CHAIN, "a", "b", "The data do not determine the direction of a → b: an equally good DAG has b → a."),
        (
            COLLIDER,
            "a",
            "c",
            "If there is no hidden cause, every equally good DAG has a → c. Without that assumption, a further hidden "
            "cause of a and c may explain it.",
        ),
        (TRIPLE, "L", "a", "The data do not determine whether a is an effect or a cause of L."),
    ],
)
def test_that_a_sentence_says_its_condition(dag: LatentDag, parent: str, child: str, said: str) -> None:
    assert arrow_sentence(arrow(dag, parent, child)) == said


def test_that_a_possible_mediator_is_called_a_link() -> None:
    said = latent_reading_sentence(DagClass(TRIPLE), "L")
    assert "or a link between its children" in said
    assert "a, b and c" in said


def test_that_the_summary_counts_every_kind() -> None:
    assert summary_sentence(DagClass(CHAIN).arrows) == ("Of 2 arrows between measured variables: 2 not determined.")
    assert summary_sentence(DagClass(TRIPLE).arrows) == ""
