"""A puzzle: rows from a network with one secret variable. Which variables does it cause?"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations
from string import ascii_uppercase
from typing import Literal

import numpy as np

from latconf_core.control import Progress, RunControl
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.hidden_variables import hidden_truth
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.errors import OptionError
from latconf_core.formats.examples import example, load_example
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.checks import at_least
from latconf_core.options.learning import PagOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.events import PagLearned
from latconf_core.pag.learners.catalogue import learn_pag
from latconf_core.pag.validity import pag_of_mag
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.outcome.events import SearchFinished
from latconf_core.search.runner import start_search
from latconf_core.teaching.arrow_network import MODERATE, STRONG, network_of_arrows

Difficulty = Literal["easy", "medium", "hard"]
RANDOM = "random"  # the source of a network that nobody has seen before
SECRET = "H"
FULL_POINTS = 10
MOST_TRIES = 2_000  # random DAGs until one is as hard as asked for
MOST_CAUSES = 3  # of one variable in a random network
MOST_LISTED = 9  # variables up to which ILC-V is asked, else HCLC-V
SECONDS_PER_SEARCH = 60.0


@dataclass(frozen=True)
class Level:
    """How hard a puzzle is.

    n_variables : that are seen, in a random network
    n_children : of the secret variable, in a random network
    n_rows : of the data
    density : how often one variable is a cause of a later one, in a random network
    shows_all : whether the true PAG joins every two children by <->, in a random network; else one pair at least
    """

    n_variables: int
    n_children: tuple[int, ...]
    n_rows: int
    density: float
    strength: tuple[float, float]
    shows_all: bool


LEVELS: dict[Difficulty, Level] = {
    "easy": Level(5, (2,), 20_000, 0.35, STRONG, shows_all=True),
    "medium": Level(7, (3,), 10_000, 0.25, STRONG, shows_all=True),
    "hard": Level(8, (2, 3, 4), 3_000, 0.25, MODERATE, shows_all=False),
}


@dataclass(frozen=True)
class PuzzleChoice:
    """Which puzzle: `source` is "random" or the name of an example; the seed decides the rest."""

    source: str = RANDOM
    difficulty: Difficulty = "easy"
    seed: int = 1

    def __post_init__(self) -> None:
        if self.difficulty not in LEVELS:
            raise OptionError(f"there is no difficulty {self.difficulty!r}; choose one of {', '.join(LEVELS)}")
        if self.source != RANDOM:
            example(self.source)
        at_least("seed", self.seed, 0)


@dataclass(frozen=True, eq=False)
class Puzzle:
    """What the student sees, and the secret."""

    choice: PuzzleChoice
    dataset: Dataset
    truth: LatentDag

    @property
    def secret(self) -> Latent:
        return self.truth.latents[0]


@dataclass(frozen=True, eq=False)
class PuzzlePosed:
    """A puzzle with the PAG that was learned from its rows."""

    puzzle: Puzzle
    pag: MixedGraph


@dataclass(frozen=True)
class ProgramAnswer:
    """What a search of the program says: the children of every latent of its best DAG.

    is_complete : whether it came to its own end, and not to that of its time
    """

    search: str
    children: tuple[tuple[str, ...], ...]
    is_complete: bool

    @property
    def title(self) -> str:
        return SEARCHES[self.search].title

    def best_guess(self, secret: Collection[str]) -> tuple[str, ...]:
        """Of its latents, the children most like those of the secret; empty where it has none."""
        return max(self.children, key=lambda child: score_guess(child, secret).overlap, default=())


@dataclass(frozen=True)
class GuessScore:
    """A guess against the secret."""

    right: tuple[str, ...]
    wrong: tuple[str, ...]
    missed: tuple[str, ...]

    @property
    def overlap(self) -> float:
        """What guess and secret have in common, as a share of all that is in either."""
        total = len(self.right) + len(self.wrong) + len(self.missed)
        return len(self.right) / total if total else 0.0

    @property
    def points(self) -> int:
        """Ten for the whole truth, in proportion for a part."""
        return round(FULL_POINTS * self.overlap)


def score_guess(guess: Collection[str], secret: Collection[str]) -> GuessScore:
    """Which of the children were found."""
    return GuessScore(
        tuple(name for name in guess if name in secret),
        tuple(name for name in guess if name not in secret),
        tuple(name for name in secret if name not in guess),
    )


def make_puzzle(choice: PuzzleChoice) -> Puzzle:
    """The rows and the truth of a puzzle; the same choice is the same puzzle."""
    rng = np.random.default_rng((choice.seed, *choice.source.encode(), *choice.difficulty.encode()))
    level = LEVELS[choice.difficulty]
    network = _random_network(level, rng) if choice.source == RANDOM else load_example(choice.source)
    secret = SECRET if choice.source == RANDOM else str(rng.choice(possible_secrets(network)))
    drawn = sample(network, level.n_rows, rng=rng, hide=(secret,))
    return Puzzle(choice, drawn.dataset, drawn.truth)


def pose_puzzle(choice: PuzzleChoice, *, control: RunControl | None = None) -> Iterator[Progress | PuzzlePosed]:
    """Draw the rows of a puzzle and learn their PAG with GFCI."""
    yield Progress(0, None, "drawing rows")
    puzzle = make_puzzle(choice)
    for event in learn_pag(puzzle.dataset, PagOptions(method="gfci"), control=control):
        if isinstance(event, Progress):
            yield event
        elif isinstance(event, PagLearned):
            yield PuzzlePosed(puzzle, event.result.graph)


def answer_puzzle(posed: PuzzlePosed, *, control: RunControl | None = None) -> Iterator[Progress | ProgramAnswer]:
    """What the program's own searches say: one of the PAG, and Refine, which needs none."""
    data, seed = posed.puzzle.dataset, posed.puzzle.choice.seed
    of_pag = "ilc-v" if data.n_variables <= MOST_LISTED else "hclc-v"
    for search in (of_pag, "refine"):
        yield Progress(0, None, SEARCHES[search].title)
        options = SearchOptions(max_bidirected=3, max_candidates=500, time_limit=SECONDS_PER_SEARCH, seed=seed)
        for event in start_search(data, posed.pag, search, options=options, control=control):
            if isinstance(event, SearchFinished):
                if control is not None:
                    control.checkpoint()
                result = event.result
                latents = () if result.best is None else result.best.latents
                yield ProgramAnswer(search, tuple(latent.children for latent in latents), not result.truncated)


