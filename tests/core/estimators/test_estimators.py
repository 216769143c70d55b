"""The estimators against scikit-learn itself, and against the functions that they stand upon."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from support.small_bench import confounded
from support.two_effects import two_effects

import latconf_core as latconf
from latconf_core.estimators import LatentFinder, PagLearner
from latconf_core.estimators.parameters import InputError, UnfittedError, seed_of
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.knowledge import Knowledge

FAILURES: dict[str, str] = {}  # checks of scikit-learn that cannot hold, with the reason of each: there is none
QUICK = {"algorithm": "hclc-v", "intervals": 2, "options": {"max_states": 2}}


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return confounded(600, 3).to_pandas()


def edges(graph: MixedGraph) -> list[str]:
    return [str(edge) for edge in graph.edges()]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the checks provoke them
@pytest.mark.parametrize(
    "estimator", [PagLearner(intervals=3), LatentFinder(**QUICK)], ids=lambda own: type(own).__name__
)
def test_that_scikit_learns_checks_pass(estimator: object) -> None:
    from sklearn.utils.estimator_checks import check_estimator

    told = check_estimator(estimator, expected_failed_checks=FAILURES, on_skip=None, on_fail=None)
    assert [(each["check_name"], str(each["exception"])) for each in told if each["status"] == "failed"] == []
    assert sum(each["status"] == "passed" for each in told) > 35


def test_that_importing_and_fitting_needs_no_scikit_learn() -> None:
    code = (
        "import sys, numpy as np; from latconf_core.estimators import PagLearner; "
        "PagLearner().fit(np.arange(80).reshape(40, 2) % 3); print('sklearn' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_that_a_learner_gives_what_learn_gives(frame: pd.DataFrame) -> None:
    learner = PagLearner("fci", alpha=0.01, options={"max_conditioning": 1}).fit(frame)
    data = latconf.Dataset.from_pandas(frame)
    assert learner.graph_ == latconf.learn(data, "fci", alpha=0.01, max_conditioning=1)
    assert learner.result_.graph == learner.graph_
    assert list(learner.feature_names_in_) == list(frame.columns)


def test_that_arrays_and_frames_of_any_library_give_the_same_graph(frame: pd.DataFrame) -> None:
    texts = frame.astype(str)
    of_frame = PagLearner().fit(texts)
    of_array = PagLearner().fit(texts.to_numpy())
    of_lists = PagLearner().fit(texts.to_numpy().tolist())
    of_polars = PagLearner().fit(pl.DataFrame({name: texts[name].tolist() for name in texts}))
    names = dict(zip(of_array.graph_.nodes, frame.columns))
    assert of_array.graph_.nodes == tuple(f"x{k}" for k in range(frame.shape[1]))
    assert not hasattr(of_array, "feature_names_in_")
    assert of_array.graph_.renamed(names) == of_lists.graph_.renamed(names) == of_frame.graph_ == of_polars.graph_


def test_that_scores_and_posteriors_are_those_of_the_model() -> None:
    frame = two_effects().to_pandas()
    finder = LatentFinder("hclc-v", random_state=1).fit(frame)
    applied = finder.result_.apply(frame)
    assert finder.score(frame) == pytest.approx(applied.per_row, abs=1e-12)
    assert finder.score_samples(frame).mean() == pytest.approx(finder.score(frame), abs=1e-12)
    shares = finder.transform(frame)
    assert len(finder.graph_.latents) > 0
    assert shares.shape == (len(frame), len(finder.get_feature_names_out()))
    per_latent = np.split(shares, np.cumsum([latent.n_states for latent in finder.graph_.latents])[:-1], axis=1)
    assert all(np.allclose(own.sum(axis=1), 1) for own in per_latent)
    unknown = frame.astype(str)
    unknown.iloc[0] = "never seen"  # all is summed out: nothing is known of the row
    assert finder.score_samples(unknown)[0] == pytest.approx(0.0, abs=1e-9)


def test_that_parameters_clone_and_search_as_scikit_learn_does(frame: pd.DataFrame) -> None:
    from sklearn.base import clone
    from sklearn.model_selection import GridSearchCV

    known = Knowledge(forbidden_indirect=((frame.columns[0], frame.columns[1]),))
    learner = PagLearner("fci", knowledge=known)
    assert clone(learner).get_params() == learner.get_params()
    assert repr(PagLearner("fci", alpha=0.01)) == "PagLearner(method='fci', alpha=0.01)"
    search = GridSearchCV(LatentFinder("hc"), {"algorithm": ["hc", "no-latents"]}, cv=2).fit(frame)
    assert np.isfinite(search.best_score_)
    with pytest.raises(InputError, match="Invalid parameter 'colour' for PagLearner"):
        learner.set_params(colour="red")


def test_that_what_cannot_be_used_is_said(frame: pd.DataFrame) -> None:
    numbers = np.random.default_rng(0).normal(size=(300, 3))
    with pytest.raises(InputError, match=r"column 'x0': .*; drop it, or set intervals for numbers"):
        PagLearner().fit(numbers)
    assert PagLearner(intervals=3).fit(numbers).graph_.nodes == ("x0", "x1", "x2")
    with pytest.raises(ValueError, match="there is no learner 'pc'"):
        PagLearner("pc").fit(frame)
    with pytest.raises(ValueError, match="sparse"):
        PagLearner().fit(type("Sparse", (), {"toarray": None})())
    with pytest.raises(UnfittedError if "sklearn.exceptions" not in sys.modules else ValueError, match="not fitted"):
        LatentFinder().score(frame)
    with pytest.raises(ValueError, match="unseen at fit time"):
        LatentFinder("hc").fit(frame).score(frame.rename(columns={frame.columns[0]: "other"}))


def test_that_a_random_state_is_a_number_a_generator_or_none() -> None:
    assert (seed_of(None), seed_of(7), seed_of(np.int64(7))) == (0, 7, 7)
    assert seed_of(np.random.RandomState(1)) == seed_of(np.random.RandomState(1))
    assert seed_of(np.random.default_rng(1)) == seed_of(np.random.default_rng(1))
    with pytest.raises(ValueError, match="random_state is 'x'"):
        LatentFinder("hc", random_state="x").fit(np.arange(40).reshape(20, 2) % 3)
