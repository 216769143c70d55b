"""Cells as values and as files: what tells them apart, and what becomes of damaged ones."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from support.small_bench import TRUTH, fill, small_plan

from latconf_core.bench.bench_data import draw_example
from latconf_core.bench.bench_plan import BenchOptions, make_plan
from latconf_core.bench.cell import FAILED, CellResult, Split, method_title, shown_visits
from latconf_core.bench.cell_store import CellStore, file_name
from latconf_core.bench.fresh_rows import fresh_rows
from latconf_core.errors import FileFormatError, OptionError
from latconf_core.formats.example_choice import ExampleChoice

PLAN = small_plan("hclc-v", "no-latents")
ASIA = draw_example(ExampleChoice("asia", ("smoke",), 20))
assert ASIA.network is not None
FRESH = fresh_rows(ASIA.network, ASIA.dataset)
CELL = next(cell for cell in PLAN.cells if cell.search == "hclc-v")
RESULT = CellResult("finished", dag=TRUTH, p_elbo=-12.5, n_visited=3, visits=shown_visits([(0, -14.0), (1, -12.5)]))


def test_that_the_key_depends_on_all_that_the_result_does_and_on_nothing_else() -> None:
    options = CELL.options
    others = [
        replace(CELL, digest="other data"),
        replace(CELL, search="ilc-v"),
        replace(CELL, pag=None),
        replace(CELL, options=replace(options, seed=options.seed + 1)),
        replace(CELL, options=replace(options, time_limit=3.0)),
        replace(CELL, split=Split(test_share=0.3)),
        replace(CELL, split=None),
        replace(CELL, fresh=FRESH),
        replace(CELL, fresh=replace(FRESH, seed=1)),
        replace(CELL, dag=TRUTH),
    ]
    assert len({CELL.key, *(other.key for other in others)}) == len(others) + 1
    assert replace(CELL, options=replace(options, workers=8)).key == CELL.key
    assert replace(CELL, data="another name").key == CELL.key


def test_that_a_search_without_a_pag_runs_once_per_data_set() -> None:
    plan = small_plan("hclc-v", "no-latents", "ilc-v")
    methods = [cell.method for cell in plan.cells if cell.data == "copies_1"]
    assert sorted(methods) == ["hclc-v fci", "hclc-v gfci", "ilc-v fci", "ilc-v gfci", "no-latents", "truth"]
    assert method_title("hclc-v gfci") == "HCLC-V on GFCI"


def test_that_a_bench_without_data_searches_or_learners_is_refused_with_a_remedy() -> None:
    with pytest.raises(OptionError, match="at least one table"):
        make_plan([], BenchOptions())
    with pytest.raises(OptionError, match="at least one"):
        BenchOptions(searches=())
    with pytest.raises(OptionError, match="learner"):
        BenchOptions(learners=(), searches=("ilc-v",))
    assert BenchOptions(learners=(), searches=("no-latents",)).learners == ()


def test_that_the_paper_preset_is_that_of_the_learner() -> None:
    options = BenchOptions(preset="paper")
    assert options.pag_options("gfci").statistic == "chi-square"
    assert options.pag_options("fci").degrees_of_freedom == "full-guard"
    assert options.pag_options("rfci").method == "rfci"


def test_that_cells_and_results_survive_pickle_and_json(tmp_path: Path) -> None:
    assert pickle.loads(pickle.dumps(CELL)) == CELL
    table, _ = fill(PLAN)
    for row in table.rows():
        written = json.loads(json.dumps(row.result.to_json()))
        assert CellResult.from_json(written) == row.result
    store = CellStore(tmp_path)
    store.save(CELL, RESULT)
    assert CellStore(tmp_path).load(CELL) == RESULT
    assert CellStore(tmp_path).load(replace(CELL, search="ilc-v")) is None


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"format": "latconf cell"}', b"\xff\xfe\x00", b'{"a": 1}'])
def test_that_a_damaged_cell_counts_for_nothing(tmp_path: Path, damage: bytes) -> None:
    store = CellStore(tmp_path)
    store.save(CELL, RESULT)
    path = tmp_path / "cells" / file_name(CELL)
    path.write_bytes(damage)
    assert store.load(CELL) is None
    store.save(CELL, RESULT)
    assert store.load(CELL) == RESULT


def test_that_a_failure_is_not_kept_and_a_store_without_a_folder_remembers(tmp_path: Path) -> None:
    for store in (CellStore(tmp_path), CellStore(None)):
        store.save(CELL, CellResult(FAILED, notes=("too large",)))
        assert store.load(CELL) is None
        store.save(CELL, RESULT)
        assert store.load(CELL) == RESULT


def test_that_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileFormatError, match="file"):
        CellStore(tmp_path / "file")


def test_that_a_name_of_data_cannot_lead_out_of_the_folder() -> None:
    name = file_name(replace(CELL, data="../../etc/passwd\n" + "x" * 300))
    assert "/" not in name
    assert len(name) < 200


def test_that_every_best_so_far_is_among_the_shown_visits() -> None:
    scores = [(0, -100.0 + (number * 7919 % 1000) / 10) for number in range(5000)]
    shown = shown_visits(scores)
    assert len(shown) < 700
    best = float("-inf")
    for index, (_, score) in enumerate(scores):
        if score > best:
            best = score
            assert index + 1 in {one.number for one in shown}
    assert shown[-1].number == 5000
