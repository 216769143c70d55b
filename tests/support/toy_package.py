"""A package with plug-ins, sound and broken ones, installed into a folder by hand as pip leaves it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

SOUND = {
    "latconf.learners": {"toy": "toy_plugins.sound:LEARNER"},
    "latconf.tests": {"agreement": "toy_plugins.sound:TEST"},
    "latconf.searches": {"toy-search": "toy_plugins.sound:SEARCH"},
    "latconf.tables": {"semicolons": "toy_plugins.sound:TABLE"},
}
HOSTILE = {
    "absent": "toy_plugins.absent:LEARNER",
    "exits": "toy_plugins.exits:LEARNER",
    "interrupts": "toy_plugins.interrupts:LEARNER",
    "generator": "toy_plugins.generator:LEARNER",
    "nonsense": "toy_plugins.nonsense:NUMBER",
    "kind": "toy_plugins.nonsense:KIND",
    "taken": "toy_plugins.nonsense:TAKEN",
    "shouting": "toy_plugins.nonsense:SHOUTING",
    "options": "toy_plugins.nonsense:OPTIONS",
    "silent": "toy_plugins.nonsense:SILENT",
}
SOURCES = {
    "__init__.py": "",
    "sound.py": """
from latconf_core.data.reading.table_formats.table_format import TableFormat
from latconf_core.data.raw_table import RawColumn, RawTable
from latconf_core.independence.base import IndependenceTest
from latconf_core.independence.catalogue import KindOfTest
from latconf_core.pag.learners.catalogue import LEARNERS
from latconf_core.pag.learners.learner import Learner
from latconf_core.pag.learners.skeleton import learn_skeleton
from latconf_core.search.catalogue import SearchMethod

print("a plug-in that prints", len(LEARNERS))


def learn(work):
    yield from learn_skeleton(work)
    return work.circles()


class Agreement(IndependenceTest):
    def __init__(self, dataset, options):
        super().__init__(dataset.names, options.alpha)
        self.codes = dataset.codes

    def compute_p_value(self, x, y, given):
        return 1.0 - float((self.codes[:, x] == self.codes[:, y]).mean() > 0.5)


def read(path, options, watch):
    import numpy as np
    if "fail" in path.name:
        raise IndexError("no such cell")
    rows = [line.split(";") for line in path.read_text().splitlines()]
    columns = []
    for cells in zip(*rows[1:]):
        texts = tuple(sorted(set(cells)))
        columns.append(RawColumn(np.array([texts.index(cell) for cell in cells], dtype=np.uint8), texts))
    return RawTable(tuple(rows[0]), tuple(columns), options)


LEARNER = Learner("toy", "Toy", "The skeleton alone.", ("alpha", "statistic"), learn)
TEST = KindOfTest("agreement", "Agreement", "How often two columns agree.", Agreement)
SEARCH = SearchMethod(
    "toy-search", "Toy search", "Looks for no hidden cause.", search="toy_plugins.searching:search", needs_pag=False,
    options=("objective", "time_limit", "seed"), finds_latents=False, level_name="latents",
)
TABLE = TableFormat("semicolons", "Semicolons", (".semi",), read, recognises=lambda text: 1 / 0, is_text=True)
""",
    "searching.py": "from latconf_core.search.algorithms.no_latents import no_latents as search\n",
    "exits.py": "import sys\nsys.exit(3)\n",
    "interrupts.py": "raise KeyboardInterrupt\n",
    "generator.py": "class Odd(BaseException): pass\nraise Odd('of its own\\nkind')\n",
    "nonsense.py": """
from latconf_core.pag.learners.learner import Learner
NUMBER, KIND = 5, Learner
TAKEN = Learner("gfci", "Mine", "", (), print)
SHOUTING = Learner("LOUD", "Loud", "", (), print)
OPTIONS = Learner("odd", "Odd", "", ("colour",), print)
SILENT = Learner("silent", "Silent", "", (), None)
""",
}


def install(folder: Path, entries: Mapping[str, Mapping[str, str]]) -> Path:
    """Put the package with these entry points into a folder; add the folder to sys.path to have it installed."""
    package = folder / "toy_plugins"
    package.mkdir(parents=True)
    for name, text in SOURCES.items():
        (package / name).write_text(text)
    info = folder / "toy_plugins-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-plugins\nVersion: 1.0\n")
    lines = [
        line for group, entry in entries.items() for line in (f"[{group}]", *(f"{k} = {v}" for k, v in entry.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return folder
