"""One HTML page without scripts: pieces of it, escaped, and how it looks on a screen and on paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
:root { color-scheme: light dark; --text: #1b1f24; --quiet: #57606a; --line: #d0d7de; --page: #ffffff; --soft: #f4f6f8;
  --mark: #b3541e; --good: #1a6b3c; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e9ec; --quiet: #a3adb8; --line: #3b444d; --page: #15191d;
  --soft: #1e242a; --mark: #f0a06a; --good: #7fd1a0; } }
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
figure { margin: .8rem 0; background: #ffffff; border: 1px solid var(--line); border-radius: 6px; padding: .5rem;
  overflow-x: auto; }
figure svg { max-width: 100%; height: auto; display: block; margin: 0 auto; }
figcaption { color: #57606a; font-size: .9rem; margin-top: .3rem; }
pre { background: var(--soft); padding: .8rem 1rem; overflow-x: auto; border-radius: 6px; white-space: pre-wrap; }
details { margin: .4rem 0; } summary { cursor: pointer; }
.bar { display: inline-block; height: .7em; background: var(--mark); opacity: .75; margin-right: .5em;
  vertical-align: baseline; }
@media print { :root { --text: #000; --quiet: #444; --line: #bbb; --page: #fff; --soft: #f4f4f4; --mark: #b3541e; }
  body { max-width: none; padding: 0; font-size: 10.5pt; } h2, h3 { break-after: avoid; }
  figure, tr, .verdict, pre { break-inside: avoid; } figure svg { max-height: 22cm; }
  details::details-content { content-visibility: visible; display: block; } summary { font-weight: 600; } }
@page { margin: 1.8cm; }
"""


def page(title: str, sections: Iterable[str]) -> str:
    """The whole page."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(sections)
        + "\n</body>\n</html>\n"
    )


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


def listing(items: Iterable[str]) -> str:
    """A list of sentences; nothing where there is none."""
    lines = "".join(f"<li>{escape(item)}</li>" for item in items)
    return f"<ul>{lines}</ul>" if lines else ""


def table(titles: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Sequence[int] = ()) -> str:
    """A table of plain texts; the columns in `numbers` stand to the right."""

    def cells(tag: str, texts: Sequence[str]) -> str:
        return "".join(
            f'<{tag} class="number">{escape(text)}</{tag}>' if place in numbers else f"<{tag}>{escape(text)}</{tag}>"
            for place, text in enumerate(texts)
        )

    body = "\n".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    if not body:
        return ""
    head = f"<thead><tr>{cells('th', titles)}</tr></thead>" if any(titles) else ""
    return f'<div class="wide"><table>{head}\n<tbody>\n{body}\n</tbody></table></div>'


def folded(title: str, inside: str, *, is_open: bool = False) -> str:
    """What is shown when it is asked for, and always on paper."""
    opened = " open" if is_open else ""
    return f"<details{opened}><summary>{escape(title)}</summary>\n{inside}\n</details>" if inside else ""


def code(text: str) -> str:
    """Text to be copied."""
    return f"<pre><code>{escape(text)}</code></pre>"


def figure(svg: str | None, caption: str, *, number: int) -> str:
    """A picture; its ids are made its own, since a page has several pictures."""
    if not svg:
        return ""
    drawn = re.sub(r'(?<=\bid=")([^"]+)', rf"f{number}-\1", svg[svg.index("<svg") :])
    drawn = re.sub(r'((?:xlink:)?href=")#', rf"\1#f{number}-", drawn)
    drawn = re.sub(r"url\(#", f"url(#f{number}-", drawn)
    return f"<figure>{drawn}<figcaption>{escape(caption)}</figcaption></figure>"
