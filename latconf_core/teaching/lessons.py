"""Lessons: files of plain JSON, one per lesson, that a lecturer can write by hand.

    {
      "title": "The chain",
      "edges": ["Rain --> Wet", "Wet --> Slippery"],
      "hidden": [],
      "places": {"Rain": [0, 0], "Wet": [1, 0], "Slippery": [2, 0]},
      "text": ["A paragraph.", "Another one."],
      "question": "What does one ask?",
      "answer": "What is the answer?",
      "claims": {"pag": ["Rain o-o Wet", "Wet o-o Slippery"], "separated": ["Rain, Slippery | Wet"]}
    }

`places` count from the left and from the top, one unit from node to node. `hidden`, `places` and `claims` may be left
out. Claims are checked when the lesson is read (see `claims`), so that a text and its graph cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from latconf_core.errors import FileFormatError, LatconfError
from latconf_core.files import read_text
from latconf_core.json_form import parse_json
from latconf_core.teaching.claims import Claims, check_claims, drawn_from_edges
from latconf_core.teaching.drawn_dag import DrawnDag

SUFFIX = ".json"
UNIT = (130.0, 105.0)  # from node to node on a screen, to the right and down
MAX_VARIABLES = 40
FARTHEST = 1000  # from the first place, in nodes
KEYS = ("title", "edges", "hidden", "places", "text", "question", "answer", "claims")
NEEDED = ("title", "edges", "text", "question", "answer")
_PACKAGE = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Lesson:
    """A graph with what there is to say about it.

    key : the name of its file; lessons stand in the order of these
    text : paragraphs
    path : its file
    """

    key: str
    title: str
    dag: DrawnDag
    text: tuple[str, ...]
    question: str
    answer: str
    claims: Claims
    path: Path = field(compare=False)


@dataclass(frozen=True)
class ReadLessons:
    """The lessons of some folders, and a sentence for every file that is no lesson."""

    lessons: tuple[Lesson, ...]
    problems: tuple[str, ...]


@cache
def own_lessons() -> tuple[Lesson, ...]:
    """The lessons that come with the program."""
    return tuple(map(read_lesson, _files(_folder())))


def read_lessons(folders: Iterable[Path] = ()) -> ReadLessons:
    """The program's own lessons, then those of each folder; a file that cannot be read is left out and named.

    A file that has the name of an earlier lesson takes its place.
    """
    lessons, problems = {lesson.key: lesson for lesson in own_lessons()}, []
    for path in (file for folder in folders for file in _files(folder)):
        try:
            lessons[path.stem] = read_lesson(path)
        except LatconfError as error:
            problems.append(str(error))
    return ReadLessons(tuple(lessons.values()), tuple(problems))


def read_lesson(path: Path) -> Lesson:
    """The lesson of a file; FileFormatError that says what to mend, also where a claim is not so."""
    text = read_text(path)
    try:
        content = parse_json(text)
    except FileFormatError as error:
        raise FileFormatError(f"the lesson is not readable JSON: {error.problem}", path, error.line) from None
    try:
        lesson = _lesson(path, content)
    except (ValueError, LatconfError) as error:
        raise FileFormatError(f"the lesson cannot be used: {error.args[0]}", path) from None
    wrong = check_claims(lesson.dag, lesson.claims)
    if wrong:
        raise FileFormatError(f"the lesson makes false claims: {'; '.join(wrong)}", path)
    return lesson


def _lesson(path: Path, content: object) -> Lesson:
    if not isinstance(content, dict):
        raise ValueError("it must be an object in braces")
    missing = [name for name in NEEDED if not content.get(name)]
    if missing:
        raise ValueError(f"{missing[0]!r} is missing")
    unknown = [name for name in content if name not in KEYS]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is not known; a lesson has {', '.join(KEYS)}")
    claims = content.get("claims", {})
    if not isinstance(claims, dict):
        raise ValueError("'claims' must be an object in braces")
    return Lesson(
        path.stem,
        _text(content, "title"),
        _dag(content),
        _paragraphs(content["text"]),
        _text(content, "question"),
        _text(content, "answer"),
        claims,
        path,
    )


def _text(content: Mapping[str, Any], name: str) -> str:
    if not isinstance(content[name], str):
        raise ValueError(f"{name!r} must be a text in quotes")
    return str(content[name])


def _paragraphs(text: object) -> tuple[str, ...]:
    parts = [text] if isinstance(text, str) else text
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise ValueError("'text' must be a text in quotes, or a list of them")
    return tuple(parts)


def _dag(content: Mapping[str, Any]) -> DrawnDag:
    for name in ("edges", "hidden"):
        names = content.get(name, [])
        if not isinstance(names, list) or not all(isinstance(text, str) for text in names):
            raise ValueError(f"{name!r} must be a list of texts in quotes")
    drawn = drawn_from_edges(content["edges"][: MAX_VARIABLES**2], content.get("hidden", []))
    if len(drawn.nodes) > MAX_VARIABLES:
        raise ValueError(f"it has more than {MAX_VARIABLES} variables, too many to display; remove some")
    return DrawnDag(drawn.nodes, drawn.edges, drawn.hidden, _places(content.get("places", {}), drawn)).placed()


def _places(content: object, drawn: DrawnDag) -> dict[str, tuple[float, float]]:
    if not isinstance(content, dict):
        raise ValueError("'places' must be an object in braces, with two numbers for each variable")
    places = {}
    for name, position in content.items():
        if name not in drawn.nodes:
            raise ValueError(f"{name!r} has a place but no edge")
        if not isinstance(position, list) or len(position) != 2 or not all(map(_is_place, position)):
            raise ValueError(f"the place of {name!r} must be two numbers up to {FARTHEST:,}, such as [0, 1]")
        places[name] = (position[0] * UNIT[0], position[1] * UNIT[1])
    return places


def _is_place(value: object) -> bool:
    return isinstance(value, int | float) and abs(value) <= FARTHEST  # false of NaN too


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else []


def _folder() -> Path:
    installed = _PACKAGE / "_lessons"
    return installed if installed.is_dir() else _PACKAGE.parent / "resources" / "lessons"
