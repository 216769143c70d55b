"""Where runs of VBEM begin, and how they leave a local optimum."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from latconf_core.score.problem import Layout

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


def starts(layout: Layout, n_starts: int, rng: np.random.Generator) -> FloatArray:
    """Responsibilities (n_starts, n_rows, n_columns of q) of different kinds of start.

    In every eight, four make a latent a function of one child and its parents, cut where the other children surprise
    alike; one a function of children's states; one gathers rows around prototypes, one is random, and one is almost
    uniform (it grows along the strongest dependence).
    """
    from latconf_core.score.candidates import kernels

    eight = [
        kernels.PROFILES,
        kernels.PROTOTYPES,
        kernels.STATES,
        kernels.PROFILES,
        kernels.NEAR_UNIFORM,
        kernels.PROFILES,
        kernels.RANDOM,
        kernels.PROFILES,
    ]
    kinds = np.resize(np.array(eight, dtype=np.int64), n_starts)
    uniforms = rng.random((n_starts, len(layout.problem.weights), int(layout.problem.q_first[-1])))
    cards = layout.rows.codes.max(axis=0) + 1
    q = np.empty_like(uniforms)
    kernels.make_starts(
        layout.problem, kinds, uniforms, layout.rows.codes, cards, layout.children, *_family_rows(layout), q
    )
    return q


def _family_rows(layout: Layout) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """What each row has of every observed family (pair, configuration, state), and the families of each latent."""
    observed = [family for family in layout.families if not family.is_latent]
    pairs = np.array([family.of_row for family in observed])
    blocks, states = np.empty_like(pairs), np.empty_like(pairs)
    for place, family in enumerate(observed):
        sizes = family.size[:: family.n_latent]
        block_of_pair = np.repeat(np.arange(len(sizes)), sizes)
        blocks[place] = block_of_pair[family.of_row]
        states[place] = (family.seen % family.n_states)[family.of_row]
    own = [
        [k for k, family in enumerate(observed) if latent in family.latents] for latent in range(len(layout.children))
    ]
    families = np.full((len(own), max(1, *map(len, own))), -1, dtype=np.int64)
    for latent, places in enumerate(own):
        families[latent, : len(places)] = places
    return pairs, blocks, states, families


def moves(layout: Layout, parameters: FloatArray, n_moves: tuple[int, int], rng: np.random.Generator) -> FloatArray:
    """Copies of the parameters, (n, n_cells), each with one cell emptied or one block's states exchanged.

    n_moves : how many of each at most
    """
    from latconf_core.score.candidates import kernels

    moved = np.empty((sum(n_moves), len(parameters)))
    n_made = kernels.propose(layout.problem, parameters, rng.random(len(moved)), moved, n_moves[0])
    return moved[:n_made]
