from __future__ import annotations

from latconf_core.comparison.latent_matching import true_latent
from latconf_core.dag.latent_dag import Latent, LatentDag

TRUTH = LatentDag("ABCDE", [], [Latent("H1", 2, ("A", "B")), Latent("H2", 3, ("B", "C", "D", "E"))])


def test_that_a_latent_is_matched_by_its_children() -> None:
    exact = true_latent(Latent("L1", 2, ("A", "B")), TRUTH)
    assert exact is not None
    assert (exact.name, exact.is_exact) == ("H1", True)
    part = true_latent(Latent("L1", 2, ("A", "C", "D")), TRUTH)
    assert part is not None
    assert (part.name, part.shared, part.missed, part.extra) == ("H2", ("C", "D"), ("B", "E"), ("A",))
    assert not part.is_exact


def test_that_one_shared_child_is_no_match() -> None:
    assert true_latent(Latent("L1", 2, ("A", "C")), TRUTH) is None
    assert true_latent(Latent("L1", 2, ("A", "B")), LatentDag("AB")) is None
