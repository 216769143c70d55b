"""An example as the user chose it: which network, what to hide, how many rows, which seed."""

from __future__ import annotations

from dataclasses import dataclass

FIRST_EXAMPLE = "sachs"  # what a first start shows: its hidden cause of five variables is found in seconds
DEFAULT_ROWS = 10_000
DEFAULT_SEED = 1


@dataclass(frozen=True)
class ExampleChoice:
    """Rows to draw from an example network."""

    name: str
    hide: tuple[str, ...] = ()
    n_rows: int = DEFAULT_ROWS
    seed: int = DEFAULT_SEED


def default_choice(name: str) -> ExampleChoice:
    """The example with the common cause hidden that is worth finding."""
    from latconf_core.formats.examples import example

    return ExampleChoice(name, (example(name).hide,))
