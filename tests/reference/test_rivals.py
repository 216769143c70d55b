"""CIL, GLSL and hill-climbing on the paper's data, against the figures of the design."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.rival_data import LATENT_TREE, find

from latconf_core.data.reading.load import load_dataset

LATENT_SCORE = 0.05  # what a fit of latents may differ by


@pytest.mark.parametrize(
    ("table", "search", "p_elbo"),
    [
        ("asia_smoke_1000", "cil", -1_747.44),
        ("asia_smoke_1000", "glsl", -1_672.01),
        ("asia_smoke_1000", "hc", -1_670.95),
        ("asia_smoke_10000", "cil", -16_696.60),
        ("asia_smoke_10000", "glsl", -16_123.47),
        ("asia_smoke_10000", "hc", -16_123.47),
        ("alarm_ERRCAUTER_1000", "cil", -13_421.42),
        ("alarm_ERRCAUTER_1000", "hc", -11_182.25),
    ],
)
def test_that_a_rival_reaches_the_figure_of_the_design(reference: Path, table: str, search: str, p_elbo: float) -> None:
    data = load_dataset(reference / "data" / f"{table}.csv").dataset
    result = find(data, search, objective="paper")
    assert result.p_elbo == pytest.approx(p_elbo, abs=0.006)
    assert result.best is not None
    assert not result.best.latents
    if (table, search) == ("alarm_ERRCAUTER_1000", "cil"):
        assert (len(result.best.edges), len(result.history)) == (30, 931)


def test_that_cil_finds_two_latents_one_below_the_other_on_asia(reference: Path) -> None:
    data = load_dataset(reference / "data" / "asia_smoke_10000.csv").dataset
    result = find(data, "cil", cil=LATENT_TREE, max_states=4)
    assert result.p_elbo == pytest.approx(-16_177.01, abs=LATENT_SCORE)
    assert result.best is not None
    assert [latent.n_states for latent in result.best.latents] == [3, 3]
    assert sum(latent.parent is not None for latent in result.best.latents) == 1


@pytest.mark.slow
def test_that_glsl_lies_above_hill_climbing_on_alarm(reference: Path) -> None:
    data = load_dataset(reference / "data" / "alarm_ERRCAUTER_1000.csv").dataset
    glsl, plain = find(data, "glsl", workers=2).p_elbo, find(data, "hc", objective="paper").p_elbo
    assert glsl is not None
    assert plain is not None
    assert glsl > plain