def possible_secrets(network: BayesNet) -> tuple[str, ...]:
    """The variables that are a hidden common cause of at least two others once nobody measures them."""
    return tuple(name for name in network.variables if hidden_truth(network, (name,)).latents)


def _random_network(level: Level, rng: np.random.Generator) -> BayesNet:
    """A network with one secret common cause, as hard to find as the level says."""
    names = ascii_uppercase.replace(SECRET, "")[: level.n_variables]
    for _ in range(MOST_TRIES):
        order = [str(name) for name in rng.permutation(list(names))]
        children = order[-int(rng.choice(level.n_children)) :] if level.shows_all else _some(order, level, rng)
        edges = [(SECRET, child) for child in children]
        for early, late in combinations(order, 2):
            n_causes = sum(effect == late for _, effect in edges)
            joins_children = level.shows_all and early in children and late in children
            if n_causes < MOST_CAUSES and not joins_children and rng.random() < level.density:
                edges.append((early, late))
        if _is_as_hard(names, edges, children, level):
            return network_of_arrows((*names, SECRET), edges, rng=rng, strength=level.strength)
    raise AssertionError("one random DAG in a few dozen is as hard as any level requires")


def _some(order: list[str], level: Level, rng: np.random.Generator) -> list[str]:
    return [str(name) for name in rng.choice(order, int(rng.choice(level.n_children)), replace=False)]


def _is_as_hard(names: str, edges: list[tuple[str, str]], children: list[str], level: Level) -> bool:
    """Whether the true PAG joins the children by <-> as the level asks for, and everything hangs together."""
    if any(all(name not in edge for edge in edges) for name in names):
        return False
    seen = [edge for edge in edges if edge[0] != SECRET]
    dag = LatentDag(tuple(names), seen, [Latent(SECRET, 2, tuple(children))])
    pag = pag_of_mag(mag_of_dag(dag))
    pairs = {frozenset((e.first, e.second)) for e in pag.edges() if e.at_first == e.at_second == Mark.ARROW}
    among = {frozenset(pair) for pair in combinations(children, 2)}
    return pairs == among if level.shows_all else bool(pairs & among)
