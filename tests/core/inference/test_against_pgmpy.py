from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.formats.examples import example, example_names, load_example
from latconf_core.inference.asking import InferenceEngine

pytestmark = pytest.mark.slow


def pgmpy_model(network: BayesNet) -> Any:
    """The same network in pgmpy, which numbers states."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy.factors.discrete import TabularCPD
        from pgmpy.models import DiscreteBayesianNetwork

        model = DiscreteBayesianNetwork()
        model.add_nodes_from(network.variables)
        model.add_edges_from(network.edges)
        for name, cpt in network.cpts.items():
            cards = [len(network.states(parent)) for parent in cpt.parents]
            shares = cpt.table / cpt.table.sum(axis=-1, keepdims=True)
            columns = np.moveaxis(shares, -1, 0).reshape(len(cpt.states), -1)
            model.add_cpds(TabularCPD(name, len(cpt.states), columns, list(cpt.parents) or None, cards or None))
    return model


@pytest.mark.parametrize("name", example_names())
def test_that_examples_with_a_hidden_variable_answer_as_pgmpy_does(name: str) -> None:
    network = load_example(name)
    hidden = BayesNet(network.cpts.values(), latents=[example(name).hide])
    engine = InferenceEngine(hidden)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy.inference import VariableElimination

        observed = [one for one in hidden.variables if one not in hidden.latents]
        rng = np.random.default_rng(7)
        seen, cut = (observed[i] for i in rng.permutation(len(observed))[:2])
        for see, do in (({seen: 0}, {}), ({seen: 0}, {cut: 1})):
            model = pgmpy_model(hidden)
            for variable in do:
                model = model.do([variable])
            solver = VariableElimination(model)
            given = {**see, **do}
            answer = engine.ask(
                {value: hidden.states(value)[k] for value, k in see.items()},
                {value: hidden.states(value)[k] for value, k in do.items()},
            )
            for variable in hidden.variables:
                if variable not in given:
                    wanted = solver.query([variable], evidence=given, show_progress=False).values
                    np.testing.assert_allclose(answer.probabilities[variable], wanted, atol=1e-9)
