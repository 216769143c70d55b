"""A latent whose states are known by a posterior."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count
from typing import Self

from latconf_core.arrays import FloatArray
from latconf_core.graph.bits import bits
from latconf_core.model.bit_dag import Hidden

_numbers = count()


@dataclass(frozen=True, eq=False)
class SoftLatent:
    """A latent whose states are known by a posterior.

    children : the variables below it, as bits
    q : (n_rows, n_states) of the rows that are counted on
    number : another for every posterior, so that what follows from one can be remembered by it
    """

    children: int
    q: FloatArray
    number: int = field(default_factory=lambda: next(_numbers))

    @property
    def n_states(self) -> int:
        return int(self.q.shape[1])

    def at(self, q: FloatArray) -> Self:
        """The same latent at another posterior."""
        return replace(self, q=q, number=next(_numbers))

    @property
    def hidden(self) -> Hidden:
        """The latent without its posterior."""
        return Hidden(self.children, self.n_states)

    @property
    def place(self) -> tuple[tuple[int, ...], int]:
        """Where it stands among the latents of a DAG."""
        return tuple(bits(self.children)), self.n_states
