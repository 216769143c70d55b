"""Which latent of one DAG stands for which of another: matched by their children, most in common first."""

from __future__ import annotations

from dataclasses import dataclass

from latconf_core.dag.latent_dag import Latent, LatentDag


@dataclass(frozen=True)
class TrueLatent:
    """A hidden variable of the truth that shares children with a latent.

    shared, missed, extra : children of both, of the hidden variable alone, of the latent alone
    """

    name: str
    n_states: int
    shared: tuple[str, ...]
    missed: tuple[str, ...]
    extra: tuple[str, ...]

    @property
    def is_exact(self) -> bool:
        """Whether the children are the same."""
        return not self.missed and not self.extra


@dataclass(frozen=True)
class LatentPair:
    """A latent of A and the one of B that stands for it; None on the side that has none."""

    a: Latent | None
    b: Latent | None

    @property
    def overlap(self) -> float:
        """Children in common, as a share of all children of the two."""
        return 0.0 if self.a is None or self.b is None else child_overlap(self.a, self.b)

    @property
    def is_same(self) -> bool:
        """Whether both have the same children, the same parent if any, and the same number of states."""
        if self.a is None or self.b is None:
            return False
        return self.overlap == 1 and (self.a.n_states, self.a.parent) == (self.b.n_states, self.b.parent)


def match_latents(a: LatentDag, b: LatentDag) -> tuple[LatentPair, ...]:
    """Every latent of both once: those of A in their order, each with its match, then those of B without one."""
    overlaps = [
        (child_overlap(latent, other), i, j) for i, latent in enumerate(a.latents) for j, other in enumerate(b.latents)
    ]
    match_of: dict[int, int] = {}
    for overlap, i, j in sorted(overlaps, key=lambda each: (-each[0], each[1:])):
        if overlap > 0 and i not in match_of and j not in match_of.values():
            match_of[i] = j
    pairs = [
        LatentPair(latent, b.latents[match_of[i]] if i in match_of else None) for i, latent in enumerate(a.latents)
    ]
    return (*pairs, *(LatentPair(None, other) for j, other in enumerate(b.latents) if j not in match_of.values()))


def child_overlap(first: Latent, second: Latent) -> float:
    """Children in common, as a share of all children of the two."""
    return len({*first.children} & {*second.children}) / len({*first.children, *second.children})


def true_latent(latent: Latent, truth: LatentDag) -> TrueLatent | None:
    """The hidden variable whose children are most like those of a latent; None where none shares two of them."""
    best, best_overlap = None, 0.0
    for hidden in truth.latents:
        n_shared = sum(child in latent.children for child in hidden.children)
        overlap = child_overlap(latent, hidden)
        if n_shared >= 2 and overlap > best_overlap:
            best, best_overlap = hidden, overlap
    if best is None:
        return None
    return TrueLatent(
        best.name,
        best.n_states,
        tuple(child for child in best.children if child in latent.children),
        tuple(child for child in best.children if child not in latent.children),
        tuple(child for child in latent.children if child not in best.children),
    )
