"""A Bayesian network as JSON: unlike BIF it keeps the Dirichlet parameters behind a learned table, and any name.

    {"name": "asia",
     "variables": [{"name": "dysp", "states": ["yes", "no"], "latent": false, "parents": ["bronc"],
                    "table": [[0.8, 0.2], [0.1, 0.9]], "dirichlet": [[80.5, 20.5], [9.5, 90.5]]}]}

Tables are nested in the order of the parents, the variable's own states innermost.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.errors import FileFormatError, GraphError
from latconf_core.files import read_text, write_text_atomically
from latconf_core.formats.networks.written_names import WrittenNames, keep_names
from latconf_core.graph.mixed import MAX_NODES
from latconf_core.json_form import UNREADABLE, decode, parse_json


def write_network_json(network: BayesNet, path: str | Path) -> None:
    """Write the network as JSON."""
    write_text_atomically(path, network_text(network))


def network_text(network: BayesNet) -> str:
    """The JSON of a network, one variable a line."""
    lines = ",\n  ".join(
        json.dumps(_variable(cpt, cpt.variable in network.latents), ensure_ascii=False) for cpt in network.cpts.values()
    )
    return f'{{"name": {json.dumps(network.name, ensure_ascii=False)},\n "variables": [\n  {lines}]}}\n'


def _variable(cpt: Cpt, is_latent: bool) -> dict[str, Any]:
    content = {
        "name": cpt.variable,
        "states": list(cpt.states),
        "latent": is_latent,
        "parents": list(cpt.parents),
        "table": cpt.table.tolist(),
    }
    return content if cpt.dirichlet is None else {**content, "dirichlet": cpt.dirichlet.tolist()}


def read_network_json(path: str | Path) -> BayesNet:
    """The network of a JSON file; FileFormatError where it is none."""
    try:
        return parse_network_json(read_text(path))
    except FileFormatError as error:
        raise FileFormatError(error.problem, path, error.line) from None


def parse_network_json(text: str) -> BayesNet:
    """The network of a JSON text."""
    try:
        content = parse_json(text)
        variables = content["variables"]
        if len(variables) > MAX_NODES:
            raise FileFormatError(
                f"there are more than {MAX_NODES:,} variables; latconf reads networks up to that size"
            )
        cpts = [
            Cpt(
                decode(str, variable["name"]),
                decode(tuple[str, ...], variable["states"]),
                decode(tuple[str, ...], variable["parents"]),
                variable["table"],
                dirichlet=variable.get("dirichlet"),
            )
            for variable in variables
        ]
        latents = [variable["name"] for variable in variables if variable["latent"]]
        return BayesNet(cpts, name=decode(str, content["name"]), latents=latents)
    except FileFormatError:
        raise
    except (*UNREADABLE, GraphError) as error:
        raise FileFormatError(f"this is not a latconf network ({error})") from None


def is_network_text(text: str) -> bool:
    """Whether a JSON text is a network, not a graph, a DAG or a result."""
    try:
        content = parse_json(text)
        return isinstance(content, dict) and "variables" in content
    except FileFormatError:
        return False


def written_names(network: BayesNet) -> WrittenNames:
    """Every name as it is: JSON holds all."""
    return keep_names(network)
