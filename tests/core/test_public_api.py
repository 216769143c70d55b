"""The lines that the two READMEs show for Python, run as they stand."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.small_runs import confounded

import latconf_core
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.reading.write import write_dataset
from latconf_core.data.sampling import sample
from latconf_core.errors import LatconfError
from latconf_core.formats.examples import load_example
from latconf_core.formats.graphs.registry import read_dag

README = Path(__file__).resolve().parents[2] / "README.md"
PAGE = Path(latconf_core.__file__).with_name("README.md")


def api_section() -> str:
    """The section of the map that shows how latconf is used from Python."""
    return PAGE.read_text(encoding="utf-8").partition("## Using latconf from Python\n")[2].partition("\n## ")[0]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of pgmpy and causal-learn
def test_that_the_page_on_python_runs_from_top_to_bottom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    above = PAGE.read_text(encoding="utf-8").partition(api_section())[0].splitlines()
    lines = [line[4:] if line.startswith("    ") else "" for line in api_section().splitlines()]
    assert sum(map(bool, lines)) > 30
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile("\n".join([*[""] * len(above), *lines]), str(PAGE), "exec"), names)  # lines where the page has them
    assert (tmp_path / "report.html").stat().st_size > 10_000
    assert (tmp_path / "run" / "result.json").exists()


def test_that_the_page_on_python_shows_every_public_name() -> None:
    shown = " ".join(line for line in api_section().splitlines() if line.startswith("    "))
    assert [name for name in latconf_core.__all__ if f"latconf.{name}" not in shown] == ["BayesNet"]
    assert "`BayesNet`" in api_section()  # what load_example gives; nobody writes one by hand


def test_that_every_public_name_is_there_and_none_is_a_room() -> None:
    rooms = {path.name for path in PAGE.parent.iterdir() if path.is_dir()}
    assert [name for name in latconf_core.__all__ if not callable(getattr(latconf_core, name))] == []
    assert rooms.isdisjoint(latconf_core.__all__)  # importing a room would replace the name
    with pytest.raises(AttributeError, match="latconf_core has no 'nothing'"):
        latconf_core.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_that_the_lines_in_the_readme_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section = README.read_text(encoding="utf-8").partition("## From Python\n\n")[2]
    block = re.match(r"(?:(?: {4}.*)?\n)+", section)
    assert block is not None
    drawn = sample(load_example("asia"), 500, rng=np.random.default_rng(1), hide=["smoke"])
    write_dataset(drawn.dataset, tmp_path / "asia.csv")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(re.sub("^    ", "", block.group(), flags=re.MULTILINE), names)
    result = names["result"]
    assert names["p_elbo"] == pytest.approx(result.p_elbo, abs=1.0)  # type: ignore[attr-defined]  # other seed
    assert read_dag(tmp_path / "results" / "model.json", nodes=drawn.dataset.names) == result.best  # type: ignore[attr-defined]


def test_that_importing_the_package_imports_nothing_heavy() -> None:
    heavy = "{'numpy', 'pandas', 'numba', 'PySide6'}"
    code = f"import latconf_core, sys; print(*({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.parametrize(
    "call",
    [
        lambda data: latconf_core.learn(data, 1.5),
        lambda data: latconf_core.learn(data, ["fci"]),
        lambda data: latconf_core.learn(data, preset=None),
        lambda data: latconf_core.find_latents(data, None, None),
        lambda data: latconf_core.find_latents(data, None, ["auto"]),
        lambda data: latconf_core.find_latents(data, None, "refine", seed=1.5),
        lambda data: latconf_core.find_latents(data, None, "refine", time_limit="0.05"),
        lambda data: latconf_core.find_latents(data, None, "refine", max_bidirected=None),
        lambda data: latconf_core.score_dag(data, LatentDag("ABC"), ess=None),
        lambda data: latconf_core.score_dag(data, LatentDag("ABC"), ess="0.05"),
        lambda data: latconf_core.score_dag(data, LatentDag("ABC"), restarts=1.5),
        lambda data: latconf_core.score_dag(data, LatentDag("ABC"), max_iterations=10**30),
        lambda data: latconf_core.ask("asia", see={"smoke": 1.5}),
        lambda data: latconf_core.ask("asia", see={None: "yes"}),
        lambda data: latconf_core.ask("asia", do={"smoke": None}),
        lambda data: latconf_core.ask("no such model"),
    ],
)
def test_that_an_option_of_a_wrong_type_is_a_sentence_in_python_too(call: Callable[[Dataset], object]) -> None:
    with pytest.raises(LatconfError) as caught:
        call(confounded(20))
    assert str(caught.value).strip()
