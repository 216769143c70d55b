"""Whether a hidden cause can be seen at all: in the true PAG, and in the density of the data."""

from __future__ import annotations

from itertools import combinations

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.data.dataset import Dataset
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.scoring import VbemOptions
from latconf_core.pag.validity import pag_of_mag
from latconf_core.score.scorer import Scorer
from latconf_core.search.judgement import judge_dag
from latconf_core.search.outcome.reference import Reference

LEAST_DENSITY = 3.0  # nats over the best DAG without latents
CLASSES = {
    (True, True): "PAG and density",
    (False, True): "density only",
    (True, False): "PAG only",
    (False, False): "neither",
}


def true_pag(truth: LatentDag) -> MixedGraph:
    """What independences alone can tell of a DAG with latents."""
    return pag_of_mag(mag_of_dag(truth))


def is_in_pag(latent: Latent, pag: MixedGraph) -> bool:
    """Whether a <-> between two children of a latent is in every MAG of the class."""
    pairs = combinations(latent.children, 2)
    return any((edge := pag.edge(a, b)) is not None and edge.is_bidirected for a, b in pairs)


def classes_of(truth: LatentDag, dataset: Dataset, reference: Reference) -> dict[str, str]:
    """By what each latent of a true DAG can be seen, with the best DAG without latents that a search found."""
    pag = true_pag(truth)
    scorer = Scorer(dataset, VbemOptions(seed=1))
    *_, evidence = judge_dag(scorer, truth, pag, reference.to_bits(), max_states=None, control=RunControl())
    dense = {
        latent_evidence.latent.name
        for latent_evidence in evidence
        if latent_evidence.density is not None and latent_evidence.density >= LEAST_DENSITY
    }
    return {latent.name: CLASSES[is_in_pag(latent, pag), latent.name in dense] for latent in truth.latents}
