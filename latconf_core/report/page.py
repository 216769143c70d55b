"""One HTML page without scripts: pieces of it, escaped, and how it looks on a screen and on paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

MOST_TOGETHER = 14  # rows of a table that paper keeps on one page
LONGEST_UNBROKEN = 40  # signs of a text that is not broken into lines
BROAD = 900.0  # points; wider drawings are hard to read on a portrait page
MOST_BROAD = 4.0  # times as wide as high; of what is longer a page across shows little more
LONG_WORD = 24  # signs; a longer one may be broken so that its table fits on paper
READABLE = 0.75  # of its own size is the least that a broad drawing has on a screen
_SHORT = "wide short"

STYLE = """
:root { color-scheme: light dark; --text: #1b1f24; --quiet: #57606a; --line: #d0d7de; --page: #ffffff; --soft: #f4f6f8;
  --mark: #b3541e; --good: #1a6b3c; }
@media screen and (prefers-color-scheme: dark) {
  :root { --text: #e6e9ec; --quiet: #a3adb8; --line: #3b444d; --page: #15191d;
  --soft: #1e242a; --mark: #f0a06a; --good: #7fd1a0; }
  figure { background: #1a1a1a; } figure svg { filter: invert(.9) hue-rotate(180deg); } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, "Segoe UI", sans-serif; color: var(--text); background: var(--page); margin: 0 auto;
  max-width: 62rem; padding: 2rem 1.5rem 4rem; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.25rem; margin: 2.4rem 0 .6rem; padding-top: .6rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.4rem 0 .4rem; }
p { margin: .5rem 0; max-width: 48rem; }
.quiet { color: var(--quiet); }
.verdict { background: var(--soft); border-left: 4px solid var(--mark); padding: .8rem 1rem; font-size: 1.1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: .6rem 0; font-size: .95rem; }
th, td { text-align: left; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--quiet); font-weight: 600; }
td.number, th.number { text-align: right; }
td.unbroken { white-space: nowrap; }
.interval { white-space: nowrap; }
.stacked .interval { display: block; color: var(--quiet); font-size: .85em; }
ul.plain { list-style: none; padding-left: 0; } ul.plain li { padding-left: 2rem; text-indent: -2rem; }
figure { margin: .8rem 0; border: 1px solid var(--line); border-radius: 6px; padding: .5rem; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; display: block; margin: 0 auto; }
figcaption { color: var(--quiet); font-size: .9rem; margin-top: .3rem; }
pre { background: var(--soft); padding: .8rem 1rem; overflow-x: auto; border-radius: 6px; white-space: pre-wrap;
  overflow-wrap: anywhere; } pre span { display: inline-block; }
details { margin: .4rem 0; } summary { cursor: pointer; }
.bar { display: inline-block; height: .7em; background: var(--mark); opacity: .75; margin-right: .5em;
  vertical-align: baseline; }
@media print { :root { --text: #000; --quiet: #444; --line: #bbb; --page: #fff; --soft: #f4f4f4; --mark: #b3541e; }
  body { max-width: none; padding: 0; font-size: 10.5pt; orphans: 3; widows: 3; }
  h2, h3, summary { break-after: avoid; } h2 { margin-top: 1.6rem; }
  figure, tr, .verdict, pre, .short { break-inside: avoid; } figure svg { max-height: 21cm; min-width: 0 !important; }
  .long th, .long td { overflow-wrap: anywhere; }
  thead { display: table-header-group; }
  .wide { overflow: visible; }
  details { margin: .8rem 0; } details::details-content { content-visibility: visible; display: block; }
  summary { font-weight: 600; list-style: none; } summary::-webkit-details-marker { display: none; }
  figure.broad, section > :has(~ figure.broad) { page: broad; }
  figure.broad { border: none; } figure.broad svg { max-height: 15.5cm; } }
@page { size: A4; margin: 1.8cm; }
@page broad { size: A4 landscape; }
"""


def title_line(text: str) -> str:
    """The title of the page."""
    return f"<h1>{escape(text)}</h1>"


def section(title: str, *parts: str) -> str:
    """A heading and what stands below it; nothing where nothing does."""
    inside = "\n".join(part for part in parts if part)
    return f"<section>\n<h2>{escape(title)}</h2>\n{inside}\n</section>" if inside else ""


def heading(text: str) -> str:
    """A heading within a section."""
    return f"<h3>{escape(text)}</h3>"


def paragraph(text: str, kind: str = "") -> str:
    """A paragraph of plain text."""
    return f'<p class="{kind}">{escape(text)}</p>' if kind else f"<p>{escape(text)}</p>"


def listing(items: Iterable[str], *, is_plain: bool = False) -> str:
    """A list of sentences; nothing where there is none. A plain one has no dots before its lines."""
    lines = "".join(f"<li>{escape(item)}</li>" for item in items)
    kind = ' class="plain"' if is_plain else ""
    return f"<ul{kind}>{lines}</ul>" if lines else ""


class Markup(str):
    """HTML that a table takes as it is; what it tells was escaped before."""

    __slots__ = ()


def with_interval(value: str, interval: str) -> Markup:
    """A number with its interval, which stands below it where a table is stacked."""
    return Markup(f'{escape(value)} <span class="interval">({escape(interval)})</span>')


def table(
    titles: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    numbers: Sequence[int] = (),
    unbroken: Sequence[int] = (),
    is_stacked: bool = False,
) -> str:
    """A table of plain texts; the columns in `numbers` stand to the right, those in `unbroken` keep to one line.

    is_stacked : intervals stand below their numbers, so that more columns fit on paper
    """
    shown = [[cell if isinstance(cell, Markup) else escape(cell) for cell in row] for row in rows]
    if not shown:
        return ""
    kept = {column for column in unbroken if max(len(row[column]) for row in shown) <= LONGEST_UNBROKEN}

    def cells(tag: str, texts: Sequence[str]) -> str:
        kinds = ["number" if index in numbers else "unbroken" * (index in kept) for index in range(len(texts))]
        return "".join(
            f'<{tag} class="{kind}">{text}</{tag}>' if kind else f"<{tag}>{text}</{tag}>"
            for kind, text in zip(kinds, texts)
        )

    body = "\n".join(f"<tr>{cells('td', row)}</tr>" for row in shown)
    head = f"<thead><tr>{cells('th', [escape(title) for title in titles])}</tr></thead>" if any(titles) else ""
    words = (len(word) for row in (titles, *shown) for cell in row for word in re.sub("<[^>]*>", "", cell).split())
    kinds = _SHORT if len(shown) <= MOST_TOGETHER else "wide"
    kinds += " stacked" * is_stacked + " long" * (max(words, default=0) > LONG_WORD)
    return f'<div class="{kinds}"><table>{head}\n<tbody>\n{body}\n</tbody></table></div>'


def folded(title: str, inside: str, *, is_open: bool = False) -> str:
    """What is shown when it is asked for, and always on paper, where a short table stays with its title."""
    if not inside:
        return ""
    kind = ' class="short"' if f'<div class="{_SHORT}' in inside else ""
    return f"<details{kind}{' open' * is_open}><summary>{escape(title)}</summary>\n{inside}\n</details>"


def code(text: str) -> str:
    """Text to be copied; its lines break between words only, never after a hyphen."""
    words = " ".join(f"<span>{escape(word)}</span>" for word in text.split(" "))
    return f"<pre><code>{words}</code></pre>"


def figure(svg: str | None, caption: str, *, number: int) -> str:
    """A picture; its ids are made its own, since a page has several pictures.

    A broad one gets a page across on paper, and on a screen is moved sideways rather than made too small to read.
    """
    if not svg:
        return ""
    drawn = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    drawn = re.sub(r'(?<=\bid=")([^"]+)', rf"f{number}-\1", drawn)
    drawn = re.sub(r'((?:xlink:)?href=")#', rf"\1#f{number}-", drawn)
    drawn = re.sub(r"url\(#", f"url(#f{number}-", drawn)
    size = re.match(r'<svg[^>]*?\bviewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"', drawn)
    width, height = (float(size[1]), float(size[2])) if size else (0.0, 1.0)
    is_broad = width > BROAD and height < width < MOST_BROAD * height
    look = f' style="min-width: {READABLE * width:.0f}pt"' if is_broad else ""
    drawn = drawn.replace("<svg", f'<svg role="img" aria-label="{escape(caption)}"{look}', 1)
    kind = ' class="broad"' if is_broad else ""
    return f"<figure{kind}>{drawn}<figcaption>{escape(caption)}</figcaption></figure>"
