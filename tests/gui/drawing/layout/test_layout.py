from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from support.builders import mixed

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.errors import OptionError
from latconf_gui.drawing.content.graph_drawing import drawing_of_dag, drawing_of_graph
from latconf_gui.drawing.layout.graphviz_layout import ENGINES, Engine, LayoutRequest, dag_svg, graph_svg, lay_out
from latconf_gui.drawing.layout.layout_process import LayoutError, LayoutProcess, layout_request

GRAPH = mixed("A o-> B", "B --> C", "C <-> D", "D o-o E", "A o-> E", nodes=list("ABCDEXYZ"))
SIZES = dict.fromkeys("ABCDEXYZ", (60.0, 26.0))


def request(engine: Engine = "dot") -> LayoutRequest:
    return layout_request(drawing_of_graph(GRAPH), SIZES, engine=engine, frame=(500.0, 400.0))


@pytest.mark.parametrize("engine", ENGINES)
def test_that_every_layout_places_every_node_without_overlap(engine: Engine) -> None:
    places = lay_out(request(engine))
    assert set(places) == set(GRAPH.nodes)
    spots = np.array(list(places.values()))
    apart = np.abs(spots[:, None] - spots[None, :])
    meets = (apart[..., 0] < 60) & (apart[..., 1] < 26)
    assert not (meets & ~np.eye(len(spots), dtype=bool)).any()


def test_that_the_same_request_gives_the_same_places() -> None:
    assert lay_out(request("neato")) == lay_out(request("neato"))


def test_that_causes_stand_above_their_effects_in_dot() -> None:
    chain = mixed("C <-- B", "A --> B")
    asked = layout_request(drawing_of_graph(chain), SIZES, engine="dot", frame=(300.0, 300.0))
    places = lay_out(asked)
    assert places["A"][1] < places["B"][1] < places["C"][1]


def test_that_a_layout_in_rows_has_latents_on_top_and_every_arrow_downwards() -> None:
    edges = [("A", "C"), ("C", "E"), ("B", "E"), ("E", "F"), ("D", "F")]
    dag = LatentDag(list("ABCDEFG"), edges, [Latent("L1", 2, ("A", "B")), Latent("L2", 3, ("D", "F"))])
    drawing = drawing_of_dag(dag)
    sizes = dict.fromkeys(drawing.names, (60.0, 26.0))
    asked = layout_request(drawing, sizes, engine="dot", frame=(300.0, 300.0), is_layered=True)
    places = lay_out(LayoutRequest.from_json(asked.to_json()))
    assert all(places[cause][1] < places[effect][1] for cause, effect in dag.all_edges())
    assert places["L1"][1] == places["L2"][1] < min(places[name][1] for name in dag.nodes)
    assert places["G"][1] > max(places[name][1] for name in "ABCDEF")


def test_that_nodes_without_edges_stand_below_the_rest() -> None:
    places = lay_out(request())
    assert min(places[name][1] for name in "XYZ") > max(places[name][1] for name in "ABCDE")


def test_that_a_graph_without_edges_or_nodes_has_a_layout() -> None:
    assert lay_out(LayoutRequest("dot", (), (), (), (100.0, 100.0))) == {}
    lone = lay_out(LayoutRequest("dot", ("A",), ((60.0, 26.0),), (), (100.0, 100.0)))
    assert set(lone) == {"A"}


