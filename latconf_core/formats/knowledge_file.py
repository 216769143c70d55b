"""Background knowledge: Tetrad's knowledge files, a table of our own, and knowledge.json, which holds everything.

The table is CSV with the header `kind,first,second`:

    tier,A,0            A is in tier 0
    closed,1,           within tier 1 no variable has an effect on another
    forbidden,D,A       no edge D --> A
    required,A,C        A --> C is in every DAG
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from latconf_core.errors import FileFormatError, GraphError
from latconf_core.files import read_text, write_text_atomically
from latconf_core.json_form import parse_json
from latconf_core.knowledge.knowledge import Cause, Knowledge

JSON_FORMAT = "latconf knowledge"
HEADER = ["kind", "first", "second"]
_TIER = re.compile(r"([0-9]{1,9})(\*?)$")
MAX_TIER_DIGITS = 9
MAX_PAIRS = 200_000  # of a file; a group stands for every pair of its two sides
_ARROW = re.compile(r"(?<!\s)\s+(?:=+>|-+>)\s+")  # each run of blanks is looked at once
_SECTIONS = ("addtemporal", "forbiddirect", "requiredirect", "forbiddengroup", "requiredgroup")

Line = tuple[int, str]


@dataclass
class _Draft:
    """Knowledge while a file is being read."""

    tiers: dict[int, list[str]] = field(default_factory=dict)
    closed: set[int] = field(default_factory=set)
    forbidden: list[Cause] = field(default_factory=list)
    required: list[Cause] = field(default_factory=list)

    def knowledge(self) -> Knowledge:
        numbers = sorted(self.tiers)
        position_of = {number: i for i, number in enumerate(numbers)}
        return Knowledge(
            tuple(tuple(self.tiers[number]) for number in numbers),
            frozenset(position_of[number] for number in self.closed),
            tuple(self.forbidden),
            tuple(self.required),
        )


def read_knowledge(path: str | Path) -> Knowledge:
    """The knowledge in a file: Tetrad's where it starts with /knowledge, JSON where with a brace, else our table."""
    text = read_text(path)
    start = text.removeprefix("\ufeff").lstrip()
    try:
        if start.startswith("{"):
            return parse_knowledge_json(start)
        return parse_tetrad(text) if start.lower().startswith("/knowledge") else parse_table(text)
    except FileFormatError as error:
        raise FileFormatError(error.problem, path, error.line) from None
    except GraphError as error:
        raise FileFormatError(str(error), path) from None


def parse_knowledge_json(text: str) -> Knowledge:
    """The knowledge in the text of knowledge.json."""
    content = parse_json(text)
    if content.get("format", JSON_FORMAT) != JSON_FORMAT:
        raise FileFormatError(f"its format is {content['format']!r}; expected {JSON_FORMAT!r}")
    return Knowledge.from_json({"version": 1, **content})


def parse_tetrad(text: str) -> Knowledge:
    """The knowledge in the text of a Tetrad knowledge file."""
    draft = _Draft()
    section = ""
    for number, line in _lines(text):
        word = line.lower()
        if word == "/knowledge":
            continue
        if word in _SECTIONS:
            section = word
        elif not section:
            raise FileFormatError(f"found {line!r}; expected one of {', '.join(_SECTIONS)}", line=number)
        elif section == "addtemporal":
            _read_tier(draft, line, number)
        else:
            causes = draft.forbidden if section.startswith("forbid") else draft.required
            causes.extend(_group(line, number) if section.endswith("group") else [_pair(line, number)])
            if len(causes) > MAX_PAIRS:
                raise FileFormatError(f"{section} stands for more than {MAX_PAIRS:,} pairs; use tiers", line=number)
    return draft.knowledge()


def _lines(text: str) -> Iterator[Line]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield number, line.strip()


def _read_tier(draft: _Draft, line: str, number: int) -> None:
    first, *names = line.split()
    hit = _TIER.match(first)
    if hit is None:
        raise FileFormatError(f"found {first!r}; expected the number of a tier, such as 0 or 1*", line=number)
    tier = int(hit[1])
    draft.tiers.setdefault(tier, []).extend(name for name in names if name != "*")
    if hit[2] or "*" in names:
        draft.closed.add(tier)


def _pair(line: str, number: int) -> Cause:
    parts = line.split()
    if len(parts) != 2:
        raise FileFormatError(f"found {line!r}; expected two names, CAUSE EFFECT", line=number)
    return parts[0], parts[1]


