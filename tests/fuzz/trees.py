"""Changes of JSON by its values: another type, another size, a key too many or too few, two parts exchanged."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

Place = tuple[Any, Any]  # the list or object, and the index or key in it

_DEEP = json.loads("[" * 300 + "]" * 300)
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 3, 1.5, -0.0, 1e300, -1e300, 1e-320, 10**18, 10**30, 10**400, 2**31, 2**63, 2**64,
    float("nan"), float("inf"), float("-inf"), "", "x", "0", "0.05", "-1", "nan", "1e9", "²", "\x00", "\x1b", "\n",
    "<b>x</b>", "\ud800", "\U0001f600", "a" * 5000, "../../x", "/etc/x", "A", "B", "C", "L1", "-->", "o->", "A --> B",
    [], [[]], {}, {"a": 1}, [None], [1], ["x"], [["A", "B"]], ["A", "-->", "B"], {"name": "A"}, _DEEP, [0] * 2000,
    ["x"] * 3, list("ABC"), [list("AB")] * 2, {"version": 1}, {"type": "x"},
)  # fmt: skip


def change_json(content: bytes, rng: random.Random) -> bytes | None:
    """The content with one to three of its values changed; None where it is no JSON."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        places = list(islice(_places(value), MOST_PLACES))
        if not places:
            return json.dumps(rng.choice(VALUES)).encode()
        _change(places, rng)
    try:
        return json.dumps(value, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    except (RecursionError, ValueError):
        return None


MOST_PLACES = 20_000  # of a value; lists that share their parts have more than memory holds


def _places(value: Any) -> Iterator[Place]:
    """Every place of a value below this one."""
    waiting = [value]
    while waiting:
        own = waiting.pop()
        inside = own.items() if isinstance(own, dict) else enumerate(own) if isinstance(own, list) else ()
        for key, below in list(inside)[:3000]:
            yield own, key
            waiting.append(below)


def _change(places: list[Place], rng: random.Random) -> None:
    (holder, key), (other, other_key) = rng.choice(places), rng.choice(places)
    kind = rng.randrange(12)
    if kind < 5:
        holder[key] = rng.choice(VALUES)
    elif kind == 5:
        del holder[key]
    elif kind == 6:
        holder[key] = json.loads(json.dumps(other[other_key]))  # a copy, so that no circle comes about
    elif kind == 7:
        holder[key] = rng.choice((str, _in_list, _in_object, _number))(holder[key])
    elif kind == 8 and isinstance(holder, list):
        holder.insert(key, json.loads(json.dumps(holder[key])))
    elif kind == 9 and isinstance(holder, list):
        rng.shuffle(holder)
    elif kind == 10 and isinstance(holder, dict):
        holder[rng.choice(("", "x", "version", "\x00", "name", "type", str(other_key)))] = holder.pop(key)
    elif isinstance(holder, dict):
        holder[rng.choice(("x", "version", "format", "type"))] = rng.choice(VALUES)
    else:
        holder[key] = rng.choice(VALUES)


def _in_list(value: Any) -> Any:
    return [value]


def _in_object(value: Any) -> Any:
    return {"a": value}


def _number(value: Any) -> Any:
    return value * 2 if isinstance(value, int | float | str | list) else -1
