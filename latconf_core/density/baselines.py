"""The density baselines by name, light to import; what a person must know of each stands with it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DensityMethod:
    """A density baseline that can be chosen by name."""

    name: str
    title: str
    description: str


DENSITIES = {
    one.name: one
    for one in (
        DensityMethod(
            "vae",
            "VAE",
            "A variational autoencoder of all variables: says how likely rows are, and nothing about causes.",
        ),
        DensityMethod(
            "vaem",
            "VAEM",
            "A variational autoencoder per variable and one of their codes (Ma et al. 2020): says how likely rows are, "
            "and nothing about causes.",
        ),
    )
}
CANNOT_SAY = (
    "VAE and VAEM say how likely rows are and nothing else: no DAG, no hidden cause, no p-ELBO, no answer to what "
    "would happen if something were set. Their held-out likelihood is a lower bound (≥), to be read beside the exact "
    "one of the networks."
)