def test_that_given_places_are_brought_into_the_frame_in_the_same_order() -> None:
    wide = {name: (400.0 * (i % 4), 300.0 * (i // 4)) for i, name in enumerate("ABCDEXYZ")}
    asked = layout_request(drawing_of_graph(GRAPH), SIZES, engine="dot", frame=(420.0, 200.0), places=wide)
    places = lay_out(LayoutRequest.from_json(asked.to_json()))
    assert max(x for x, _ in places.values()) - min(x for x, _ in places.values()) <= 420 - 60 + 1
    assert max(y for _, y in places.values()) - min(y for _, y in places.values()) <= 200 - 26 + 1
    for row in ("ABCD", "EXYZ"):
        across = [places[name][0] for name in row]
        assert across == sorted(across)
    assert all(places[above][1] < places[below][1] for above, below in zip("ABCD", "EXYZ"))


def test_that_slow_layouts_are_refused_on_large_graphs() -> None:
    names = tuple(f"V{i}" for i in range(101))
    with pytest.raises(OptionError, match="circo takes minutes on 101 nodes; choose dot, neato or sfdp"):
        LayoutRequest("circo", names, ((10.0, 10.0),) * 101, (), (100.0, 100.0))


def test_that_a_request_survives_its_way_through_json() -> None:
    assert LayoutRequest.from_json(request().to_json()) == request()


def test_that_names_of_any_kind_are_laid_out() -> None:
    graph = mixed('T+1 o-> a"b', 'a"b --> <html>%')
    sizes = dict.fromkeys(graph.nodes, (50.0, 20.0))
    asked = layout_request(drawing_of_graph(graph), sizes, engine="dot", frame=(200.0, 200.0))
    assert set(lay_out(asked)) == set(graph.nodes)


def test_that_a_layout_beside_the_window_gives_the_same_places(qtbot: QtBot) -> None:
    process = LayoutProcess()
    with qtbot.waitSignal(process.finished, timeout=20_000) as caught:
        process.start(request())
    assert caught.args == [lay_out(request())]
    assert not process.is_running


def test_that_a_cancelled_layout_says_nothing_more(qtbot: QtBot) -> None:
    process = LayoutProcess()
    process.start(request())
    with qtbot.assertNotEmitted(process.finished, wait=300), qtbot.assertNotEmitted(process.failed):
        process.cancel()
    assert not process.is_running


def test_that_a_layout_that_dies_is_reported(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latconf_gui.drawing.layout.layout_process._MODULE", "latconf_gui.no_such_module")
    process = LayoutProcess()
    with qtbot.waitSignal(process.failed, timeout=20_000) as caught:
        process.start(request())
    assert isinstance(caught.args[0], LayoutError)
    assert "try another one" in str(caught.args[0])


DAG = LatentDag(["A", "B<C", "D"], [("A", "D")], [Latent("L1", 3, ("A", "B<C"))])


def texts_of(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_that_a_dag_becomes_svg_with_dashed_latents_and_every_name() -> None:
    svg = dag_svg(DAG)
    assert {"A", "B<C", "D", "L1", "3 states"} <= set(texts_of(svg))
    dashed = [e for e in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}ellipse") if e.get("stroke-dasharray")]
    assert len(dashed) == 1
    assert svg.count('class="edge"') == 3


def test_that_the_legend_of_a_dag_speaks_of_causes_and_not_of_marks() -> None:
    told = texts_of(dag_svg(LatentDag(["A", "B"], [("A", "B")])))
    assert "arrow: cause in this DAG" in told
    assert not any("other end" in text for text in told)
    assert "arrow: cause in this DAG" in texts_of(dag_svg(DAG))


def test_that_a_pag_becomes_svg_with_a_circle_for_every_circle_mark() -> None:
    svg = graph_svg(GRAPH)
    circles = list(ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}ellipse"))
    assert len(circles) == 4
    assert any("undecided" in text for text in texts_of(svg))


def test_that_a_picture_needs_no_qt() -> None:
    code = (
        "import sys; from latconf_gui.drawing.layout.graphviz_layout import dag_svg;"
        "from latconf_core.dag.latent_dag import *;"
        "dag_svg(LatentDag(['A','B'], [('A','B')])); assert not [m for m in sys.modules if m.startswith('PySide6')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_that_the_edges_of_latents_are_emphasised() -> None:
    drawing = drawing_of_dag(DAG)
    assert {str(d.edge) for d in drawing.edges if d.is_emphasised} == {"L1 --> A", "L1 --> B<C"}
    assert [node.name for node in drawing.nodes if node.is_latent] == ["L1"]


def test_that_python_files_of_the_folder_one_is_in_are_not_run(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("open('executed', 'w').close()\n")
    (tmp_path / "numpy.py").write_text("open('executed', 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    process = LayoutProcess()
    with qtbot.waitSignal(process.finished, timeout=60_000):
        process.start(request())
    assert not (tmp_path / "executed").exists()
