"""What can be asked: a network with its tables, from a run's folder or a file; a graph alone for adjustment sets."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.errors import FileFormatError
from latconf_core.files import has_folder, is_there, read_text
from latconf_core.formats.examples import load_named_example
from latconf_core.formats.graphs.registry import read_document, take_graph
from latconf_core.formats.networks.registry import holds_network, read_network
from latconf_core.formats.run_folder import MODEL, NETWORK, OWN_FILES, RESULT
from latconf_core.graph.mixed import MixedGraph
from latconf_core.json_form import parse_json
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.whole_folders import finish_replacing

View = Literal["dag", "pag"]


def read_model(source: str | Path) -> BayesNet:
    """The network of a run's folder, of one of its files, of a network file, or of an example."""
    path = Path(source)
    network_file = _network_file(path)
    if network_file is not None:
        return read_network(network_file)
    if not is_there(path):
        return load_named_example(str(source))
    if has_folder(path):
        raise FileFormatError(f"this folder has no {NETWORK}: the run has no model, or this is not a run folder", path)
    raise FileFormatError(f"this file has no probability tables; give a run folder, its {NETWORK}, or a network", path)


def read_knowledge_of(source: str | Path) -> Knowledge:
    """What the user said about causes in a run that is asked, which rules out equally good DAGs; none elsewhere."""
    path = Path(source)
    folder = path if has_folder(path) else path.parent
    if not is_there(path) or not is_there(folder / RESULT) or not (has_folder(path) or path.name in OWN_FILES):
        return NO_KNOWLEDGE
    content = parse_json(read_text(folder / RESULT))
    said = content.get("knowledge") if isinstance(content, dict) else None
    return NO_KNOWLEDGE if said is None else Knowledge.from_json(said)


def read_asked_graph(source: str | Path, *, view: View | None = None) -> BayesNet | LatentDag | MixedGraph:
    """The same, and any graph file: a PAG where it has circles or <->, or where `view` says so, else a DAG."""
    path = Path(source)
    if view != "pag" and (_network_file(path) is not None or not is_there(path)):
        return read_model(source)
    document = read_document(path / RESULT if has_folder(path) else path)
    is_directed = all(edge.arrow in ("-->", "<--") for edge in document.graph.edges())
    if view == "dag" or (view is None and (document.latents or is_directed)):
        return document.to_dag()
    return take_graph(document, path)


def _network_file(path: Path) -> Path | None:
    """Where the tables of a model lie: beside the DAG and the result of a run, or in the file itself."""
    finish_replacing(path if has_folder(path) else path.parent)
    if has_folder(path):
        return path / NETWORK if is_there(path / NETWORK) else None
    if is_there(path) and holds_network(path):
        return path
    beside = path.with_name(NETWORK)
    return beside if path.name in (MODEL, RESULT) and is_there(path) and is_there(beside) else None
