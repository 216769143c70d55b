"""What a bench runs: data sets × learners × searches, each search that needs no PAG once per data set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from latconf_core.bench.bench_data import BenchData
from latconf_core.bench.cell import FOUR_FIFTHS, TRUTH, Cell, Split
from latconf_core.bench.fresh_rows import N_FRESH, fresh_rows
from latconf_core.density.baselines import DENSITIES
from latconf_core.errors import DataError, OptionError
from latconf_core.json_form import JsonFields
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.options.checks import at_least, one_of
from latconf_core.options.learning import PAG_PRESETS, PagOptions, pag_preset
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import LEARNERS
from latconf_core.search.catalogue import SEARCHES

Preset = Literal["default", "paper"]
ComparedAs = Literal["PAG", "MAG"]
DEFAULT_LEARNERS = ("fci", "gfci")
FIRST = ("no-latents",)  # finds the best DAG without latents in its own time limit; others then have it
LEFT_OUT = ("auto",)  # what Auto runs is in the table already


def default_searches() -> tuple[str, ...]:
    """Every search of the catalogue but those that only put others together."""
    return tuple(name for name in SEARCHES if name not in LEFT_OUT)


@dataclass(frozen=True)
class BenchOptions(JsonFields):
    """Which methods, and how each is run.

    densities : baselines that have a held-out likelihood alone
    preset : "default" splits the rows first and searches the training rows; "paper" makes the paper's Table 2: scores
        of the whole table, with the settings of the learners that the paper used
    options : of every search; `time_limit` is that of one cell
    split : the rows that are held out before anything is learned
    fresh_rows : drawn anew for each data set whose network is known
    knowledge : what is known about causes; it binds every learner and search
    compared_as : what DAGs are compared with the truth by; as PAGs, those of one Markov class are the same
    """

    learners: tuple[str, ...] = DEFAULT_LEARNERS
    searches: tuple[str, ...] = field(default_factory=default_searches)
    densities: tuple[str, ...] = ()
    preset: Preset = "default"
    options: SearchOptions = field(default_factory=SearchOptions)
    split: Split = FOUR_FIFTHS
    fresh_rows: int = N_FRESH
    compared_as: ComparedAs = "PAG"
    knowledge: Knowledge = NO_KNOWLEDGE

    def __post_init__(self) -> None:
        one_of("preset", self.preset, get_args(Preset))
        one_of("how graphs are compared", self.compared_as, get_args(ComparedAs))
        at_least("number of fresh rows", self.fresh_rows, 2)
        for name in self.learners:
            one_of("learner", name, tuple(LEARNERS))
        for name in self.searches:
            one_of("search", name, tuple(SEARCHES))
        for name in self.densities:
            one_of("density", name, tuple(DENSITIES))
        if not self.searches:
            raise OptionError("a bench needs a search; choose at least one")
        if not self.learners and any(SEARCHES[name].needs_pag for name in self.searches):
            raise OptionError("some of the searches need a PAG; choose at least one learner")
        if not 0 < self.split.test_share < 1:
            raise OptionError(f"the share of held-out rows is {self.split.test_share}; it must lie between 0 and 1")

    @property
    def splits_first(self) -> bool:
        """Whether methods see the training rows alone; not in the paper's table."""
        return self.preset != "paper"

    def options_of(self, search: str) -> SearchOptions:
        """The options of one search; one that judges as it goes has its own objective in any case."""
        method = SEARCHES.get(search)
        if method is not None and method.drops_unsupported:
            return replace(self.options, objective=None)
        return replace(self.options, objective="paper") if self.preset == "paper" else self.options

    def pag_options(self, learner: str) -> PagOptions:
        """The settings of one learner."""
        preset_name = f"{self.preset}-{learner}"
        return pag_preset(preset_name if preset_name in PAG_PRESETS else "default", learner)


@dataclass(frozen=True, eq=False)
class BenchPlan:
    """Everything that a bench runs; the cells of a data set stand together."""

    data: tuple[BenchData, ...]
    options: BenchOptions
    cells: tuple[Cell, ...]

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that are compared, in the order of the table."""
        return tuple(dict.fromkeys(cell.method for cell in self.cells if not cell.is_truth))

    def find(self, name: str) -> BenchData:
        """The data set of this name."""
        return next(entry for entry in self.data if entry.name == name)


def make_plan(data: Sequence[BenchData], options: BenchOptions) -> BenchPlan:
    """The cells of some data sets."""
    if not data:
        raise OptionError("a bench needs data; give at least one table")
    for item in data:
        if not item.dataset.is_complete:
            raise DataError(
                f"cells of {item.name!r} are missing, and a bench compares methods on complete rows; choose what to do "
                "with them (missing: drop, state or most-frequent)"
            )
    return BenchPlan(tuple(data), options, tuple(cell for one in data for cell in _cells(one, options)))


def _cells(data: BenchData, options: BenchOptions) -> list[Cell]:
    """Those that share the best DAG without latents first: another lane that helps out takes from the end."""

    split = options.split if options.splits_first else None
    fresh = None
    if options.splits_first and data.network is not None:
        fresh = fresh_rows(data.network, data.dataset, n_rows=options.fresh_rows, seed=options.split.seed)

    def cell(search: str, learner: str | None) -> Cell:
        pag = None if learner is None else options.pag_options(learner)
        own_options, known = options.options_of(search), options.knowledge
        return Cell(data.name, data.dataset.digest, search, pag, own_options, split, fresh=fresh, knowledge=known)

    cells = []
    if data.truth is not None and data.truth.dag is not None:
        cells.append(replace(cell(TRUTH, None), dag=data.truth.dag))
    cells += [replace(cell(name, None), split=options.split, fresh=None) for name in dict.fromkeys(options.densities)]
    searches = dict.fromkeys(options.searches)
    without_pag = [name for name in searches if not SEARCHES[name].needs_pag]
    cells += [cell(name, None) for name in sorted(without_pag, key=lambda name: name not in FIRST)]
    with_pag = [name for name in searches if SEARCHES[name].needs_pag]
    return cells + [cell(name, learner) for name in with_pag for learner in dict.fromkeys(options.learners)]
