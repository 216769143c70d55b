"""Which hidden variable of a known truth each latent of a DAG stands for."""

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


def true_latent(latent: Latent, truth: LatentDag) -> TrueLatent | None:
    """The hidden variable whose children are most like those of a latent; None where none shares two of them."""
    best, best_overlap = None, 0.0
    for hidden in truth.latents:
        shared = [child for child in hidden.children if child in latent.children]
        overlap = len(shared) / len({*hidden.children, *latent.children})
        if len(shared) >= 2 and overlap > best_overlap:
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
