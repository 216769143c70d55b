from __future__ import annotations

import pytest

from latconf_core.errors import FileFormatError, GraphError
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge

EVERYTHING = Knowledge(
    tiers=(("age", "sex"), ("smoking",), ("death", "weight")),
    closed_tiers=frozenset({0}),
    forbidden=(("age", "weight"),),
    required=(("age", "death"),),
    forbidden_indirect=(("sex", "smoking"),),
    exogenous=("age",),
    no_hidden_cause=(("smoking", "death", "weight"),),
    hidden_causes_only_among=("sex", "smoking", "weight", "death"),
)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"tiers": (("A",), ("A",))}, "'A' is listed twice"),
        ({"required": (("A", "B"),), "forbidden": (("A", "B"),)}, "A --> B is both required and forbidden"),
        (
            {"required": (("B", "A"),), "tiers": (("A",), ("B",))},
            "B --> A is required, but B is in a later tier than A",
        ),
        (
            {"required": (("A", "B"),), "tiers": (("A", "B"),), "closed_tiers": frozenset([0])},
            "A and B are in one tier",
        ),
        ({"required": (("A", "B"),), "exogenous": ("B",)}, "A --> B is required, but B is exogenous"),
        (
            {"required": (("A", "B"),), "forbidden_indirect": (("A", "B"),)},
            "any effect of A on B, direct or indirect, is forbidden",
        ),
        (
            {"required": (("A", "M"), ("M", "B")), "forbidden_indirect": (("A", "B"),)},
            "A --> M --> B is required, but any effect of A on B, direct or indirect, is forbidden",
        ),
        (
            {"required": (("B", "M"), ("M", "A")), "tiers": (("A",), ("B",))},
            "B --> M --> A is required, but B is in a l",
        ),
        ({"required": (("A", "B"), ("B", "A"))}, "cycle: "),
        ({"forbidden": (("A", "A"),)}, "'A' to itself"),
        ({"closed_tiers": frozenset([1]), "tiers": (("A",),)}, "no such tier"),
        ({"no_hidden_cause": (("A",),)}, "names only 'A'"),
        ({"exogenous": ("A",), "hidden_causes_only_among": ("A", "B")}, "'A' is exogenous, so it has no hidden cause"),
    ],
)
def test_that_contradictions_are_refused_by_name(arguments: dict[str, object], problem: str) -> None:
    with pytest.raises(GraphError, match=problem):
        Knowledge(**arguments)  # type: ignore[arg-type]


def test_that_the_json_form_holds_everything() -> None:
    assert Knowledge.from_json(EVERYTHING.to_json()) == EVERYTHING
    assert Knowledge.from_json(NO_KNOWLEDGE.to_json()) == NO_KNOWLEDGE


def test_that_no_hidden_causes_at_all_is_not_the_same_as_nothing_said() -> None:
    none_at_all = Knowledge(hidden_causes_only_among=())
    assert none_at_all
    assert not NO_KNOWLEDGE
    assert Knowledge.from_json(none_at_all.to_json()) == none_at_all
    assert not none_at_all.bind("ABC").allows_latent(0b11)


def test_that_an_entry_that_is_not_understood_is_refused() -> None:
    with pytest.raises(FileFormatError, match="no entry 'forbiden'"):
        Knowledge.from_json({"version": 1, "forbiden": []})
    with pytest.raises(FileFormatError, match="has format 9"):
        Knowledge.from_json({"version": 9})
    with pytest.raises(FileFormatError, match="cannot be read"):
        Knowledge.from_json({"version": 1, "tiers": "age"})


def test_that_names_missing_in_the_data_do_not_bind_and_are_told() -> None:
    known = EVERYTHING.bind(("age", "weight"))
    assert known.missing == ("sex", "smoking", "death")
    assert not known.allows_edge(0, 1)
    assert not known.allows_latent(0b11)
    assert known.binds


def test_that_knowledge_of_other_variables_binds_nothing() -> None:
    known = EVERYTHING.bind(("x", "y"))
    assert known.allows_edge(0, 1)
    assert known.allows_edge(1, 0)
