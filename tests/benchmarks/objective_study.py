"""The study that fixes the objective `calibrated`: priors and prices beside each other where the truth is known.

Run: python tests/benchmarks/objective_study.py plain FILE [--first 1] [--problems 40] [--candidates NAME …]
     python tests/benchmarks/objective_study.py refine FILE [--first 1] [--problems 40] [--candidates NAME …]
     python tests/benchmarks/objective_study.py table FILE [--of plain] [--first 1] [--problems 80] [--base NAME]
`plain` searches for the best DAG without latents, `refine` for hidden causes; both append a line of JSON per problem
and candidate to FILE, leave out what stands there already, and need minutes to hours. `table` gives means with standard
errors, and differences to the base paired by problem; `--most-rows` leaves larger problems out. Problem k is drawn by
the seed k alone: examples and random networks in turn, 500 to 10,000 rows, none to three variables hidden. A state that
no row has is not declared.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from math import prod, sqrt
from pathlib import Path
from unittest.mock import patch

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.hidden_problems import choose_hidden, random_network

from latconf_core.arrays import FloatArray
from latconf_core.comparison.metrics import compare_graphs
from latconf_core.comparison.subject import Subject
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.families import discrete
from latconf_core.families.discrete import DiscreteFamilies
from latconf_core.families.objectives import JUDGING, Prices
from latconf_core.families.priors import Priors
from latconf_core.formats.examples import load_example
from latconf_core.graph.mixed import MixedGraph
from latconf_core.inference.held_out import fit_network, measure
from latconf_core.model.component import Component
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.options.learning import pag_preset
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.score.scorer import warm_up
from latconf_core.search.runner import run_search

EXAMPLES = ("alarm", "child", "insurance", "sachs", "asia", "alarm", "insurance", "survey", "cancer", "earthquake")
ROWS = (500, 1000, 2000, 5000, 10_000)
N_FRESH = 20_000
GFCI = "GFCI"


class ObservedStates(int):
    """The number of states of an observed variable, so that a prior can tell these from the states of latents."""


@dataclass(frozen=True)
class Candidate:
    """A prior of the tables and prices of structure.

    mass : of a configuration; of the whole table, repeated for each state of latents, where it is of the family
    flat : how much of the location is flat; the rest is the share of the states in the table
    unit : whether every cell has the mass instead
    price : whether edges and latents are paid for
    per_state : nats for each state of a latent beyond two
    """

    mass: float = 1.0
    flat: float = 1.0
    is_of_family: bool = False
    unit: bool = False
    price: bool = True
    per_state: float = 0.0


CANDIDATES: dict[str, Candidate] = {
    "paper": Candidate(flat=0.0, price=False),
    "empirical + price": Candidate(flat=0.0),
    "flat 1, no price": Candidate(price=False),
    "flat 1/2": Candidate(mass=0.5),
    "flat 1": Candidate(),
    "flat 2": Candidate(mass=2.0),
    "uniform": Candidate(unit=True),
    "half flat, half marginal, 1/2": Candidate(mass=0.5, flat=0.5),
    "half flat, half marginal, 1": Candidate(flat=0.5),
    "half flat, half marginal, 2": Candidate(mass=2.0, flat=0.5),
    "family 1": Candidate(is_of_family=True),
    "family 5": Candidate(mass=5.0, is_of_family=True),
    "family 10": Candidate(mass=10.0, is_of_family=True),
    "family 20": Candidate(mass=20.0, is_of_family=True),
    "flat 1, price per state": Candidate(per_state=2.0),
}


class StudyPriors(Priors):
    """The priors of the candidate at hand."""

    candidate = Candidate()

    def __init__(self, dataset: Dataset, options: VbemOptions) -> None:
        super().__init__(dataset, options)
        if not self.candidate.price:
            self.prices = Prices("none", dataset.n_variables)

    def observed(self, child: int, parent_states: Sequence[int]) -> FloatArray:
        return self._mix(self._marginal(child), parent_states)

    def ranked(self, child: int, parent_states: Sequence[int]) -> FloatArray:
        return self._mix(self._marginal(child)[self.order.states[child]], parent_states)

    def latent(self, n_states: int, parent_states: Sequence[int]) -> FloatArray:
        return np.ones(n_states)

    def price(self, component: Component) -> float:
        more = sum(latent.n_states - 2 for latent in component.latents)
        return super().price(component) + self.candidate.per_state * more

    def _marginal(self, child: int) -> FloatArray:
        counts = self.counts[child]
        return np.asarray((counts + 1.0) / (counts.sum() + len(counts)))

    def _mix(self, marginal: FloatArray, parent_states: Sequence[int]) -> FloatArray:
        candidate, n_states = self.candidate, len(marginal)
        if candidate.unit:
            return np.ones(n_states)
        location = candidate.flat / n_states + (1 - candidate.flat) * marginal
        observed = [states for states in parent_states if isinstance(states, ObservedStates)]
        return candidate.mass / (prod(observed) if candidate.is_of_family else 1) * location


@contextmanager
def judged_by(candidate: Candidate) -> Iterator[None]:
    """Everything that is scored in here is scored with a candidate in place of the objective."""
    latent_score = DiscreteFamilies.latent_score
    observed = property(lambda dataset: tuple(ObservedStates(len(states)) for states in dataset.states))

    def score_and_states(families: DiscreteFamilies, latent: SoftLatent) -> float:
        return latent_score(families, latent) - candidate.per_state * (latent.n_states - 2)

    with ExitStack() as stack:
        stack.enter_context(patch.object(discrete, "Priors", StudyPriors))
        stack.enter_context(patch.object(StudyPriors, "candidate", candidate))
        stack.enter_context(patch.object(DiscreteFamilies, "latent_score", score_and_states))
        stack.enter_context(patch.object(Dataset, "n_states", observed))
        yield


@dataclass(frozen=True)
class Problem:
    """Rows of a network without what is hidden, rows drawn anew, and the truth."""

    name: str
    dataset: Dataset
    fresh: Dataset
    truth: LatentDag


def draw_problem(seed: int) -> Problem:
    """The problem of a seed."""
    rng, n_rows = _begin(seed)
    n_hidden = int(rng.integers(4))
    if seed % 2:
        name = EXAMPLES[seed // 2 % len(EXAMPLES)]
        network = load_example(name)
        hidden = choose_hidden(network, n_hidden, rng)
    else:
        name, network = "random", random_network(rng, n_hidden)
        hidden = [f"h{k}" for k in range(n_hidden)]
    drawn = sample(network, n_rows, rng=rng, hide=hidden)
    fresh = sample(network, N_FRESH, rng=rng, hide=hidden)
    told = f"{name}, {n_rows} rows, {len(drawn.truth.latents)} hidden"
    return Problem(told, _with_seen_states(drawn.dataset), fresh.dataset, drawn.truth)


def n_rows_of(seed: int) -> int:
    """How many rows the problem of a seed has."""
    return _begin(seed)[1]


def _begin(seed: int) -> tuple[np.random.Generator, int]:
    rng = np.random.default_rng([seed, 2811])
    return rng, int(rng.choice(ROWS))


def _with_seen_states(dataset: Dataset) -> Dataset:
    """The data as a file has them: without states that no row has."""
    states, codes = [], np.empty_like(dataset.codes)
    for column, names in enumerate(dataset.states):
        seen, codes[:, column] = np.unique(dataset.codes[:, column], return_inverse=True)
        states.append([names[state] for state in seen])
    return Dataset(dataset.names, states, codes)


def solve(problem: Problem, search: str) -> dict[str, float]:
    """What a search makes of a problem under the candidate at hand."""
    began = time.process_time()
    dataset, options = problem.dataset, SearchOptions(seed=1)
    names = dataset.names
    no_pag = MixedGraph(names, np.zeros((len(names), len(names)), np.uint8))
    result = run_search(dataset, no_pag, search, options=options)
    seconds = time.process_time() - began
    assert result.best is not None
    network = fit_network(result.best, dataset, [problem.fresh], options=JUDGING.apply(VbemOptions(seed=1)))
    claimed = [
        set(latent_evidence.latent.children)
        for latent_evidence in result.evidence
        if latent_evidence.support == "strong"
    ]
    return {
        "shd": _shd(problem, result.best),
        "edges": len(result.best.edges),
        "fresh": measure(network, problem.fresh).per_row,
        **_recovery([set(latent.children) for latent in problem.truth.latents], claimed),
        "seconds": seconds,
    }


def _recovery(targets: list[set[str]], claimed: list[set[str]]) -> dict[str, float]:
    def overlap(a: set[str], b: set[str]) -> float:
        return len(a & b) / len(a | b)

    return {
        "hidden": len(targets),
        "exact": sum(target in claimed for target in targets),
        "half": sum(any(overlap(target, one) >= 0.5 for one in claimed) for target in targets),
        "false": sum(all(overlap(target, one) < 0.5 for target in targets) for one in claimed),
    }


def _shd(problem: Problem, graph: LatentDag | MixedGraph) -> int:
    """Between PAGs, a learned graph taken as it is."""
    truth, reached = Subject("truth", problem.truth).pag, graph
    if isinstance(graph, LatentDag):
        reached = Subject("result", graph).pag
    assert truth is not None
    assert isinstance(reached, MixedGraph)
    return compare_graphs(reached, truth.reordered(reached.nodes)).shd


def study(file: Path, stage: str, problems: Sequence[int], candidates: Sequence[str]) -> None:
    """Append what is missing in the file."""
    known = {(line["stage"], line["problem"], line["candidate"]) for line in _lines(file)}
    for seed in problems:
        missing = [name for name in candidates if (stage, seed, name) not in known]
        problem = draw_problem(seed) if missing else None
        for name in missing:
            assert problem is not None
            if name == GFCI:
                graph = run_learner(problem.dataset, pag_preset("default", "gfci")).graph
                reached: dict[str, float] = {"shd": _shd(problem, graph)}
            else:
                with judged_by(CANDIDATES[name]):
                    reached = solve(problem, "no-latents" if stage == "plain" else "refine")
            line = {"stage": stage, "problem": seed, "name": problem.name, "candidate": name, **reached}
            with file.open("a") as out:
                out.write(json.dumps(line) + "\n")
            print(*line.values(), flush=True)


def _lines(file: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def table(lines: Sequence[Mapping[str, float]], candidates: Sequence[str], base: str) -> Iterator[str]:
    """Means with standard errors over the problems that all candidates have, and differences to the base."""
    by_name = {
        name: {line["problem"]: line for line in lines if line["candidate"] == name} for name in (*candidates, base)
    }
    shared = sorted(set.intersection(*(set(own) for own in by_name.values())))
    yield f"{len(shared)} problems"
    yield f"| candidate | SHD | beside {base} | fresh rows | beside {base} | exact, half of hidden; false |"
    yield "|---|---|---|---|---|---|"
    for name in candidates:
        own, other = ([by_name[each][problem] for problem in shared] for each in (name, base))
        cells = [_mean([line["shd"] for line in own], ".1f"), _beside(own, other, "shd", "+.1f")]
        if name != GFCI:
            cells += [f"{np.mean([line['fresh'] for line in own]):.4f}", _beside(own, other, "fresh", "+.4f")]
            exact, half, hidden, wrong = (
                sum(line[key] for line in own) for key in ("exact", "half", "hidden", "false")
            )
            cells.append(f"{exact}, {half} of {hidden}; {wrong}")
        yield f"| {name} | {' | '.join(cells)} |"


def _beside(own: Sequence[Mapping[str, float]], other: Sequence[Mapping[str, float]], key: str, form: str) -> str:
    return _mean([a[key] - b[key] for a, b in zip(own, other)], form)


def _mean(values: Sequence[float], form: str) -> str:
    error = np.std(values, ddof=1) / sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{np.mean(values):{form}} ± {error:{form.replace('+', '')}}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stage", choices=["plain", "refine", "table"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--of", default="plain", choices=["plain", "refine"], help="the stage of the table")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--problems", type=int, default=40)
    parser.add_argument("--most-rows", type=int, default=ROWS[-1])
    parser.add_argument("--candidates", nargs="*", choices=[*CANDIDATES, GFCI])
    parser.add_argument("--base", default="flat 1")
    args = parser.parse_args()
    problems = [seed for seed in range(args.first, args.first + args.problems) if n_rows_of(seed) <= args.most_rows]
    if args.stage == "table":
        lines = [line for line in _lines(args.file) if line["stage"] == args.of and line["problem"] in problems]
        present = [name for name in (*CANDIDATES, GFCI) if any(line["candidate"] == name for line in lines)]
        print("\n".join(table(lines, args.candidates or present, args.base)))
        return 0
    warm_up()
    plain = [name for name, candidate in CANDIDATES.items() if not candidate.per_state]
    study(args.file, args.stage, problems, args.candidates or ([*plain, GFCI] if args.stage == "plain" else CANDIDATES))
    return 0


if __name__ == "__main__":
    sys.exit(main())
