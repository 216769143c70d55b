"""What the numbers themselves say for a hidden cause of a linear Gaussian DAG, before they are cut.

No cut table can say more. A hidden cause of three variables has as many loadings as there are correlations among them:
edges among the three fit as well, and nothing but their own parents can tell.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from latconf_core.graph.bits import bits
from latconf_core.structure.exact_dag import find_exact
from latconf_core.structure.family_table import FamilyTable

MOST_PARENTS = 7
N_STARTS, MOST_STEPS, LEAST_RISE = 4, 500, 1e-3  # of EM


def numbers_gain(numbers: np.ndarray, parents: Sequence[Sequence[int]], children: Sequence[int]) -> float:
    """By BIC in nats: the true DAG with its hidden cause, fitted, over the best DAG without any."""
    n_rows = len(numbers)
    covariance = np.cov(numbers.T, bias=True)
    return _bic_with_cause(covariance, n_rows, parents, list(children)) - _best_without(covariance, n_rows)


def _best_without(covariance: np.ndarray, n_rows: int) -> float:
    def score(child: int, mask: int) -> float:
        above = list(bits(mask))
        if len(above) > MOST_PARENTS:
            return float("-inf")
        _, variance = _regress(covariance, child, above)
        log_likelihood = -n_rows / 2 * (np.log(2 * np.pi * variance) + 1)
        return float(log_likelihood - (len(above) + 1) / 2 * np.log(n_rows))

    exact = find_exact(FamilyTable(len(covariance), score, max_parents=MOST_PARENTS), checkpoint=lambda: None)
    assert exact is not None
    return exact[1]


def _regress(covariance: np.ndarray, child: int, above: list[int]) -> tuple[np.ndarray, float]:
    """The coefficients of a variable on others, and what varies still."""
    if not above:
        return np.zeros(0), float(covariance[child, child])
    coefficients = np.linalg.solve(covariance[np.ix_(above, above)], covariance[above, child])
    return coefficients, float(covariance[child, child] - coefficients @ covariance[above, child])


def _bic_with_cause(
    covariance: np.ndarray, n_rows: int, parents: Sequence[Sequence[int]], children: list[int]
) -> float:
    n = len(covariance)
    best = -np.inf
    for seed in range(N_STARTS):
        weights = np.zeros(n)
        first = np.linalg.eigh(covariance[np.ix_(children, children)])[1][:, -1]
        weights[children] = 0.4 * (first if seed == 0 else np.random.default_rng(seed).normal(size=len(children)))
        best = max(best, _fit_cause(covariance, n_rows, [list(parent) for parent in parents], children, weights))
    n_parameters = sum(map(len, parents)) + n + len(children)
    return float(best - n_parameters / 2 * np.log(n_rows))


def _fit_cause(
    covariance: np.ndarray, n_rows: int, parents: list[list[int]], children: list[int], weights: np.ndarray
) -> float:
    """The log likelihood that EM reaches; `weights` is how the cause is guessed from the variables at first."""
    n, last = len(covariance), -np.inf
    spread = 0.5
    for _ in range(MOST_STEPS):
        joint = np.zeros((n + 1, n + 1))
        joint[:n, :n] = covariance
        joint[n, :n] = joint[:n, n] = covariance @ weights
        joint[n, n] = weights @ covariance @ weights + spread
        effects, noise = np.zeros((n + 1, n + 1)), np.ones(n + 1)
        for v in range(n):
            above = [*parents[v], *([n] if v in children else [])]
            effects[v, above], noise[v] = _regress(joint, v, above)
        through = np.linalg.inv(np.eye(n + 1) - effects)
        implied = through @ np.diag(noise) @ through.T
        observed = implied[:n, :n]
        log_determinant = np.linalg.slogdet(observed)[1]
        misfit = np.trace(np.linalg.solve(observed, covariance))
        log_likelihood = -n_rows / 2 * (n * np.log(2 * np.pi) + log_determinant + misfit)
        if log_likelihood < last + LEAST_RISE:
            break
        last = log_likelihood
        weights = np.linalg.solve(observed, implied[:n, n])
        spread = implied[n, n] - implied[n, :n] @ weights
    return float(last)
