"""Every reader of the program, with small good files to begin from."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from support.builders import mixed
from support.small_runs import confounded, kept_pag, kept_run, small_run

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.prepare_table import prepare_table, table_of_dataset
from latconf_core.data.reading.load import read_table
from latconf_core.data.reading.table_formats.registry import table_formats
from latconf_core.data.reading.write import write_dataset
from latconf_core.errors import LatconfError
from latconf_core.formats.examples import load_example
from latconf_core.formats.graphs.graph_document import GraphDocument
from latconf_core.formats.graphs.registry import graph_formats, read_document
from latconf_core.formats.history_csv import history_text, read_history
from latconf_core.formats.knowledge_file import parse_table, parse_tetrad, read_knowledge, table_text, tetrad_text
from latconf_core.formats.networks.bif import read_bif
from latconf_core.formats.networks.bif_text import bif_text
from latconf_core.formats.networks.network_json import network_text, read_network_json
from latconf_core.formats.projects.opening import open_file
from latconf_core.formats.projects.posterior_file import parse_posterior, posterior_bytes
from latconf_core.formats.projects.project_file import Project, read_project, write_project
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.formats.run_folder import RESULT, read_run, run_texts
from latconf_core.options.learning import PagOptions
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.events import EdgeRemoved, PhaseStarted, pag_event_from_json, pag_event_to_json
from latconf_core.pag.knowledge import Knowledge

Read = Callable[[Path], object]
SAMPLES = Path(__file__).resolve().parent.parent / "core" / "formats" / "projects" / "samples"


@dataclass(frozen=True)
class Reader:
    """A way of reading files, and small files that it reads."""

    name: str
    suffix: str
    read: Read
    seeds: tuple[bytes, ...]


@cache
def readers() -> tuple[Reader, ...]:
    """Every table, graph, network and knowledge format, options, results, histories, posteriors and projects."""
    return (*_tables(), *_graphs(), *_others(), *_archives(), *_any_files())


def _tables() -> Iterator[Reader]:
    for one in table_formats():
        for suffix in one.suffixes:
            yield Reader(f"table {one.name} {suffix}", suffix, _read_table, _table_seeds(suffix))


def _read_table(path: Path) -> object:
    """As far as the Data page goes: read, plan, prepare."""
    return prepare_table(read_table(path), Preparation(missing="drop"), must_give_data=False)


@cache
def _table_seeds(suffix: str) -> tuple[bytes, ...]:
    small = confounded(12)
    wild = Dataset(
        ["Größe (cm)", "a,b", "x"], [("1", "2"), ('"q"', "r;s"), ("0.5", "1,5")], np.array([[0, 1, 0], [1, 0, 1]])
    )
    written = tuple(_written(lambda path, data=data: write_dataset(data, path), suffix) for data in (small, wild))
    by_hand = {
        ".csv": (b"a;b;c\n1;x;\n2;y;NA\n2;y;3,5\n", '\ufeffn,m\r\n"é""",2\r\n'.encode(), b"\n\n\na,b\n1,2\n"),
        ".tsv": (b"a\tb\n1\t2\n",),
        ".txt": (b"a b c\n1 2 3\n1 'x y' 3\n",),
        ".arff": (b"% c\n@relation r\n@attribute a {x, 'y z'}\n@attribute b numeric\n@data\nx,1\n{0 'y z'}\n?,2\n",),
    }
    return written + by_hand.get(suffix, ())


def _written(write: Callable[[Path], object], suffix: str) -> bytes:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = Path(folder) / f"file{suffix}"
        write(path)
        return path.read_bytes()


def _graphs() -> Iterator[Reader]:
    graph = mixed("A o-> B", "B --> C", "C <-> D", "D o-o A", nodes=["A", "B", "C", "D", "E"])
    plain = mixed("A --> B", "B --> C", nodes=list("ABC"))
    dag = LatentDag("ABC", [("A", "B")], [Latent("L1", 2, ("B", "C"))])
    foreign = {
        "dot": (b'digraph "g" { rankdir=LR; a -> b [dir=both, arrowtail=odot]; subgraph s { c; d } # x\n}',),
        "dagitty": (b'dag { A [exposure,pos="0,1"] B [latent] A -> B -> C ; C <-> A }',),
        "bif": (_small_bif(),),
    }
    for one in graph_formats():
        seeds = list(foreign.get(one.name, ()))
        for document in (GraphDocument(graph), GraphDocument(plain), GraphDocument.of_dag(dag)):
            if one.render is not None and (one.holds_latents or not document.latents):
                try:
                    seeds.append(one.render(document, one.written_names(document.graph)).encode())
                except LatconfError:
                    continue
        if not seeds:
            seeds = [b'"","A","B"\n"A",0,2\n"B",3,0\n']
        suffix = next(iter(one.extensions), ".txt")
        yield Reader(f"graph {one.name}", suffix, lambda path, name=one.name: _read_graph(path, name), tuple(seeds))


