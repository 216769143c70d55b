"""No two folders import each other: the imports between all folders, read from the source, have no cycle."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("latconf_core", "latconf_gui")
MOST_EXCEPTIONS = 10
EXCEPTIONS = {  # (who imports, what): why; only inside functions or under TYPE_CHECKING
    ("latconf_core.dag.bayes_net", "latconf_core.inference.asking"): "a network answers `ask`, which stands upon it",
    (
        "latconf_core.dag.bayes_net",
        "latconf_core.inference.applying",
    ): "a network is applied to a table, as it is asked",
    ("latconf_core.data.dataset", "latconf_core.data.reading.frames"): "pandas is known to the reading room alone",
    ("latconf_core.data.read_options", "latconf_core.data.reading.table_formats.registry"): (
        "the name of a format is checked by the registry, whose formats read by these options"
    ),
    ("latconf_core.search.catalogue", "latconf_core.search.estimate.probe"): (
        "a record of the catalogue says what its search costs, and estimates look records up"
    ),
    ("latconf_gui.drawing.items.edge_item", "latconf_gui.drawing.scene"): "an item names the type of its scene",
    ("latconf_gui.drawing.items.node_item", "latconf_gui.drawing.scene"): "an item names the type of its scene",
}


@dataclass(frozen=True)
class Import:
    """A module that imports another; `is_deferred` inside a function or under a condition such as TYPE_CHECKING."""

    module: str
    imported: str
    is_deferred: bool

    @property
    def folders(self) -> tuple[str, str]:
        return folder_of(self.module), folder_of(self.imported)


@cache
def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


@cache
def folder_of(module: str) -> str:
    """The folder that a module stands in; the modules at the top of a package are each a room of their own."""
    is_folder = ROOT.joinpath(*module.split(".")).is_dir()
    return module if is_folder or module.count(".") == 1 else module.rpartition(".")[0]


def imports_of(path: Path) -> Iterator[Import]:
    """Every import of our own modules in a file, wherever it stands."""
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} imports by a relative name"
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            imported = [module if is_module(module) else str(node.module) for module in whole]
        else:
            continue
        for module in imported:
            if module.partition(".")[0] in PACKAGES:
                yield Import(name, module, is_deferred=node not in tree.body)


@cache
def all_imports() -> tuple[Import, ...]:
    paths = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return tuple(each for path in paths for each in imports_of(path))


def cycles(imports: Iterable[Import]) -> dict[tuple[str, ...], list[str]]:
    """The folders of each knot of imports, with the imports that tie it."""
    between: dict[tuple[str, str], list[Import]] = defaultdict(list)
    for each in imports:
        between[each.folders].append(each)
    graph = nx.DiGraph(pair for pair in between if pair[0] != pair[1])
    knots = [knot for knot in nx.strongly_connected_components(graph) if len(knot) > 1]
    return {
        tuple(sorted(knot)): sorted(
            f"{each.module} -> {each.imported}" for pair in graph.subgraph(knot).edges for each in between[pair]
        )
        for knot in knots
    }


def test_that_no_folders_import_each_other() -> None:
    imports = [each for each in all_imports() if not (each.is_deferred and (each.module, each.imported) in EXCEPTIONS)]
    assert len(imports) > 1000
    assert cycles(imports) == {}


def test_that_exceptions_are_few_and_each_is_needed() -> None:
    imports = all_imports()
    deferred = {(each.module, each.imported) for each in imports if each.is_deferred}
    assert set(EXCEPTIONS) <= deferred
    assert len(EXCEPTIONS) <= MOST_EXCEPTIONS
    for exception in EXCEPTIONS:
        others = set(EXCEPTIONS) - {exception}
        left = [each for each in imports if (each.module, each.imported) not in others]
        assert any(" -> ".join(exception) in tied for tied in cycles(left).values()), exception


def test_that_a_knot_of_folders_is_seen_through_a_third() -> None:
    pairs = [("graph", "dag"), ("dag", "data"), ("data", "graph"), ("data", "counts")]
    made = [Import(f"latconf_core.{a}.x", f"latconf_core.{b}.y", is_deferred=False) for a, b in pairs]
    assert list(cycles(made)) == [("latconf_core.dag", "latconf_core.data", "latconf_core.graph")]


@pytest.mark.parametrize(
    ("module", "folder"),
    [
        ("latconf_core.errors", "latconf_core.errors"),
        ("latconf_core.graph.bits", "latconf_core.graph"),
        ("latconf_core.mag.latents", "latconf_core.mag.latents"),
    ],
)
def test_that_a_module_belongs_to_the_folder_it_stands_in(module: str, folder: str) -> None:
    assert folder_of(module) == folder
