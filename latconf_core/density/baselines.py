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
            "A variational autoencoder of all variables: a density model that says nothing about causes.",
        ),
        DensityMethod(
            "vaem",
            "VAEM",
            (
                "One variational autoencoder per variable and one of their codes (Ma et al. 2020): a density "
                "model that says nothing about causes."
            ),
        ),
    )
}
CANNOT_SAY = (
    "VAE and VAEM are density models only: no DAG, no hidden cause, no p-ELBO, no answers about "
    "interventions. Their held-out likelihood is a lower bound (≥); that of the networks is exact."
)
