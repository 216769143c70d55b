"""Frozen dataclasses as plain JSON values and back, and how content of another version is treated.

What an older program wrote is migrated, a field that it did not know takes what that program did; a field that this
program does not know is left out with a note; what a newer program wrote is refused with a sentence.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, Self, TypeVar, Union, get_args, get_origin, get_type_hints

from latconf_core.errors import FileFormatError, OptionError

Content = Mapping[str, Any]
Migration = Callable[[Content], Content]
Notes = list[str]
Value = TypeVar("Value")

UNREADABLE = (  # what content of a wrong shape or size raises
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    IndexError,
    OverflowError,
    RecursionError,
    MemoryError,
)
MAX_ITEMS = 4_000_000  # values of one JSON text: each may take 64 bytes of memory, whatever it takes in the file
KEY = "key"  # metadata of a field: what JSON calls it, where that is not its name
BEFORE = "before"  # metadata of a field: what programs did that did not know it, where that is not its default
_PLAIN: Mapping[object, tuple[type, ...]] = {bool: (bool,), int: (int,), float: (int, float), str: (str,)}


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text; FileFormatError with the line where it is none, or is too deep or too long to read."""
    if isinstance(text, bytes):
        n_items = sum(map(text.count, (b",", b"[", b"{")))
    else:
        n_items = sum(map(text.count, (",", "[", "{")))
    if n_items > MAX_ITEMS:
        raise FileFormatError(f"this JSON holds {n_items:,} values; latconf reads at most {MAX_ITEMS:,}")
    try:
        content = json.loads(text)
        if (b"\\ud" if isinstance(text, bytes) else "\\ud") in text.lower():  # type: ignore[operator]
            json.dumps(content, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        raise FileFormatError(f"this is not JSON: {error.msg}", line=error.lineno) from None
    except RecursionError:
        raise FileFormatError("this is not latconf JSON: it is nested too deeply") from None
    except UnicodeEncodeError:
        raise FileFormatError("a name contains an incomplete character (such as \\ud800); correct it") from None
    except UnicodeDecodeError:
        raise FileFormatError("this is not text in UTF-8; save it in that encoding first") from None
    except ValueError:
        raise FileFormatError("a number has too many digits") from None
    return content


def migrate(content: Content, migrations: Mapping[int, Migration], *, current: int, what: str) -> Content:
    """The content as the current version would have written it.

    migrations : version → what turns content of that version into content of the next
    what : named in the sentence that refuses content of a newer version, e.g. "this project"
    """
    version = content.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise FileFormatError(f"its format version is {version!r}; expected a number from 1 to {current}")
    if version > current:
        raise FileFormatError(
            f"{what} has format {version}, written by latconf {content.get('program', '(a newer version)')}; "
            f"this latconf reads formats up to {current}: install a newer one to open it"
        )
    for number in range(version, current):
        content = {**migrations[number](content), "version": number + 1}
    return content


class JsonFields:
    """A dataclass of options whose JSON form is its fields and a version."""

    VERSION: ClassVar[int] = 1
    MIGRATIONS: ClassVar[Mapping[int, Migration]] = {}

    def to_json(self) -> dict[str, Any]:
        """Every field as a plain value."""
        return {"version": self.VERSION, **encode_fields(self)}

    @classmethod
    def from_json(cls, content: Content, notes: Notes | None = None) -> Self:
        """The value that `to_json` gave, of this or an older program; `notes` gets a sentence for what was left out."""
        try:
            dated = {"version": 1, **_object(content)}
            current = dict(migrate(dated, cls.MIGRATIONS, current=cls.VERSION, what=cls.__name__))
            del current["version"]
            return decode_fields(cls, current, notes)
        except (TypeError, ValueError) as error:
            raise OptionError(f"{cls.__name__} cannot be read: {error}") from None


def encode(value: object) -> Any:
    """A value as what JSON holds: its own form where it has one, else by its fields."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if hasattr(value, "to_json"):
        return value.to_json()
    if is_dataclass(value):
        return encode_fields(value)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: encode(item) for name, item in value._asdict().items()}
    if isinstance(value, frozenset):
        return sorted(map(encode, value))
    if isinstance(value, tuple | list):
        return [encode(item) for item in value]
    if isinstance(value, Mapping):
        return [[encode(key), encode(item)] for key, item in value.items()]
    raise TypeError(f"{type(value).__name__} has no JSON form")


def encode_fields(value: object) -> dict[str, Any]:
    """The fields of a dataclass as plain values."""
    return {_key(each): encode(getattr(value, each.name)) for each in fields(value)}  # type: ignore[arg-type]


def decode_fields(kind: type[Value], content: Content, notes: Notes | None = None) -> Value:
    """The dataclass of these fields; unknown ones are left out with a note, missing ones take what was done before."""
    hints = _hints(kind)  # type: ignore[arg-type]  # a class is hashable
    by_key: dict[str, Field[Any]] = {_key(each): each for each in fields(kind)}  # type: ignore[arg-type]
    for key in content:
        if key not in by_key and notes is not None:
            notes.append(f"{key!r} of {kind.__name__} is unknown to this version of latconf and was ignored")
    values = {
        each.name: decode(hints[each.name], content[key], notes) if key in content else _before(each, kind)
        for key, each in by_key.items()
    }
    return kind(**values)


def _key(each: Field[Any]) -> str:
    key: str = each.metadata.get(KEY, each.name)
    return key


@cache
def _hints(kind: type) -> dict[str, Any]:
    """The types of the fields of a class; to find them takes longer than to read most files."""
    return get_type_hints(kind)


def _before(each: Field[Any], kind: type) -> Any:
    """What a program did that did not know the field."""
    if BEFORE in each.metadata:
        return each.metadata[BEFORE]
    if each.default is not MISSING:
        return each.default
    if each.default_factory is not MISSING:
        return each.default_factory()
    raise ValueError(f"{each.name!r} of {kind.__name__} is missing")


def pick_known(content: Content, known: Collection[str], *, what: str, notes: Notes | None) -> dict[str, Any]:
    """The entries that are known; the others are noted, or refused with an OptionError where nobody takes notes."""
    for name in sorted(set(content) - set(known)):
        if notes is None:
            raise OptionError(f"{what} has no entry {name!r}")
        notes.append(f"{name!r} of {what} is unknown to this version of latconf and was ignored")
    return {name: value for name, value in content.items() if name in known}


def decode(kind: Any, content: Any, notes: Notes | None = None) -> Any:
    """The value of a type that `encode` turned into plain content; ValueError where it is none."""
    origin, inside = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return None if content is None and NoneType in inside else decode(_only(inside), content, notes)
    if origin is Literal:
        return _check(content, content in inside, f"one of {', '.join(map(str, inside))}")
    if origin is frozenset:
        return frozenset(decode(inside[0], item, notes) for item in _list(content))
    if origin is tuple:
        return _decode_tuple(inside, _list(content), notes)
    if origin is not None and issubclass(origin, Mapping):
        return {decode(inside[0], key, notes): decode(inside[1], item, notes) for key, item in _list(content)}
    if kind in _PLAIN:
        is_own = isinstance(content, _PLAIN[kind]) and (kind is bool or not isinstance(content, bool))
        return _to_plain(kind, _check(content, is_own, kind.__name__))
    return _decode_own(kind, content, notes)


def _to_plain(kind: Any, content: Any) -> Any:
    try:
        return kind(content)
    except OverflowError:
        raise ValueError(f"a number of {len(str(content))} digits is too large") from None


def encode_event(event: object) -> dict[str, Any]:
    """An event as plain values, with the name of its type."""
    return {"type": type(event).__name__, **encode(event)}


def decode_event(kinds: tuple[type, ...], content: Content) -> Any:
    """The event of one of some types; FileFormatError where it is none of them."""
    by_name = {kind.__name__: kind for kind in kinds}
    name = content.get("type") if isinstance(content, Mapping) else content
    if not isinstance(content, Mapping) or not isinstance(name, str) or name not in by_name:
        raise FileFormatError(f"the event {name!r} is not known to this latconf; install a newer one to read it")
    rest = {key: value for key, value in content.items() if key != "type"}
    try:
        return decode(by_name[name], rest)
    except FileFormatError:
        raise
    except UNREADABLE as error:
        raise FileFormatError(f"the event {name} cannot be read: {error}") from None


def _decode_own(kind: Any, content: Any, notes: Notes | None) -> Any:
    """A value of one of our own types."""
    if issubclass(kind, JsonFields):
        return kind.from_json(content, notes)
    if hasattr(kind, "from_json"):
        return kind.from_json(content)
    if issubclass(kind, Enum):
        return kind(content)
    if isinstance(kind, type) and is_dataclass(kind):
        return decode_fields(kind, _object(content), notes)
    if issubclass(kind, tuple):
        hints = _hints(kind)
        return kind(**{name: decode(hints[name], value, notes) for name, value in _object(content).items()})
    raise TypeError(f"{kind} has no JSON form")


def _decode_tuple(inside: tuple[Any, ...], content: list[Any], notes: Notes | None) -> tuple[Any, ...]:
    if len(inside) == 2 and inside[1] is Ellipsis:
        return tuple(decode(inside[0], item, notes) for item in content)
    return tuple(decode(kind, item, notes) for kind, item in zip(inside, content, strict=True))


def _only(inside: tuple[Any, ...]) -> Any:
    (kind,) = (kind for kind in inside if kind is not NoneType)
    return kind


def _object(content: Any) -> Content:
    checked: Content = _check(content, isinstance(content, Mapping), "an object")
    return checked


def _list(content: Any) -> list[Any]:
    checked: list[Any] = _check(content, isinstance(content, list), "a list")
    return checked


def _check(content: Any, is_right: bool, expected: str) -> Any:
    if not is_right:
        raise ValueError(f"found {content!r}, expected {expected}")
    return content


def decode_finite(value: object) -> float:
    """A number that is neither endless nor none at all; ValueError where it is."""
    number: float = decode(float, value)
    if not math.isfinite(number):
        raise ValueError(f"{number} is not a number")
    return number
