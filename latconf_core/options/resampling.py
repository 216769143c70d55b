"""How often, and on what samples of the rows, learning and a search are repeated."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from latconf_core.errors import OptionError
from latconf_core.json_form import JsonFields
from latconf_core.options.checks import above, at_least, check_types, one_of
from latconf_core.options.learning import PagOptions
from latconf_core.options.searching import SearchOptions

Resampling = Literal["half", "bootstrap"]
DEFAULT_SAMPLES = 50
MOST_SAMPLES = 100_000  # all of them are kept


@dataclass(frozen=True)
class StabilityOptions(JsonFields):
    """What is repeated, how often, and on which samples.

    resampling : "half" draws half of the rows without replacement; "bootstrap" as many as there are, with. Half samples
        are the default because repeated rows look like dependence: on tables without hidden causes bootstrap samples
        yielded some in 2 of 6, half samples in none
    learner : how a PAG is learned from each sample; None where none is, or every search keeps to a given one
    search : the name of a search of the catalogue, made on each sample; None where PAGs alone are learned
    search_options : of that search; its seed and its workers are each sample's own
    time_limit : seconds for all samples together; None for no limit
    """

    samples: int = DEFAULT_SAMPLES
    resampling: Resampling = "half"
    learner: PagOptions | None = None
    search: str | None = None
    search_options: SearchOptions = field(default_factory=SearchOptions)
    seed: int = 0
    workers: int = 1
    time_limit: float | None = None

    def __post_init__(self) -> None:
        check_types(self)
        at_least("number of samples", self.samples, 1)
        if self.samples > MOST_SAMPLES:
            raise OptionError(f"number of samples is {self.samples:,}; it must be at most {MOST_SAMPLES:,}")
        one_of("resampling", self.resampling, get_args(Resampling))
        at_least("seed", self.seed, 0)
        at_least("workers", self.workers, 1)
        above("time limit", self.time_limit, 0)
        if self.learner is None and self.search is None:
            raise OptionError("there is nothing to repeat; choose a PAG learner, a search, or both")
