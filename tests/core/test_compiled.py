"""Machine code must not outlive the kernels it was made from."""

from __future__ import annotations

import os
from pathlib import Path

from latconf_core.compiled import forget_stale_code


def a_package(root: Path) -> list[Path]:
    """Two kernels, one of them in a folder, with their machine code; gives the latter."""
    kept = []
    for name in ("counts/kernels.py", "score/kernels/steps.py"):
        source = root / name
        (source.parent / "__pycache__").mkdir(parents=True)
        source.write_text("pass\n")
        kept.append(source.parent / "__pycache__" / f"{source.stem}.step-1.py311.nbi")
        kept[-1].write_text("")
    return kept


def test_that_code_is_kept_while_no_kernel_changes(tmp_path: Path) -> None:
    kept = a_package(tmp_path)
    assert forget_stale_code(tmp_path)  # nobody knows what it was made from
    for path in kept:
        path.write_text("")
    assert not forget_stale_code(tmp_path)
    assert all(path.exists() for path in kept)


def test_that_a_change_of_one_kernel_forgets_the_code_of_all(tmp_path: Path) -> None:
    kept = a_package(tmp_path)
    forget_stale_code(tmp_path)
    for path in kept:
        path.write_text("")
    source = tmp_path / "counts" / "kernels.py"
    os.utime(source, (1, 1))
    assert forget_stale_code(tmp_path)
    assert not any(path.exists() for path in kept)


def test_that_a_package_without_kernels_is_no_trouble(tmp_path: Path) -> None:
    assert forget_stale_code(tmp_path)
    assert not forget_stale_code(tmp_path)
