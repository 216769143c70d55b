"""`latconf ask` as a person and a program call it, and `latconf_core.ask`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.builders import mixed
from support.small_runs import small_run

import latconf_core
from latconf_core.cli.main import main
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.errors import GraphError
from latconf_core.formats.graphs.registry import write_dag, write_graph
from latconf_core.formats.networks.bif_text import write_bif
from latconf_core.formats.networks.network_json import write_network_json
from latconf_core.formats.run_folder import write_run
from latconf_core.knowledge.knowledge import Knowledge

ODD = BayesNet(
    [
        Cpt("<b>a</b> = ü", ["x y", "50%"], (), [0.25, 0.75]),
        Cpt("B", ["0", "1"], ("<b>a</b> = ü",), [[0.9, 0.1], [0.2, 0.8]]),
    ]
)


def told(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    assert main(["ask", *args, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert isinstance(answer, dict)
    return answer


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert main(["ask", *args]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    return said.err


def test_that_every_form_of_a_run_answers_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = small_run()
    write_run(result, tmp_path)
    places = [str(tmp_path), *(str(tmp_path / name) for name in ("model.json", "model.bif", "result.json"))]
    answers = [told(capsys, index, "--see", "A=yes", "--do", "C=1") for index in places]
    assert all(answer["probabilities"] == answers[0]["probabilities"] for answer in answers)
    assert answers[0]["latents"] == ["L1"]
    own = latconf_core.ask(result, see={"A": "yes"}, do={"C": "1"})
    assert answers[0]["probability_of_evidence"] == pytest.approx(own.probability)
    assert answers[0]["probabilities"]["L1"] == pytest.approx(own["L1"])
    assert answers[0]["probabilities"]["C"] == {"0": 0.0, "1": 1.0, "2": 0.0}
    assert answers[0]["before"]["A"]["yes"] == pytest.approx(own.before["A"][1])


def test_that_odd_names_are_asked_by_their_own_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_bif(ODD, tmp_path / "odd.bif")
    write_network_json(ODD, tmp_path / "odd.json")
    for name in ("odd.bif", "odd.json"):
        answer = told(capsys, str(tmp_path / name), "--see", "<b>a</b> = ü=50%")
        assert answer["probabilities"]["B"]["1"] == pytest.approx(0.8)
        assert answer["probability_of_evidence"] == pytest.approx(0.75)


def test_that_the_text_has_before_and_after_and_the_range_of_what_is_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "asia", "--see", "dysp=yes"]) == 0
    seen = capsys.readouterr().out
    assert "probability of the evidence: 0.43597" in seen
    assert "equally good" not in seen
    assert main(["ask", "asia", "--do", "smoke=no"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "smoke = no set"
    assert any(line.split()[:4] == ["lung", "yes", "0.0550", "0.0100"] for line in lines)
    assert "fit the data equally well" in lines[-1]


def test_that_seeing_is_set_against_setting(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "asia", "--contrast", "lung=yes", "bronc")["contrast"]
    assert found["do"]["yes"] == pytest.approx(0.45)
    assert found["see"]["yes"] == pytest.approx(0.572727, abs=1e-6)
    assert (found["comes_from"], found["open_back_door_paths"]) == (["smoke"], [["lung", "smoke", "bronc"]])


def test_that_adjustment_sets_are_told_for_models_dags_and_pags(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_run(small_run(), tmp_path / "run")
    write_graph(mixed("A o-> C", "B o-> C", "C --> D"), tmp_path / "pag.txt")
    write_graph(mixed("Z --> X", "Z --> Y", "X --> Y"), tmp_path / "dag.txt")
    best = small_run().best
    assert best is not None
    write_dag(best, tmp_path / "best.json")
    of_run = told(capsys, str(tmp_path / "run"), "--adjust", "A", "C")["adjustment"]
    assert of_run == told(capsys, str(tmp_path / "best.json"), "--adjust", "A", "C")["adjustment"]
    assert told(capsys, str(tmp_path / "pag.txt"), "--adjust", "C", "D")["adjustment"]["sets"] == [[]]
    amenable = told(capsys, str(tmp_path / "pag.txt"), "--adjust", "A", "D")["adjustment"]
    assert amenable["not_amenable"] == [["A", "o->", "C"]]
    found = told(capsys, str(tmp_path / "dag.txt"), "--adjust", "X", "Y")["adjustment"]
    assert (found["graph"], found["sets"]) == ("DAG", [["Z"]])
    assert "not a valid PAG" in refused(capsys, str(tmp_path / "dag.txt"), "--adjust", "X", "Y", "--as", "pag")
    assert main(["ask", str(tmp_path / "dag.txt"), "--adjust", "X", "Y"]) == 0
    assert "  { Z }" in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["asia", "--see", "smoke"], "'smoke' is not a state; write VARIABLE=STATE"),
        (["asia", "--see", "smoking=yes"], "there is no variable 'smoking'; did you mean 'smoke'"),
        (["asia", "--do", "smoke=maybe"], "'smoke' has no state 'maybe'"),
        (["asia", "--see", "either=no", "lung=yes"], "cannot be observed together"),
        (["asia", "--see", "smoke=yes", "--do", "smoke=no"], "both observed and set"),
        (["nowhere"], "there is neither a file nor an example of this name"),
        (["asia", "--adjust", "smoke", "smoke"], "cannot be cause and effect at once"),
        (["asia", "--adjust", "smoke", "dysp", "--as", "dag", "--see", "xray=yes"], "--as is only for --adjust"),
    ],
)
def test_that_a_question_that_cannot_be_answered_is_one_sentence(
    args: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, *args)
    assert message in said
    assert len(said.splitlines()) == 1


def test_that_what_has_no_tables_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_graph(mixed("A o-> B"), tmp_path / "pag.txt")
    assert "has no probability tables" in refused(capsys, str(tmp_path / "pag.txt"), "--see", "A=1")
    assert "has no model.bif" in refused(capsys, str(tmp_path))
    with pytest.raises(GraphError, match="this result has no probability tables"):
        latconf_core.ask(replace(small_run(), posterior=None))


def test_that_do_tells_the_range_over_equally_good_dags(capsys: pytest.CaptureFixture[str]) -> None:
    answer = told(capsys, "asia", "--do", "bronc=yes")
    spread = answer["over_class"]
    least, greatest = spread["range"]["smoke"]["yes"]
    assert (least, greatest) == (pytest.approx(0.5), pytest.approx(2 / 3))
    assert least <= answer["probabilities"]["smoke"]["yes"] <= greatest
    assert spread["choices"] == 2
    assert not spread["same"]
    assert told(capsys, "asia", "--do", "either=yes")["over_class"]["same"]
    assert "over_class" not in told(capsys, "asia", "--see", "either=yes")
    assert latconf_core.ask_range("asia", do={"bronc": "yes"}).of("smoke")["yes"] == pytest.approx((least, greatest))


def test_that_the_knowledge_of_a_run_narrows_the_range(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_bif(latconf_core.load_example("asia"), tmp_path / "model.bif")
    (tmp_path / "result.json").write_text('{"knowledge": null}')
    assert told(capsys, str(tmp_path), "--do", "bronc=yes")["over_class"]["choices"] == 2
    known = Knowledge(required=(("smoke", "bronc"),))
    (tmp_path / "result.json").write_text(json.dumps({"knowledge": known.to_json()}))
    assert told(capsys, str(tmp_path), "--do", "bronc=yes")["over_class"]["same"]
    assert latconf_core.ask_range(tmp_path, do={"bronc": "yes"}).is_same


def test_that_an_effect_is_told_with_its_formula_and_its_value_on_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = latconf_core.sample(latconf_core.load_example("asia"), 400, rng=np.random.default_rng(0))
    drawn.dataset.to_pandas().to_csv(tmp_path / "asia.csv", index=False)
    args = ("asia", "--effect", "bronc=yes,no", "dysp=yes", "--data", str(tmp_path / "asia.csv"), "--draws", "50")
    found = told(capsys, *args)["effect"]
    assert (found["route"], found["by"], found["identified"]) == ("back door", ["smoke"], True)
    assert found["formula"] == "P(dysp | do(bronc)) = Σ_{smoke} P(smoke) P(dysp | bronc, smoke)"
    value, interval = found["plug_in"]["value"], found["plug_in"]["interval"]
    assert interval["difference"][0] < value["difference"] < interval["difference"][1]
    assert found["plug_in"]["empty_cells"] == []
    assert found["in_this_dag"]["first"] == pytest.approx(0.8065, abs=1e-4)
    low, high = found["over_class"]["range"]["difference"]
    assert low < high
    assert found["over_pag"]["relies_on_latents"] is False
    assert found["strength"]["e_value"] > found["strength"]["needed_factor"] > 1
    assert found["sentences"][0]["about"] == "In this DAG"
    assert main(["ask", *args]) == 0
    assert "adjusting for smoke" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--effect", "bronc=yes", "dysp=yes"), "two of its states"),
        (("--effect", "bronc=yes,maybe", "dysp=yes"), "two of its states"),
        (("--effect", "bronc=yes,yes", "dysp=yes"), "are the same"),
        (("--effect", "bronc=yes,no", "dysp=q"), "no state 'q'"),
        (("--effect", "bronc=yes,no", "bronc=yes"), "cause and effect at once"),
        (("--data", "asia.csv"), "--data is for --effect"),
        (("--effect", "bronc=yes,no", "dysp=yes", "--draws", "-1"), "give 0 or more"),
    ],
)
def test_that_an_effect_without_sense_is_refused(
    capsys: pytest.CaptureFixture[str], args: tuple[str, ...], said: str
) -> None:
    assert said in refused(capsys, "asia", *args)
