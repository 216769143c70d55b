"""What a library says about the fonts of this machine does not reach the terminal; everything else does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from latconf_gui.drawing.layout.fontconfig_warnings import kept_from_stderr

PROGRAM = """
from latconf_core.graph.mixed import MixedGraph
from latconf_gui.painter import SvgPainter

SvgPainter().graph_svg(MixedGraph.from_edges(("A", "B"), ()))
"""
CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>/usr/share/fonts</dir><element-of-tomorrow/></fontconfig>
"""


def test_that_other_lines_reach_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    with kept_from_stderr(b"Fontconfig "):
        os.write(2, b'Fontconfig warning: line 6: unknown element "reset-dirs"\nsomething else\n')
    os.write(2, b"afterwards\n")
    assert capfd.readouterr().err == "something else\nafterwards\n"


def test_that_a_picture_is_drawn_without_a_word_about_the_fonts(tmp_path: Path) -> None:
    (tmp_path / "fonts.conf").write_text(CONFIGURATION, encoding="utf-8")
    told = {**os.environ, "FONTCONFIG_FILE": str(tmp_path / "fonts.conf"), "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=told, timeout=120, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
