"""How the latents of ILC-V and HCLC-V are graded: false ones should be "not supported", true ones that pay should not.

Run: python tests/benchmarks/evidence.py [--first 0] [--problems 36] [--seconds 60] [FILE.bif:HIDDEN,…:ROWS:SEED …]
Problem k is drawn by the seed k alone, as in recovery.py; or rows are drawn from networks in files. False: less than
half of the children of both together are those of a hidden cause. Exact: the same children, and the true DAG at least 3
nats above the best DAG without latents, where nothing is said of which hidden cause pays: behind an exact one stands
what the true DAG loses without it. What time left unjudged is counted apart.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.hidden_problems import Problem, draw_problem

from latconf_core.data.sampling import sample
from latconf_core.formats.networks.registry import read_network
from latconf_core.options.learning import pag_preset
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.score.naming import to_bits
from latconf_core.score.scorer import Scorer, warm_up
from latconf_core.search.judgement import make_fitting
from latconf_core.search.outcome.reference import Reference
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.refining.judging import Judge
from latconf_core.search.refining.soft_model import Scored, SoftModel
from latconf_core.search.runner import run_search

LEAST = 3.0  # nats of the true DAG above the best DAG without latents
SEARCHES = ("ilc-v", "hclc-v")


def problem_from(text: str) -> Problem:
    """A problem from a file: its network, the hidden variables, the number of rows and the seed, by colons."""
    path, hidden, rows, seed = text.split(":")
    rng = np.random.default_rng(int(seed))
    return Problem(Path(path).stem, sample(read_network(path), int(rows), rng=rng, hide=hidden.split(",")))


def loss_without(problem: Problem, children: set[str], reference: Reference) -> float:
    """What the true DAG loses without one of its latents, the edges around it chosen anew on both sides."""
    scorer = Scorer(problem.drawn.dataset, SearchOptions(seed=1).vbem)
    fitting = make_fitting(scorer, None, lambda: None)
    judge = Judge(fitting, Scored(SoftModel(to_bits(reference.dag).parents), reference.p_elbo))
    truth = problem.drawn.truth
    index = [set(latent.children) for latent in truth.latents].index(children)
    candidate = to_bits(truth)
    fitted = fitting.fit_latents(candidate.parents, candidate.latents)
    around = fitted.model.latents[index].children
    return fitting.climb(fitted, around).score - judge.without(fitted, index).score


def grades(problem: Problem, result: SearchResult, truth: float) -> Iterator[tuple[str, str, str]]:
    """Of each latent: exact, half or false, its grade, and what it is."""
    targets = [set(latent.children) for latent in problem.drawn.truth.latents]
    for latent_evidence in result.evidence:
        children = set(latent_evidence.latent.children)
        overlap = max((len(children & target) / len(children | target) for target in targets), default=0.0)
        pays = result.reference is not None and truth >= result.reference.p_elbo + LEAST
        kind = "exact" if overlap == 1 else "half" if overlap >= 0.5 else "false"
        kind = "exact, pays not" if kind == "exact" and not pays else kind
        density = "?" if latent_evidence.density is None else f"{latent_evidence.density:+.1f}"
        told = f"{{{', '.join(sorted(children))}}} {density}"
        if kind == "exact" and result.reference is not None:
            told += f", the true DAG loses {loss_without(problem, children, result.reference):.1f} without it"
        yield kind, latent_evidence.support or "not judged", told


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--problems", type=int, default=36)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    warm_up()
    options = SearchOptions(seed=1, workers=args.workers, time_limit=args.seconds or None)
    seeds = range(args.first, args.first + args.problems)
    problems = map(problem_from, args.files) if args.files else map(draw_problem, seeds)
    count: Counter[tuple[str, str]] = Counter()
    for problem in problems:
        dataset = problem.drawn.dataset
        truth = Scorer(dataset, options.vbem).score(problem.drawn.truth).p_elbo
        pag = run_learner(dataset, pag_preset("default", "gfci")).graph
        for search in SEARCHES:
            for kind, grade, told in grades(problem, run_search(dataset, pag, search, options=options), truth):
                count[kind, grade] += 1
                print(f"{problem.name:<26} {search:<7} {kind:<16} {grade:<11} {told}", flush=True)
    for kind in ("false", "half", "exact", "exact, pays not"):
        print(
            f"{kind:<16}"
            + ", ".join(f"{grade} {count[kind, grade]}" for grade in ("none", "weak", "strong", "not judged"))
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
