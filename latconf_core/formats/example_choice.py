"""An example as the user chose it: which network, what to hide, how many rows, which seed."""

from __future__ import annotations

from dataclasses import dataclass

FIRST_EXAMPLE = "sachs"  # what a first start shows: its hidden cause of five variables is found in seconds
DEFAULT_ROWS = 10_000
DEFAULT_SEED = 1


@dataclass(frozen=True)
class ExampleChoice:
    """Rows to draw from an example network, or a measured table, which has its own rows.

    hide : variables that are hidden; of a measured table, columns that are held back from the search
    """

    name: str
    hide: tuple[str, ...] = ()
    n_rows: int = DEFAULT_ROWS
    seed: int = DEFAULT_SEED


def default_choice(name: str) -> ExampleChoice:
    """The example with the common cause hidden that is worth finding, or the measured table as it is offered."""
    from latconf_core.formats.examples import example
    from latconf_core.formats.measured_examples import is_measured, measured_example

    if is_measured(name):
        measured = measured_example(name)
        return ExampleChoice(name, measured.hide, measured.n_rows)
    return ExampleChoice(name, (example(name).hide,))
