"""The readers of what latconf itself keeps: networks, knowledge, options, results, histories, posteriors, projects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from zlib import crc32

from support.small_runs import GRAPH, confounded, kept_pag, kept_run, small_run
from support.small_stability import small_stability

from fuzz.reader import Reader, written
from latconf_core.control import Progress, RunControl
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.discretise import Discretisation
from latconf_core.data.preparing.prepare import prepare
from latconf_core.data.preparing.prepare_table import table_of_dataset
from latconf_core.data.read_options import ReadOptions
from latconf_core.errors import LatconfError
from latconf_core.formats.compared_files import read_compared, to_subject, variables_of
from latconf_core.formats.examples import load_example
from latconf_core.formats.history_csv import history_text, read_history
from latconf_core.formats.knowledge_file import parse_table, parse_tetrad, read_knowledge, table_text, tetrad_text
from latconf_core.formats.networks.registry import NETWORK_FORMATS, read_network
from latconf_core.formats.projects.compared_graphs import ComparedItem, GraphSource, compared_text, parse_compared
from latconf_core.formats.projects.posterior_file import parse_posterior, posterior_bytes
from latconf_core.formats.projects.project_file import Project, write_project
from latconf_core.formats.projects.project_state import OpenedProject, open_project, save_state
from latconf_core.formats.projects.run_files import read_part
from latconf_core.formats.run_folder import RESULT, read_run, run_texts
from latconf_core.json_form import parse_json
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.options.resampling import StabilityOptions
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.events import EdgeRemoved, PhaseStarted, pag_event_from_json, pag_event_to_json
from latconf_core.search.outcome.events import SearchFinished, search_event_from_json, search_event_to_json

SAMPLES = Path(__file__).resolve().parent.parent / "core" / "formats" / "projects" / "samples"


def document_readers() -> Iterator[Reader]:
    """Networks, knowledge, histories, results, options and events, each a file of its own."""
    network = load_example("asia")
    for network_format in NETWORK_FORMATS:
        seeds = tuple(
            network_format.render(own, network_format.written_names(own)).encode() for own in (network, _odd_network())
        )
        yield Reader(f"network {network_format.name}", network_format.extensions[0], _read_network, seeds)
    yield from _knowledge_readers()
    yield from _run_readers()
    for kind in (PagOptions, VbemOptions, SearchOptions, StabilityOptions, Preparation, ReadOptions):
        seed = json.dumps(_options(kind).to_json()).encode()
        yield Reader(f"options {kind.__name__}", ".json", lambda path, own=kind: _read_options(own, path), (seed,))
    events = (PhaseStarted("skeleton", "x"), EdgeRemoved("A", "B", ("C",), 0.3, "skeleton"))
    seeds = tuple(json.dumps(pag_event_to_json(event)).encode() for event in events)
    yield Reader("learner's event", ".json", lambda path: pag_event_from_json(_json(path)), seeds)
    told = (SearchFinished(small_run()), Progress(1, 5, "x"))
    seeds = tuple(json.dumps(search_event_to_json(event)).encode() for event in told)
    yield Reader("search's event", ".json", lambda path: search_event_from_json(_json(path)), seeds)


def _odd_network() -> BayesNet:
    """A network with a latent, odd names, and Dirichlet parameters."""
    cause = Cpt.from_dirichlet("L (1)", ["s 0", "s,1"], [], [3.0, 5.0])
    effect = Cpt.from_dirichlet("<b>x</b>", ["a", "b", "ü"], ["L (1)"], [[1.0, 2.0, 3.0], [4.0, 1.0, 1.0]])
    return BayesNet([cause, effect], name='a "b"', latents=["L (1)"])


def _read_network(path: Path) -> object:
    """As `latconf convert` does: read it, and write it in some format, from which it must come back."""
    network = read_network(path)
    chosen = NETWORK_FORMATS[crc32(path.read_bytes()) % len(NETWORK_FORMATS)]
    again = chosen.parse(chosen.render(network, chosen.written_names(network)))
    if again.variables != network.variables or set(again.edges) != set(network.edges):
        raise AssertionError(f"{chosen.name} gave another network back")
    return again


def _options(kind: type) -> object:
    if kind is Preparation:
        return Preparation(
            set_aside=frozenset({"A"}),
            discretise=(("B", Discretisation("equal width", 3)),),
            rename=(("C", (("0", "none"),)),),
        )
    return StabilityOptions(learner=PagOptions(), search="hclc-v") if kind is StabilityOptions else kind()


def _read_options(kind: type, path: Path) -> object:
    """The options, which must come back the same from what they write."""
    options = kind.from_json(_json(path))
    if kind.from_json(json.loads(json.dumps(options.to_json()))) != options:
        raise AssertionError("the options are others when they are read again")
    return options


def _knowledge_readers() -> Iterator[Reader]:
    knowledge = Knowledge(tiers=(("A",), ("B", "C")), forbidden=(("A", "C"),), required=(("A", "B"),))
    groups = b"/knowledge\naddtemporal\n0* A B\n1 C\nforbiddengroup\nA,B ==> C\nrequiredirect\nA C\n"
    tetrad, table = tetrad_text(knowledge).encode(), table_text(knowledge).encode()
    yield Reader("knowledge tetrad", ".txt", read_knowledge, (tetrad, groups))
    yield Reader("knowledge table", ".csv", read_knowledge, (table,))
    yield Reader("knowledge text", ".txt", lambda path: tetrad_text(parse_tetrad(_text(path))), (tetrad, groups))
    yield Reader("knowledge rows", ".csv", lambda path: table_text(parse_table(_text(path))), (table,))


def _run_readers() -> Iterator[Reader]:
    run = small_run()
    texts = dict(run_texts(run))
    history, nodes = history_text(run.history), run.history.nodes
    old = "visit,kind,bidirected,p_elbo,edges,latents\n0,candidate,0,-10.5,0>1 1>2,\n1,states,1,-9.5,,2:0,1<2\n"
    first = json.dumps({**json.loads(texts[RESULT]), **_first_version()}).encode()
    seeds = (texts[RESULT].encode(), first)
    yield Reader(
        "history", ".csv", lambda path: history_text(read_history(path, nodes)), (history.encode(), old.encode())
    )
    yield Reader("result", ".json", lambda path: _read_result(path, history), seeds)
    yield Reader("compared file", ".json", _read_compared, (texts[RESULT].encode(), *_compared_seeds()))
    items = (
        ComparedItem("A", GRAPH, "PAG", "x"),
        ComparedItem("B", LatentDag("ABC", [("A", "B")], [Latent("L1", 2, ("B", "C"))]), "DAG"),
        ComparedItem("C", GRAPH, "PAG", "x", GraphSource(pag="drawn")),
        ComparedItem("D", run.history.dag(0), "DAG", "x", GraphSource(run=kept_run().name, visit=0)),
    )
    seed = compared_text(items, (kept_pag(),), (kept_run(),)).encode()
    yield Reader("compared graphs", ".json", _read_compared_graphs, (seed,))


def _first_version() -> dict[str, object]:
    """What a result of the first version says of the graph that was searched."""
    return {"version": 1, "treatment": {"kind": "valid", "reasons": [], "changes": [["A o-> C", "A --> C"]]}}


def _compared_seeds() -> Iterator[bytes]:
    yield b'{"nodes": ["A", "B", "C"], "edges": [["A", "o->", "B"]]}'
    yield b'{"nodes": ["A", "B", "C"], "edges": [["A", "B"]], "latents": [{"name": "L", "children": ["B", "C"]}]}'


def _read_compared(path: Path) -> object:
    """As `latconf compare` does with a file and itself."""
    file = read_compared(path)
    return to_subject(file, variables_of([file]))


def _read_compared_graphs(path: Path) -> object:
    notes: list[str] = []
    pags, runs = (kept_pag(),), (kept_run(),)
    items = read_part("all", lambda: parse_compared(_text(path), pags, runs, notes), notes)
    return compared_text(items or (), pags, runs)


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")


def _json(path: Path) -> object:
    """As the readers of JSON files do before they hand on."""
    return parse_json(path.read_bytes())


def _read_result(path: Path, history: str) -> object:
    """A run with this result, which can be written again."""
    folder = path.with_suffix("")
    folder.mkdir(exist_ok=True)
    (folder / RESULT).write_bytes(path.read_bytes())
    (folder / "history.csv").write_text(history)
    return dict(run_texts(read_run(folder)))


def archive_readers() -> Iterator[Reader]:
    """Posteriors and projects."""
    run = small_run()
    assert run.best is not None
    assert run.posterior is not None
    best, posterior = run.best, posterior_bytes(run.posterior)
    yield Reader("posterior", ".npz", lambda path: _read_posterior(path, best), (posterior,))
    yield Reader("project", ".latconf", _read_project, (small_project(), small_project(learn=True), *_samples()))


def _read_posterior(path: Path, dag: LatentDag) -> object:
    """As a project reads it: what is damaged is left out and named; what is read can be used."""
    read = read_part("posterior", lambda: parse_posterior(path.read_bytes(), dag, confounded()), [])
    if read is None:
        raise LatconfError("left out")
    return (
        posterior_bytes(read),
        read.network(),
        read.bic,
        read.warnings,
        [read.responsibilities(latent) for latent in read.latents],
    )


def _read_project(path: Path) -> object:
    """As the window does: open it, and save it again."""
    opened = _last(open_project(path, RunControl(), post=_ignore))
    again = path.with_name("input-again.latconf")
    for _ in save_state(opened.state, again, RunControl(), post=_ignore):
        pass
    return _last(open_project(again, RunControl(), post=_ignore))


def _last(events: Iterator[object]) -> OpenedProject:
    (*_, last) = events
    assert isinstance(last, OpenedProject)
    return last


def _ignore(_: object) -> None:
    """Nobody follows the progress."""


def small_project(*, learn: bool = False) -> bytes:
    """A project file with something of everything."""
    raw = table_of_dataset(confounded(400 if learn else 20))
    preparation = Preparation(missing_marks=())
    project = Project(
        "x",
        raw=raw,
        source={"path": "/x/data.csv"} if learn else {"example": {"name": "asia", "hide": [], "n_rows": 5, "seed": 1}},
        preparation=preparation,
        prepared=prepare(raw, preparation) if learn else None,
        truth=load_example("asia") if learn else None,
        knowledge=Knowledge(tiers=(("A",), ("B",))),
        pags=(replace(kept_pag(), stability=small_stability(searches=False)),),
        current_pag="drawn",
        runs=(replace(kept_run(), stability=small_stability()),),
        compared=(ComparedItem("C", GRAPH, "PAG", "x", GraphSource(pag="drawn")),),
        latent_names={("A", "B"): "cause"},
        state_names={Latent("L1", 2, ("A", "B")): ("low", "high")},
        positions={"A": (0.0, 1.5)},
        learn={"activity": "hide", "hide": {"dag": {"nodes": ["A"], "edges": []}}},
        log="a line",
    )
    return written(lambda path: write_project(project, path), ".latconf")


def _samples() -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted(SAMPLES.glob("*.latconf")))