def _read_graph(path: Path, name: str) -> object:
    document = read_document(path, format=name)
    return document.to_dag() if document.latents else document.graph.edges()


def _small_bif() -> bytes:
    return bif_text(load_example("asia")).encode()


def _others() -> Iterator[Reader]:
    network = load_example("asia")
    yield Reader("network bif", ".bif", read_bif, (_small_bif(),))
    yield Reader("network json", ".json", read_network_json, (network_text(network).encode(),))
    knowledge = Knowledge(tiers=(("A",), ("B", "C")), forbidden=(("A", "C"),), required=(("A", "B"),))
    yield Reader("knowledge tetrad", ".txt", read_knowledge, (tetrad_text(knowledge).encode(),))
    yield Reader("knowledge table", ".csv", read_knowledge, (table_text(knowledge).encode(),))
    yield Reader("knowledge text", ".txt", lambda path: parse_tetrad(_text(path)), (tetrad_text(knowledge).encode(),))
    yield Reader("knowledge rows", ".csv", lambda path: parse_table(_text(path)), (table_text(knowledge).encode(),))
    run = small_run()
    history = history_text(run.history)
    old = "index,level,p_elbo,latents,edges\n0,0,-10.5,,0>1 1>2\n1,1,-9.5,L1:2:0+1,\n"
    nodes = run.history.nodes
    yield Reader("history", ".csv", lambda path: read_history(path, nodes), (history.encode(), old.encode()))
    yield Reader("result", ".json", lambda path: _read_result(path, history), (dict(run_texts(run))[RESULT].encode(),))
    for kind in (PagOptions, VbemOptions, SearchOptions, Preparation):
        seed = json.dumps(kind().to_json()).encode()
        yield Reader(f"options {kind.__name__}", ".json", lambda path, own=kind: own.from_json(_json(path)), (seed,))
    events = (PhaseStarted("skeleton", "x"), EdgeRemoved("A", "B", ("C",), 0.3, "skeleton"))
    seeds = tuple(json.dumps(pag_event_to_json(event)).encode() for event in events)
    yield Reader("learner's event", ".json", lambda path: pag_event_from_json(_json(path)), seeds)


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")


def _json(path: Path) -> object:
    """As the readers of JSON files do before they hand on; what is no JSON is theirs to say."""
    try:
        return json.loads(_text(path))
    except (ValueError, RecursionError):
        return {}


def _read_result(path: Path, history: str) -> object:
    folder = path.with_suffix("")
    folder.mkdir(exist_ok=True)
    (folder / RESULT).write_bytes(path.read_bytes())
    (folder / "history.csv").write_text(history)
    return read_run(folder)


def _archives() -> Iterator[Reader]:
    run = small_run()
    assert run.best is not None
    assert run.posterior is not None
    best = run.best
    posterior = posterior_bytes(run.posterior)
    yield Reader("posterior", ".npz", lambda path: _read_posterior(path, best), (posterior,))
    yield Reader("project", ".latconf", read_project, (_project(), *_samples()))


def _read_posterior(path: Path, dag: LatentDag) -> object:
    """As a project reads it: what is damaged is left out and named."""
    from latconf_core.formats.projects.run_files import read_part

    return read_part("posterior", lambda: parse_posterior(path.read_bytes(), dag, confounded()), [])


def _project() -> bytes:
    raw = table_of_dataset(confounded(20))
    project = Project("x", raw=raw, preparation=Preparation(missing_marks=()), pags=(kept_pag(),), runs=(kept_run(),))
    return _written(lambda path: write_project(project, path), ".latconf")


def _samples() -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted(SAMPLES.glob("*.latconf")))


def _any_files() -> Iterator[Reader]:
    """The opener of the window, which guesses what a file is."""
    seeds = tuple(seed for reader in (*_tables(), *_graphs()) for seed in reader.seeds[:1])
    for suffix in ("", ".dat", ".csv", ".txt", ".json"):
        yield Reader(f"any file {suffix or 'without a suffix'}", suffix, _open_any, seeds)


def _open_any(path: Path) -> object:
    return list(open_file(path, None, RunControl(), post=lambda _: None, before=ProjectState()))


def repack(archive: bytes, change: Callable[[bytes], bytes], pick: Callable[[int], int]) -> bytes:
    """An archive with one of its members changed; the archive itself stays sound."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        names = old.namelist()
        chosen = names[pick(len(names))]
        for name in names:
            content = old.read(name)
            new.writestr(name, change(content) if name == chosen else content)
    return target.getvalue()
