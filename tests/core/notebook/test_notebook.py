"""The notebook beside this file, run as a reader would run it, and what the values in it show of themselves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import latconf_core as latconf
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.reading.write import write_dataset
from latconf_core.data.sampling import sample
from latconf_core.errors import DataError, GraphError, OptionError
from latconf_core.formats.examples import load_example
from latconf_core.graph.mixed import MixedGraph
from tests.support.builders import mixed

NOTEBOOK = Path(__file__).with_name("from_a_frame_to_a_model.ipynb")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_that_the_notebook_goes_from_a_frame_to_a_hidden_cause(tmp_path: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    drawn = sample(load_example("sachs"), 5000, rng=np.random.default_rng(2), hide=["PKC"])
    write_dataset(drawn.dataset, tmp_path / "proteins.csv")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    lines = [line for cell in notebook.cells if cell.cell_type == "code" for line in cell.source.splitlines() if line]
    assert len(lines) < 20
    kernel = {"language": "python", "name": "python3"}
    long = {"timeout": 600, "startup_timeout": 600}  # seconds, for a machine with much else to do
    NotebookClient(notebook, **long, resources={"metadata": {"path": str(tmp_path)}}, kernel_spec=kernel).execute()
    shown = [out for cell in notebook.cells if cell.cell_type == "code" for out in cell.outputs]
    assert not [out for out in shown if out.output_type == "error"]
    data = [out.data for out in shown if out.output_type == "execute_result"]
    assert any("image/svg+xml" in one for one in data)  # the PAG
    told = "".join(str(one.get("text/html", "")) for one in data)
    assert "The data support a hidden cause of Jnk, Mek, P38, PKA and Raf" in told
    assert "Markov equivalent" in told


def test_that_a_frame_becomes_data_and_comes_back() -> None:
    frame = pd.DataFrame(
        {
            "whole": [1.0, 2.0, 1.0, 2.0],
            "answer": pd.Categorical(["no", "yes", "no", "maybe"], categories=["yes", "maybe", "no"]),
            "flag": [True, False, True, True],
            7: ["b", "a", "b", "a"],
        }
    )
    data = latconf.Dataset.from_pandas(frame)
    assert data.names == ("whole", "answer", "flag", "7")
    assert data.states == (("1", "2"), ("yes", "maybe", "no"), ("False", "True"), ("a", "b"))
    assert data.codes[:, 1].tolist() == [2, 0, 2, 1]
    again = latconf.Dataset.from_pandas(data.to_pandas())
    assert again == data


def test_that_missing_cells_of_a_frame_stay_missing_unless_something_is_chosen() -> None:
    frame = pd.DataFrame(
        {"a": ["x", None, "y", "x"], "b": [1.0, 2.0, np.nan, 1.0], "c": pd.Categorical(["u", "v", "u", None])}
    )
    assert latconf.Dataset.from_pandas(frame).is_missing.all()
    assert latconf.Dataset.from_pandas(frame, missing="state").n_rows == 4
    assert "missing" in latconf.Dataset.from_pandas(frame, missing="state").states[0]
    with pytest.raises(DataError, match="choose one of keep, drop, state, most-frequent"):
        latconf.Dataset.from_pandas(frame, missing="guess")
    twice = pd.DataFrame([[1, 2], [2, 1]], columns=["a", "a"])
    with pytest.raises(DataError, match="two columns of the frame are named 'a'"):
        latconf.Dataset.from_pandas(twice)


def test_that_graphs_and_models_draw_themselves_without_a_window() -> None:
    pag = mixed("A o-> B", "B <-> C")
    dag = LatentDag(["A", "B", "<b>"], [("A", "B")], [Latent("L1", 2, ("B", "<b>"))])
    for shown in (pag, dag, load_example("asia")):
        svg = shown._repr_svg_()
        assert svg is not None
        assert ElementTree.fromstring(svg).tag.endswith("svg")


def test_that_drawing_loads_no_window() -> None:
    code = (
        "import sys; from latconf_core.formats.examples import load_example; "
        "assert load_example('asia')._repr_svg_(); print('PySide6' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_that_data_and_comparisons_show_names_as_text() -> None:
    data = latconf.Dataset(["<b>x</b>", "y"], [("0", "1"), ("<i>", "b")], [[0, 1], [1, 0]])
    assert "&lt;b&gt;x&lt;/b&gt;" in data._repr_html_()
    assert "<i>" not in data._repr_html_()
    (pair,) = latconf.compare(mixed("A --> B"), mixed("A <-> B"), names=["<u>", "two"])
    assert "&lt;u&gt;" in pair._repr_html_()
    assert "SHD" in pair._repr_html_()


def test_that_a_result_gives_its_visits_latents_and_rows_as_frames() -> None:
    drawn = sample(load_example("asia"), 300, rng=np.random.default_rng(1), hide=["smoke"])
    result = latconf.find_latents(drawn.dataset, latconf.learn(drawn.dataset, "fci"), "hclc-v", seed=1)
    visits = result.visits_to_pandas()
    assert len(visits) == len(result.history)
    assert visits["p_elbo"].max() == result.history.best.p_elbo  # type: ignore[union-attr]
    latents = result.latents_to_pandas()
    assert list(latents["latent"]) == [one.latent.name for one in result.evidence]
    assert result._repr_html_().startswith("<p>")


def test_that_rows_of_a_posterior_sum_to_one() -> None:
    from latconf_core.options.scoring import VbemOptions
    from latconf_core.score.scorer import Scorer

    drawn = sample(load_example("asia"), 200, rng=np.random.default_rng(1), hide=["smoke"])
    rows = Scorer(drawn.dataset, VbemOptions()).posterior(drawn.truth).rows_to_pandas()
    assert len(rows) == 200
    np.testing.assert_allclose(rows.sum(axis=1), 1.0)


def test_that_a_search_of_a_pag_without_one_says_what_to_do() -> None:
    data = latconf.Dataset(["x", "y"], [("0", "1"), ("a", "b")], [[0, 1], [1, 0]])
    with pytest.raises(OptionError, match=r"learn one by learn\(data\)"):
        latconf.find_latents(data, algorithm="ilc-v")


@pytest.mark.filterwarnings("ignore")
def test_that_graphs_of_causal_learn_come_and_go() -> None:
    graph = mixed("A o-> B", "B <-> C", "A o-o D", "D --> C")
    theirs = latconf.to_causal_learn(graph)
    assert str(theirs).count("-") >= 4
    assert latconf.from_causal_learn(theirs) == graph
    theirs.graph[0, 1] = 4
    with pytest.raises(GraphError, match="other than arrow"):
        latconf.from_causal_learn(theirs)


@pytest.mark.filterwarnings("ignore")
def test_that_pgmpy_gets_the_same_tables() -> None:
    network = load_example("asia")
    model = network.to_pgmpy()
    assert model.check_model()
    table, own = model.get_cpds("dysp"), network.cpts["dysp"]
    axes = [*own.parents, "dysp"]
    for index in np.ndindex(*own.table.shape):
        states = {variable: network.states(variable)[i] for variable, i in zip(axes, index)}
        assert table.get_value(**states) == pytest.approx(own.table[index])


def test_that_the_structure_of_a_network_is_a_dag_with_its_latents() -> None:
    assert isinstance(load_example("asia").to_dag(), LatentDag)
    assert isinstance(mixed("A --> B"), MixedGraph)
