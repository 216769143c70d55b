from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from support.builders import mixed

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.formats.graphs.registry import read_graph
from latconf_core.graph.bits import topological_order
from latconf_core.mag.latents.minimum import minimum_latents, optimal_families, to_latent_dag
from latconf_core.mag.listing import MagListing, enumerate_mags
from latconf_core.mag.validity import is_mag
from latconf_core.pag.validity import check_pag, pag_of_mag, repair_pag


def test_that_every_class_on_three_and_four_nodes_has_its_levels(reference: Path) -> None:
    classes = json.loads((reference / "mag_classes.json").read_text())["classes"]
    for class_ in classes:
        pag = mixed(*class_["pag"], nodes=class_["nodes"])
        assert check_pag(pag).valid
        mags = list(enumerate_mags(pag))
        assert len(set(mags)) == len(mags)
        assert {str(k): n for k, n in Counter(mag.n_bidirected for mag in mags).items()} == class_["levels"]
        assert all(is_mag(mag) and pag_of_mag(mag) == pag for mag in mags)
        listing = MagListing(pag, is_valid=True)
        assert {str(k): listing.count(k) for k in map(int, class_["levels"])} == class_["levels"]


def test_that_every_mag_on_three_and_four_nodes_has_its_minimum(reference: Path) -> None:
    for load in json.loads((reference / "minimum_latents.json").read_text())["mags"]:
        mag = mixed(*load["mag"], nodes=load["nodes"])
        latents = minimum_latents(mag)
        assert (latents.n_latents, latents.is_exact) == (load["minimum"], True)
        for family in optimal_families(mag):
            assert mag_of_dag(to_latent_dag(mag, family)) == mag


def test_that_dags_with_latents_have_the_true_mag_and_pag(reference: Path) -> None:
    for case in json.loads((reference / "pag_truth.json").read_text())["cases"]:
        arrows = [tuple(edge.split(" --> ")) for edge in case["edges"]]
        children = {name: [b for a, b in arrows if a == name] for name in case["latents"]}
        dag = LatentDag(
            case["observed"],
            [(a, b) for a, b in arrows if a not in children],
            [Latent(name, 2, tuple(below)) for name, below in children.items() if len(below) > 1],
        )
        mag = mag_of_dag(dag)
        assert mag == mixed(*case["mag"], nodes=case["observed"])
        assert pag_of_mag(mag) == mixed(*case["pag"], nodes=case["observed"])


def test_that_learned_graphs_of_the_paper_are_listed_as_given_and_repaired(reference: Path) -> None:
    files = sorted((reference / "pags" / "tetrad-2019").glob("*.txt"))
    assert files
    n_invalid = 0
    for file in files:
        graph = read_graph(file)
        check = check_pag(graph)
        n_invalid += not check.valid
        listing = MagListing(graph, is_valid=check.valid)
        for mag in listing.level(listing.n_invariant):
            assert topological_order(mag.parents) is not None
            assert is_mag(mag) or not check.valid
            break
        repair = repair_pag(graph)
        assert check_pag(repair.graph).valid
        assert bool(repair.diff) != check.valid
    assert n_invalid > 0
