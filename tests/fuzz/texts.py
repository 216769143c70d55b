"""Changes of text by what it is made of: numbers, words, tokens, lines, cells, tags, brackets."""

from __future__ import annotations

import random
import re

from fuzz.odd import MAX_BYTES, NUMBERS, ODD

_TOKEN = re.compile(rb"\w+|[^\w\s]+|\s+")
_TAG = re.compile(rb"<[^<>]*>")
_ATTRIBUTE = re.compile(rb'([\w:.]+)="([^"]*)"')
_BRACKETS = ((b"[", b"]"), (b"{", b"}"), (b"(", b")"), (b'{"a":', b"}"), (b"<a>", b"</a>"), (b'"', b'"'))


def replace_span(content: bytes, found: re.Match[bytes], text: bytes, group: int = 0) -> bytes:
    """The content with other text in the place of a match."""
    return content[: found.start(group)] + text + content[found.end(group) :]


def _replace_all(content: bytes, old: bytes, new: bytes) -> bytes:
    """The content with other text wherever one stands, as long as the whole stays small enough to be made."""
    return content.replace(old, new, MAX_BYTES // max(len(new) - len(old), 1) + 1)


def _repeat_one(part: bytes, times: int) -> list[bytes]:
    """A part as many times, or as often as a large file has room for it."""
    return [part] * min(times, MAX_BYTES // max(len(part), 1) + 2)


def _change_number(content: bytes, rng: random.Random) -> bytes:
    numbers = list(re.finditer(rb"-?\d+(?:\.\d+)?", content))
    if not numbers:
        return content + rng.choice(NUMBERS)
    return replace_span(content, rng.choice(numbers), rng.choice(NUMBERS))


def _change_all_numbers(content: bytes, rng: random.Random) -> bytes:
    """One number in the place of every occurrence of another."""
    numbers = re.findall(rb"\d+", content)
    return _replace_all(content, rng.choice(numbers), rng.choice(NUMBERS)) if numbers else content


def _change_word(content: bytes, rng: random.Random) -> bytes:
    words = list(re.finditer(rb"[A-Za-z_]\w*", content))
    if not words:
        return content + rng.choice(ODD)
    chosen, other = rng.choice(words), rng.choice(words)
    texts = (other.group(), b"", chosen.group() * 2, chosen.group().upper(), b"x" * 5000, rng.choice(ODD))
    return replace_span(content, chosen, rng.choice(texts))


def _rename_word(content: bytes, rng: random.Random) -> bytes:
    """Another word wherever one stands, so that the file keeps its sense."""
    words = re.findall(rb"[A-Za-z_]\w*", content)
    return _replace_all(content, rng.choice(words), rng.choice((*ODD, *words))) if words else content


def _change_tokens(content: bytes, rng: random.Random) -> bytes:
    """Tokens swapped, left out, doubled or moved."""
    tokens = _TOKEN.findall(content)
    if len(tokens) < 2:
        return content * 2
    for _ in range(rng.choice((1, 1, 2, 5))):
        a, b = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        kind = rng.randrange(4)
        if kind == 0:
            tokens[a], tokens[b] = tokens[b], tokens[a]
        elif kind == 1:
            tokens[a] = b""
        elif kind == 2:
            tokens[a] += tokens[a]
        else:
            tokens[a] = tokens[b]
    return b"".join(tokens)


def _shuffle_lines(content: bytes, rng: random.Random) -> bytes:
    lines = content.split(b"\n")
    rng.shuffle(lines)
    return b"\n".join(lines)


def _change_line(content: bytes, rng: random.Random) -> bytes:
    lines = content.split(b"\n")
    at, other = rng.randrange(len(lines)), rng.choice(lines)
    line = lines[at]
    many = _repeat_one(line, 500)
    lines[at : at + 1] = rng.choice(
        ([], [line] * 2, [b""], [line * 2], [b" " + line], [line, other], [other], many, [line[: len(line) // 2]])
    )
    return b"\n".join(lines)


def _change_cell(content: bytes, rng: random.Random) -> bytes:
    """A cell of a table emptied, doubled, quoted, or made odd."""
    lines = content.split(b"\n")
    at = rng.randrange(len(lines))
    delimiter = rng.choice((b",", b",", b";", b"\t", b" "))
    cells = lines[at].split(delimiter)
    i = rng.randrange(len(cells))
    cell = cells[i]
    quoted, many = b'"' + cell + b'"', _repeat_one(cell, 200)
    cells[i : i + 1] = rng.choice(
        ([], [cell, cell], [b""], [quoted], [b'"' + cell], [cell + b'"'], [quoted + cell], [rng.choice(ODD)], many)
    )
    lines[at] = delimiter.join(cells)
    return b"\n".join(lines)


def _change_column(content: bytes, rng: random.Random) -> bytes:
    """A column of a table left out, doubled or emptied, in every line."""
    i, kind = rng.randrange(4), rng.randrange(4)
    odd, lines = rng.choice(ODD), []
    n_changed = MAX_BYTES // len(odd) + 1  # of the lines
    for number, line in enumerate(content.split(b"\n")):
        cells = line.split(b",")
        if i < len(cells) and number < n_changed:
            cell = cells[i]
            cells[i : i + 1] = ([], [cell, cell], [b""], [odd])[kind]
        lines.append(b",".join(cells))
    return b"\n".join(lines)


def _change_tag(content: bytes, rng: random.Random) -> bytes:
    """A tag of XML left out, doubled, moved, or an attribute of it changed."""
    tags = list(_TAG.finditer(content))
    if not tags:
        return _change_tokens(content, rng)
    chosen, other = rng.choice(tags), rng.choice(tags)
    attributes = list(_ATTRIBUTE.finditer(chosen.group()))
    if attributes and rng.random() < 0.6:
        choice = rng.choice(attributes)
        value = rng.choice((rng.choice(ODD), rng.choice(NUMBERS), b"", other.group(), b"&lt;b&gt;"))
        return replace_span(content, chosen, replace_span(chosen.group(), choice, value, rng.choice((1, 2, 2, 2))))
    text = rng.choice((b"", chosen.group() * 2, other.group(), b"<a>", chosen.group() + other.group()))
    return replace_span(content, chosen, text)


def _nest(content: bytes, rng: random.Random) -> bytes:
    at, depth = rng.randint(0, len(content)), rng.choice((20, 200, 1000, 20_000, 100_000))
    left, right = rng.choice(_BRACKETS)
    return content[:at] + left * depth + right * rng.choice((0, depth)) + content[at:]


TEXT_MUTATIONS = (
    _change_number, _change_number, _change_all_numbers, _change_word, _change_word, _rename_word, _change_tokens,
    _change_tokens, _shuffle_lines, _change_line, _change_line, _change_cell, _change_cell, _change_column, _change_tag,
    _change_tag, _nest,
)  # fmt: skip