def _group(line: str, number: int) -> list[Cause]:
    sides = [side.replace(",", " ").split() for side in _ARROW.split(line)]
    if len(sides) != 2:
        raise FileFormatError(f"found {line!r}; expected CAUSES ==> EFFECTS", line=number)
    if len(sides[0]) * len(sides[1]) > MAX_PAIRS:
        raise FileFormatError(f"a group stands for more than {MAX_PAIRS:,} pairs; use tiers instead", line=number)
    return [(cause, effect) for cause in sides[0] for effect in sides[1] if cause != effect]


def parse_table(text: str) -> Knowledge:
    """The knowledge in the text of our table."""
    rows = csv.reader(io.StringIO(text.removeprefix("\ufeff")))
    try:
        return _read_rows(rows).knowledge()
    except csv.Error as error:
        raise FileFormatError(f"this is not a knowledge table: {error}", line=rows.line_num) from None


def _read_rows(rows: Any) -> _Draft:
    """What a reader of CSV gives, which is untyped; csv.Errors pass."""
    header = [cell.strip().lower() for cell in next(rows, [])]
    if header != HEADER:
        raise FileFormatError(f"expected /knowledge (Tetrad) or the header {','.join(HEADER)}", line=1)
    draft = _Draft()
    for row in rows:
        cells = [cell.strip() for cell in row]
        if any(cells):
            _read_row(draft, [*cells, "", ""][:3] if len(cells) < 4 else cells, rows.line_num)
    return draft


def _read_row(draft: _Draft, cells: list[str], number: int) -> None:
    kind, first, second = cells if len(cells) == 3 else ("", "", "")
    if kind == "tier" and _is_tier(second):
        draft.tiers.setdefault(int(second), []).append(first)
    elif kind == "closed" and _is_tier(first) and not second:
        draft.tiers.setdefault(int(first), [])
        draft.closed.add(int(first))
    elif kind in ("forbidden", "required") and first and second:
        (draft.forbidden if kind == "forbidden" else draft.required).append((first, second))
    else:
        raise FileFormatError(
            f"found {','.join(cells)!r}; expected tier,NAME,NUMBER or closed,NUMBER, or forbidden,CAUSE,EFFECT "
            "or required,CAUSE,EFFECT",
            line=number,
        )


def _is_tier(text: str) -> bool:
    return text.isdecimal() and len(text) <= MAX_TIER_DIGITS


def write_knowledge(knowledge: Knowledge, path: str | Path) -> None:
    """Write JSON for .json, our table for .csv, else a Tetrad knowledge file; only JSON holds everything."""
    write = {".json": knowledge_json, ".csv": table_text}.get(Path(path).suffix.lower(), tetrad_text)
    write_text_atomically(path, write(knowledge))


def knowledge_json(knowledge: Knowledge) -> str:
    """The text of knowledge.json; it holds everything."""
    return json.dumps({"format": JSON_FORMAT, **knowledge.to_json()}, indent=2, ensure_ascii=False) + "\n"


def _check_has_only_edges(knowledge: Knowledge, kind: str) -> None:
    if not knowledge.has_only_edges:
        raise GraphError(
            f"{kind} holds only tiers, forbidden and required edges, and this knowledge has more (exogenous "
            "variables, hidden causes or forbidden effects); write knowledge.json instead"
        )


def table_text(knowledge: Knowledge) -> str:
    """Our table; it holds any name."""
    _check_has_only_edges(knowledge, "a table of knowledge")
    stream = io.StringIO()
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow(HEADER)
    for number, tier in enumerate(knowledge.tiers):
        rows.writerows(("tier", name, number) for name in tier)
        if number in knowledge.closed_tiers:
            rows.writerow(("closed", number, ""))
    rows.writerows(("forbidden", *pair) for pair in knowledge.forbidden)
    rows.writerows(("required", *pair) for pair in knowledge.required)
    return stream.getvalue()


def tetrad_text(knowledge: Knowledge) -> str:
    """Tetrad's knowledge file; names with blanks cannot be written."""
    _check_has_only_edges(knowledge, "a Tetrad knowledge file")
    for name in knowledge.names():
        if not name or re.search(r"\s", name):
            raise GraphError(f"a Tetrad knowledge file cannot hold the name {name!r}; write a .csv table instead")
    lines = ["/knowledge", "addtemporal"]
    for number, tier in enumerate(knowledge.tiers):
        star = "*" if number in knowledge.closed_tiers else ""
        lines.append(" ".join([f"{number}{star}", *tier]))
    for section, pairs in (("forbiddirect", knowledge.forbidden), ("requiredirect", knowledge.required)):
        lines += ["", section, *(f"{cause} {effect}" for cause, effect in pairs)]
    return "\n".join(lines) + "\n"
