"""What a learner is: a record that the catalogue lists, the command line and the window show, and a run calls."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

from latconf_core.options.learning import PagOptions, fault_of_options
from latconf_core.pag.events import PagEvent
from latconf_core.pag.learners.work import Work
from latconf_core.pag.rules.mark_sets import Marks

Learning = Generator[PagEvent, None, Marks]

TESTING = (
    "alpha",
    "statistic",
    "max_conditioning",
    "skeleton_tests",
    "any_column_order",
)  # options of who asks independence tests


@dataclass(frozen=True)
class Learner:
    """A way to learn a PAG.

    name : what the command line and PagOptions call it
    description : one or two sentences for the person who chooses
    options : the fields of PagOptions that it uses; a form shows these
    learn : tells what happens as events, which folded give its graph (`pag/replay`), and returns the oriented marks
    takes_oracle : it asks nothing but independence tests, so that the d-separations of a DAG can answer
    """

    name: str
    title: str
    description: str
    options: tuple[str, ...]
    learn: Callable[[Work], Learning]
    takes_oracle: bool = True

    @property
    def fault(self) -> str:
        """What is wrong with the record of a plug-in; empty where nothing is."""
        return fault_of_options(self.options) or ("" if callable(self.learn) else "its learn cannot be called")

    def say_settings(self, options: PagOptions) -> str:
        """What a PAG of this learner is called: "GFCI, alpha 0.05"."""
        return f"{self.title}, alpha {options.alpha:g}" if "alpha" in self.options else self.title
