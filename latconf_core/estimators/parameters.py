"""What scikit-learn asks of every estimator: parameters by name, tags, whether it is fitted; without scikit-learn."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import signature
from typing import Any, Self

from latconf_core.errors import DataError, LatconfError, OptionError


class InputError(DataError, ValueError):
    """What cannot be fitted or transformed; scikit-learn expects a ValueError."""


class UnfittedError(LatconfError, ValueError, AttributeError):
    """An estimator that was asked before `fit`."""


@contextmanager
def refused_as_values() -> Iterator[None]:
    """Errors about data and settings as the ValueErrors that pipelines and searches over parameters know."""
    try:
        yield
    except InputError:
        raise
    except LatconfError as error:
        raise InputError(str(error)) from error


class Parameters:
    """Parameters are the arguments of `__init__`, kept under their names; nothing is checked before `fit`."""

    n_features_in_: int

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name in signature(cls).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Self:
        """The estimator itself with some parameters changed."""
        known = self._names()
        for name in params:
            if name not in known:
                raise InputError(f"Invalid parameter {name!r} for {type(self).__name__}; choose from {known}")
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = {name: each.default for name, each in signature(type(self)).parameters.items()}
        said = [f"{name}={value!r}" for name, value in self.get_params().items() if value is not defaults[name]]
        return f"{type(self).__name__}({', '.join(said)})"

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "n_features_in_")

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn should expect; it alone asks."""
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags() if hasattr(self, "transform") else None,
            input_tags=InputTags(categorical=True, string=True, allow_nan=True),
        )

    def _check_fitted(self) -> None:
        if self.__sklearn_is_fitted__():
            return
        text = f"this {type(self).__name__} is not fitted yet; call fit first"
        theirs = sys.modules.get("sklearn.exceptions")
        raise UnfittedError(text) if theirs is None else theirs.NotFittedError(text)


def seed_of(random_state: Any) -> int:
    """The seed that a random_state stands for: a number as it is, None for 0, or drawn from a generator."""
    if random_state is None:
        return 0
    if isinstance(random_state, int) or hasattr(random_state, "__index__"):
        return int(random_state)
    if hasattr(random_state, "randint"):
        return int(random_state.randint(2**31 - 1))
    if hasattr(random_state, "integers"):
        return int(random_state.integers(2**31 - 1))
    raise OptionError(f"random_state is {random_state!r}; give a whole number, a random generator or None")
