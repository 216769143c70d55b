"""Rules that turn numbers into a few ordered states; a rule is a value that is stored with the project."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, get_args

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.errors import OptionError
from latconf_core.options.checks import check_number, check_whole, one_of

DiscretiseMethod = Literal["equal width", "equal frequency", "k-means", "cut points"]
MAX_BINS = 50
_MAX_ROUNDS = 200  # of k-means in one dimension, which settles in a few dozen


@dataclass(frozen=True)
class Discretisation:
    """How one column is cut: a number of bins chosen by a method, or the cut points themselves.

    cut_points : ascending; a value equal to a cut point belongs to the bin below it
    """

    method: DiscretiseMethod = "equal frequency"
    n_bins: int = 3
    cut_points: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        points = tuple(float(check_number("a cut point", point)) for point in self.cut_points)
        object.__setattr__(self, "cut_points", points)
        object.__setattr__(self, "n_bins", check_whole("number of bins", self.n_bins))
        one_of("method", self.method, get_args(DiscretiseMethod))
        if self.method == "cut points":
            self._check_points()
            object.__setattr__(self, "n_bins", len(self.cut_points) + 1)
        elif self.cut_points:
            raise OptionError(f"cut points go with the method 'cut points', not with {self.method!r}")
        if not 2 <= self.n_bins <= MAX_BINS:
            raise OptionError(f"number of bins is {self.n_bins}; it must be from 2 to {MAX_BINS}")

    def _check_points(self) -> None:
        if not self.cut_points:
            raise OptionError("there are no cut points; give at least one")
        if not all(map(math.isfinite, self.cut_points)):
            raise OptionError("a cut point is not a finite number")
        if any(a >= b for a, b in pairwise(self.cut_points)):
            raise OptionError("cut points must ascend without repeats")

    def fit(self, values: FloatArray, counts: IntArray) -> tuple[float, ...]:
        """The cut points for these numbers; fewer than asked for where the numbers repeat too much.

        values : (n,) ascending, different
        counts : (n,) how often each occurs
        """
        if self.method == "cut points":
            return self.cut_points
        if len(values) < 2:
            return ()
        if self.method == "equal width":
            points = np.linspace(values[0], values[-1], self.n_bins + 1)[1:-1]
        elif self.method == "equal frequency":
            points = _between(values, _frequency_splits(counts, self.n_bins))
        else:
            points = _between(values, _k_means_splits(values, counts, self.n_bins))
        return tuple(float(point) for point in np.unique(points))

    def to_json(self) -> dict[str, Any]:
        """A JSON object that `from_json` reads back."""
        if self.method == "cut points":
            return {"method": self.method, "cut_points": list(self.cut_points)}
        return {"method": self.method, "n_bins": self.n_bins}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Discretisation:
        """The rule that `to_json` wrote."""
        unknown = set(content) - {"method", "n_bins", "cut_points"}
        if unknown:
            raise OptionError(f"a discretisation has no entry {min(unknown)!r}")
        return cls(**{**content, "cut_points": tuple(content.get("cut_points", ()))})

    def __str__(self) -> str:
        if self.method == "cut points":
            return f"cut points {', '.join(f'{point:g}' for point in self.cut_points)}"
        return f"{self.method}, {self.n_bins} bins"


def _between(values: FloatArray, splits: IntArray) -> FloatArray:
    """Half-way between each split value and the next; `splits` are last positions of the bins but the last."""
    inside = splits[(splits >= 0) & (splits < len(values) - 1)]
    return (values[inside] + values[inside + 1]) / 2


def _frequency_splits(counts: IntArray, n_bins: int) -> IntArray:
    """The last position of each bin, as near to equal shares as whole values allow."""
    below = np.cumsum(counts)
    wanted = below[-1] * np.arange(1, n_bins) / n_bins
    above = np.searchsorted(below, wanted)
    before = np.maximum(above - 1, 0)
    nearer = np.abs(below[before] - wanted) <= np.abs(below[above] - wanted)
    splits: IntArray = np.where(nearer, before, above).astype(np.int64)
    return splits


def _k_means_splits(values: FloatArray, counts: IntArray, n_bins: int) -> IntArray:
    """The last position of each cluster of k-means on a line, started from equal frequencies."""
    weight = np.concatenate([[0.0], np.cumsum(counts, dtype=np.float64)])
    centre = np.average(values, weights=counts)  # sums are taken about it: fewer digits lost
    total = np.concatenate([[0.0], np.cumsum(counts * (values - centre))])
    ends: IntArray = np.unique(_frequency_splits(counts, min(n_bins, len(values))))
    for _ in range(_MAX_ROUNDS):
        edges = np.concatenate([[0], ends[ends < len(values) - 1] + 1, [len(values)]])
        means = centre + np.diff(total[edges]) / np.diff(weight[edges])
        moved: IntArray = np.searchsorted(values, (means[:-1] + means[1:]) / 2, side="right").astype(np.int64) - 1
        if np.array_equal(moved, edges[1:-1] - 1):
            return moved
        ends = np.unique(moved[moved >= 0])
    return ends


def bins_of(values: FloatArray, cut_points: Sequence[float]) -> IntArray:
    """The bin of each number; one equal to a cut point goes to the bin below it."""
    return np.searchsorted(np.asarray(cut_points, dtype=np.float64), values, side="left").astype(np.int64)


def bin_labels(cut_points: Sequence[float]) -> list[str]:
    """A state name for each bin: `<=1`, `1 to 2.5`, `>2.5`."""
    if not cut_points:
        return ["all"]
    texts = _distinct_texts(cut_points)
    middle = [f"{low} to {high}" for low, high in pairwise(texts)]
    return [f"<={texts[0]}", *middle, f">{texts[-1]}"]


def cut_points_of(labels: Sequence[str]) -> tuple[float, ...] | None:
    """The cut points behind names that `bin_labels` gave, to the digits that these show; None for other names."""
    if len(labels) < 2 or not labels[0].startswith("<="):
        return None
    try:
        points = tuple(float(text) for text in (labels[0][2:], *(label.split(" to ")[-1] for label in labels[1:-1])))
    except ValueError:
        return None
    return points if bin_labels(points) == list(labels) else None


def _distinct_texts(points: Sequence[float]) -> list[str]:
    """The points with the fewest digits that keep them apart."""
    for digits in range(4, 17):
        texts = [f"{point:.{digits}g}" for point in points]
        if len(set(texts)) == len(texts):
            return texts
    return [repr(float(point)) for point in points]
