"""A component of bits has the families and the seed that it had when it was made of names."""

from __future__ import annotations

import pytest
from support.score_models import CHAINED, CONFOUNDED, NAMES, hidden_cause_data

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.score.component import ComponentFamily, split
from latconf_core.score.fit_task import component_seed

FOREST = LatentDag(
    NAMES,
    [("E", "A")],
    [Latent("L1", 2, ("A", "L2")), Latent("L2", 3, ("B", "C"), "L1"), Latent("L3", 2, ("D", "E"))],
)


@pytest.mark.parametrize(
    ("dag", "seeds"),
    [
        (CONFOUNDED, [1920049935614375414]),
        (CHAINED, [7760702912401193331]),
        (FOREST, [16451073170455767898, 1297632130033913918]),
    ],
)
def test_that_seeds_are_those_of_earlier_programs(dag: LatentDag, seeds: list[int]) -> None:
    components = split(dag, hidden_cause_data(10)).components
    assert [component_seed(component, 5) for component in components] == seeds


def test_that_a_latent_child_is_a_family_of_its_component() -> None:
    parts = split(FOREST, hidden_cause_data(10))
    assert parts.latents == (("L1", "L2"), ("L3",))
    assert parts.families == ()
    assert parts.components[0].families == (
        ComponentFamily(0, (4,), (0,)),
        ComponentFamily(1, (), (1,)),
        ComponentFamily(2, (), (1,)),
        ComponentFamily(5, (), ()),
        ComponentFamily(6, (), (0,)),
    )
