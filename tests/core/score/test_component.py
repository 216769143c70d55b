"""A component of bits has the families that it had when it was made of names."""

from __future__ import annotations

from support.score_models import NAMES, hidden_cause_data

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.model.component import ComponentFamily
from latconf_core.score.naming import split

FOREST = LatentDag(
    NAMES,
    [("E", "A")],
    [Latent("L1", 2, ("A", "L2")), Latent("L2", 3, ("B", "C"), "L1"), Latent("L3", 2, ("D", "E"))],
)


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
