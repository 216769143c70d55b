"""The independence tests on data by name; a new one is its module and a line in INDEPENDENCE_TESTS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from latconf_core.data.dataset import Dataset
from latconf_core.errors import OptionError
from latconf_core.independence.base import IndependenceTest
from latconf_core.independence.contingency import ContingencyTest, Statistic
from latconf_core.independence.incomplete import IncompleteTest
from latconf_core.options.learning import PagOptions, fault_of_options
from latconf_core.plugins import Catalogue


@dataclass(frozen=True)
class KindOfTest:
    """A test that can be chosen as PagOptions.statistic.

    options : the fields of PagOptions that it uses besides alpha; a form shows these
    make : the test for some data
    """

    name: str
    title: str
    description: str
    make: Callable[[Dataset, PagOptions], IndependenceTest]
    options: tuple[str, ...] = ()

    @property
    def fault(self) -> str:
        """What is wrong with the record of a plug-in; empty where nothing is."""
        return fault_of_options(self.options) or ("" if callable(self.make) else "its make cannot be called")


def _make_contingency(statistic: Statistic, dataset: Dataset, options: PagOptions) -> IndependenceTest:
    freedom = options.degrees_of_freedom
    if not dataset.is_complete:
        return IncompleteTest(dataset, options.alpha, statistic=statistic, degrees_of_freedom=freedom)
    return ContingencyTest(dataset, options.alpha, statistic=statistic, degrees_of_freedom=freedom)


_KINDS = (
    KindOfTest(
        "g-square",
        "G-square",
        "Likelihood-ratio test; the usual choice.",
        partial(_make_contingency, "g-square"),
        ("degrees_of_freedom",),
    ),
    KindOfTest(
        "chi-square",
        "Chi-square",
        "Compares observed with expected counts; used by the paper's GFCI.",
        partial(_make_contingency, "chi-square"),
        ("degrees_of_freedom",),
    ),
)
INDEPENDENCE_TESTS = Catalogue("latconf.tests", _KINDS, kind=KindOfTest, check=lambda record: record.fault)


def make_test(dataset: Dataset, options: PagOptions) -> IndependenceTest:
    """The test that the options name; OptionError where there is none of this name."""
    if options.statistic not in INDEPENDENCE_TESTS:
        known = ", ".join(INDEPENDENCE_TESTS)
        raise OptionError(f"there is no independence test {options.statistic!r}; choose one of {known}")
    return INDEPENDENCE_TESTS[options.statistic].make(dataset, options)
