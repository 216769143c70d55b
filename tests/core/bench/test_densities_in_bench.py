"""Density baselines stand in the held-out column alone, and the table says what they cannot say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest
from support.small_bench import fill, small_plan

from latconf_core.bench import run_cell
from latconf_core.bench.bench_columns import row_json
from latconf_core.bench.bench_plan import make_plan
from latconf_core.bench.writing.bench_words import findings
from latconf_core.cli.main import EXIT_BAD_INPUT, main
from latconf_core.control import Progress, StopReason
from latconf_core.density import fit_density as fitting
from latconf_core.density.fit_density import DensityBound, DensityFitted
from latconf_core.errors import OptionError


@pytest.fixture
def made_up_density(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """No training: a bound by hand; gives the numbers of rows that were trained on and measured."""
    rows: list[int] = []

    def fit(dataset, method, **_):  # type: ignore[no-untyped-def]
        rows.append(dataset.n_rows)

        def events() -> Iterator[object]:
            yield Progress(1, 2)
            yield DensityFitted(method, SimpleNamespace(), -3.0, 17, ("it is made up",))  # type: ignore[arg-type]

        return events()

    def measure(density, dataset, **_):  # type: ignore[no-untyped-def]
        rows.append(dataset.n_rows)
        return DensityBound(-2.5, 0.25, 0.125)

    monkeypatch.setattr(run_cell, "fit_density", fit)
    monkeypatch.setattr(run_cell, "measure_density", measure)
    return rows


def test_that_a_density_has_a_held_out_bound_and_nothing_else(made_up_density: list[int]) -> None:
    plain = small_plan("no-latents", n_rows=100)
    plan = make_plan(plain.data, replace(plain.options, densities=("vae",)))
    table, reason = fill(plan)
    assert reason is StopReason.FINISHED
    assert made_up_density == [80, 20] * 2  # trained on the rows that every method has, measured on the others
    rows = [row for row in table.rows() if row.cell.is_density]
    assert len(rows) == 2
    for row in rows:
        told = row_json(row)
        assert (told["held_out"], told["held_out_is_bound"]) == (-2.5, True)
        assert all(told[key] is None for key in ("p_elbo", "gap", "exact", "partial", "wrong", "shd"))
        assert row.result.dag is None
        assert any("not converged" in note for note in row.result.notes)
    ranks = table.to_json()["mean_ranks"]
    assert "vae" in str(ranks["held_out"])
    assert "vae" not in str(ranks["p_elbo"])
    said = " ".join(findings(table))
    assert "no DAG, no hidden cause" in said
    assert "no answers about interventions" in said
    assert "no DAG" not in " ".join(findings(fill(plain)[0]))


def test_that_the_missing_extra_is_named_before_anything_is_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fitting, "find_spec", lambda name: None)
    assert main(["bench", "asia_smoke_100", "--density", "vae"]) == EXIT_BAD_INPUT
    assert "pip install 'latconf[density]'" in capsys.readouterr().err


def test_that_an_unknown_density_is_refused() -> None:
    with pytest.raises(OptionError, match="choose one of vae, vaem"):
        replace(small_plan().options, densities=("gan",))
