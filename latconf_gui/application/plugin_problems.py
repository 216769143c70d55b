"""The plug-ins of installed packages that cannot be used."""

from __future__ import annotations

from latconf_core.data.reading.table_formats.registry import TABLE_FORMATS
from latconf_core.independence.catalogue import INDEPENDENCE_TESTS
from latconf_core.pag.learners.catalogue import LEARNERS
from latconf_core.plugins import PluginProblem
from latconf_core.search.catalogue import SEARCHES


def plugin_problems() -> tuple[PluginProblem, ...]:
    """What is wrong with plug-ins, after all are loaded."""
    problems: list[PluginProblem] = []
    for catalogue in (SEARCHES, LEARNERS, INDEPENDENCE_TESTS, TABLE_FORMATS):
        catalogue.load()
        problems.extend(catalogue.problems)
    return tuple(problems)
