"""A learner and an independence test of one's own, each as short as they can be."""

from __future__ import annotations

import numpy as np

from latconf_core.data.dataset import Dataset
from latconf_core.independence.base import IndependenceTest
from latconf_core.independence.catalogue import KindOfTest
from latconf_core.options.learning import PagOptions
from latconf_core.pag.learners.learner import Learner, Learning
from latconf_core.pag.learners.skeleton import learn_skeleton
from latconf_core.pag.learners.work import Work


def learn_circles(work: Work) -> Learning:
    yield from learn_skeleton(work)
    return work.circles()


TOY_LEARNER = Learner("toy", "Toy", "The skeleton alone.", ("alpha", "statistic"), learn_circles)


class AgreementTest(IndependenceTest):
    """Two columns depend on each other where more than half of their codes agree, whatever is given."""

    def __init__(self, dataset: Dataset, options: PagOptions) -> None:
        super().__init__(dataset.names, options.alpha)
        self._codes = dataset.codes

    def compute_p_value(self, x: int, y: int, given: tuple[int, ...]) -> float:
        return 1.0 - float(np.mean(self._codes[:, x] == self._codes[:, y]) > 0.5)


TOY_TEST = KindOfTest("agreement", "Agreement", "How often two columns agree.", AgreementTest)
