"""Where runs of VBEM begin, and how they leave a local optimum."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from latconf_core.score.problem import Layout

FloatArray = npt.NDArray[np.float64]


def starts(layout: Layout, n_starts: int, rng: np.random.Generator) -> FloatArray:
    """Responsibilities (n_starts, n_rows, n_columns of q) of different kinds of start.

    In every eight, three make a latent a function of children's states, one is almost uniform (it grows along the
    strongest dependence), two are random and two gather rows around prototypes.
    """
    from latconf_core.score.candidates import kernels

    eight = [0, 3, 0, 2, 1, 0, 3, 2]
    kinds = np.resize(np.array(eight, dtype=np.int64), n_starts)
    uniforms = rng.random((n_starts, len(layout.problem.weights), int(layout.problem.q_first[-1])))
    cards = layout.rows.codes.max(axis=0) + 1
    q = np.empty_like(uniforms)
    kernels.make_starts(layout.problem, kinds, uniforms, layout.rows.codes, cards, layout.children, q)
    return q


def moves(layout: Layout, parameters: FloatArray, n_moves: tuple[int, int], rng: np.random.Generator) -> FloatArray:
    """Copies of the parameters, (n, n_cells), each with one cell emptied or one block's states exchanged.

    n_moves : how many of each at most
    """
    from latconf_core.score.candidates import kernels

    moved = np.empty((sum(n_moves), len(parameters)))
    n_made = kernels.propose(layout.problem, parameters, rng.random(len(moved)), moved, n_moves[0])
    return moved[:n_made]
