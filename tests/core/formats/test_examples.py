from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import numpy as np
import pytest

from latconf_core.dag.hidden_variables import hidden_truth
from latconf_core.errors import OptionError
from latconf_core.files import read_text
from latconf_core.formats import example_files
from latconf_core.formats.examples import example_names, examples, load_example
from latconf_core.formats.networks.bif import parse_bif
from latconf_core.formats.networks.bif_text import bif_text

FOLDER = Path(__file__).resolve().parents[3] / "resources" / "examples"

# Variables, edges and free parameters as the Bayesian Network Repository lists them.
LISTED = {
    "asia": (8, 8, 18),
    "cancer": (5, 4, 10),
    "earthquake": (5, 4, 10),
    "survey": (6, 6, 21),
    "sachs": (11, 17, 178),
    "child": (20, 25, 230),
    "insurance": (27, 52, 1008),
    "alarm": (37, 46, 509),
}


@pytest.mark.parametrize("name", LISTED)
def test_that_each_example_has_the_size_that_the_repository_lists(name: str) -> None:
    network = load_example(name)
    assert (len(network.variables), len(network.edges), network.n_free_parameters) == LISTED[name]
    assert network.name == name


@pytest.mark.slow
@pytest.mark.parametrize("name", LISTED)
def test_that_each_example_loads_in_pgmpy_with_the_same_tables(name: str) -> None:
    from pgmpy.readwrite import BIFReader

    ours = load_example(name)
    theirs = BIFReader(str(FOLDER / f"{name}.bif")).get_model()
    assert set(theirs.nodes) == set(ours.variables)
    for cpt in ours.cpts.values():
        other = theirs.get_cpds(cpt.variable)
        assert tuple(other.state_names[cpt.variable]) == cpt.states
        assert tuple(other.variables[1:]) == cpt.parents
        np.testing.assert_array_equal(np.moveaxis(other.values, 0, -1), cpt.table)


@pytest.mark.parametrize("name", LISTED)
def test_that_each_file_is_what_our_writer_writes_below_its_source(name: str) -> None:
    text = read_text(FOLDER / f"{name}.bif")
    comments = [line for line in text.splitlines(keepends=True) if line.startswith("//")]
    assert text == "".join(comments) + bif_text(parse_bif(text))
    [source] = [example.source for example in examples() if example.name == name]
    assert f"// Source: {source}.\n" in comments


def test_that_the_index_lists_every_file_and_hides_a_common_cause_in_each() -> None:
    assert set(example_names()) == set(LISTED) == {file.stem for file in FOLDER.glob("*.bif")}
    for example in examples():
        assert example.description.count(".") == 1
        [latent] = hidden_truth(load_example(example.name), [example.hide]).latents
        assert latent.name == example.hide


def test_that_an_unknown_example_gets_the_names_that_there_are() -> None:
    with pytest.raises(OptionError, match="there is no example 'asai'; choose one of asia, cancer, "):
        load_example("asai")


def test_that_a_wheel_carries_the_examples_to_where_they_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tomllib.loads((FOLDER.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    carried = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    target = tmp_path / carried["resources/examples"]
    shutil.copytree(FOLDER, target)
    monkeypatch.setattr(example_files, "_PACKAGE", tmp_path / "latconf_core")
    assert example_files.examples_folder() == target
    assert load_example("asia").name == "asia"
    assert load_example("titanic").dataset.n_rows == 2201
