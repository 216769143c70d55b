"""How many hidden causes a search recovers, by what they can be seen in: the true PAG, the density, both or neither.

Run: python tests/benchmarks/recovery.py [--first 0] [--problems 60] [--search refine] [--seconds 50] [--workers 2]
Problem k is drawn by the seed k alone: random networks of 10 to 25 variables, and examples with hidden variables.
Exact: the same children. Half: at least half of the children of both together. Wrong: claimed, and half of none.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.hidden_problems import Problem, draw_problem
from support.identification import CLASSES, classes_of

from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.searching import SearchOptions
from latconf_core.score.scorer import warm_up
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_search


@dataclass(frozen=True)
class Recovery:
    """Of one problem: the class of each hidden cause with what became of it, and the claims that fit none."""

    found: tuple[tuple[str, bool, bool], ...]
    n_wrong: int
    seconds: float


def solve(problem: Problem, search: str, options: SearchOptions) -> SearchResult:
    """The result of a search that gets no PAG."""
    names = problem.drawn.dataset.names
    return run_search(
        problem.drawn.dataset, MixedGraph(names, np.zeros((len(names),) * 2, np.uint8)), search, options=options
    )


def look_at(problem: Problem, result: SearchResult) -> Recovery:
    """What was recovered; only what is strongly supported counts as a claim."""
    truth = problem.drawn.truth
    assert result.reference is not None
    classes = classes_of(truth, problem.drawn.dataset, result.reference)
    claimed = [
        set(latent_evidence.latent.children)
        for latent_evidence in result.evidence
        if latent_evidence.support == "strong"
    ]
    targets = {latent.name: set(latent.children) for latent in truth.latents}
    found = tuple(
        (classes[name], target in claimed, any(_overlap(target, one) >= 0.5 for one in claimed))
        for name, target in targets.items()
    )
    n_wrong = sum(all(_overlap(target, one) < 0.5 for target in targets.values()) for one in claimed)
    return Recovery(found, n_wrong, result.seconds)


def line(seed: int, problem: Problem, recovery: Recovery) -> str:
    """What became of each hidden cause of a problem."""
    told = ", ".join(f"{own}: {'exact' if a else 'half' if b else 'missed'}" for own, a, b in recovery.found)
    return f"{seed:<5} {problem.name:<26} {told}; wrong {recovery.n_wrong}; {recovery.seconds:.0f} s"


def table(recoveries: list[Recovery]) -> Iterator[str]:
    """Lines of hidden causes, exact and half by class, and of what was claimed wrongly."""
    yield f"{'seen in':<16} hidden  exact  half"
    count: Counter[tuple[str, str]] = Counter()
    for recovery in recoveries:
        for own, is_exact, is_half in recovery.found:
            for name in (own, "all"):
                count.update({(name, "hidden"): 1, (name, "exact"): is_exact, (name, "half"): is_half})
    for name in (*CLASSES.values(), "all"):
        yield f"{name:<16} {count[name, 'hidden']:<7} {count[name, 'exact']:<6} {count[name, 'half']}"
    n_wrong, longest = (
        sum(recovery.n_wrong for recovery in recoveries),
        max(recovery.seconds for recovery in recoveries),
    )
    yield f"wrong claims {n_wrong} in {len(recoveries)} tables; the longest took {longest:.0f} s"


def _overlap(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--problems", type=int, default=60)
    parser.add_argument("--search", default="refine")
    parser.add_argument("--seconds", type=float, default=50.0)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    warm_up()
    options = SearchOptions(seed=1, workers=args.workers, time_limit=args.seconds)
    recoveries: list[Recovery] = []
    try:
        for seed in range(args.first, args.first + args.problems):
            problem = draw_problem(seed)
            recoveries.append(look_at(problem, solve(problem, args.search, options)))
            print(line(seed, problem, recoveries[-1]), flush=True)
    except KeyboardInterrupt:
        print("stopped; of the problems so far:")
    print("\n".join(table(recoveries)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
