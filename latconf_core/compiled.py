"""Numba for the kernels, after machine code from before a kernel was changed is forgotten.

Numba keeps a function's machine code until its own file changes, though code of other files may be built into it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numba

__all__ = ["numba"]


def forget_stale_code(root: Path) -> bool:
    """Remove the machine code kept below a package if one of its kernels has changed since; True if it has."""
    sources = sorted([*root.rglob("kernels.py"), *root.rglob("kernels/*.py")])
    state = "\n".join(f"{path.relative_to(root)} {path.stat().st_mtime_ns} {path.stat().st_size}" for path in sources)
    stamp = root / "__pycache__" / "kernels.stamp"
    try:
        if stamp.exists() and stamp.read_text(encoding="utf-8") == state:
            return False
        for index in root.rglob("*.nbi"):
            index.unlink(missing_ok=True)
        stamp.parent.mkdir(exist_ok=True)
        stamp.write_text(state, encoding="utf-8")
    except OSError:
        return False  # a package that may not be written to does not change either
    return True


def load_without_blas() -> None:
    """Load what numba loads with the first kernel, but not scipy's linear algebra, a sixth of a second.

    Numba imports that only to know whether matrix products can be compiled, which no kernel has.
    """
    name = "scipy.linalg.cython_blas"
    modules: dict[str, ModuleType | None] = sys.modules  # type: ignore[assignment]
    is_loaded = name in modules
    modules.setdefault(name, None)  # as the import system marks what cannot be imported
    try:
        import_module("numba.np.arraymath")
    finally:
        if not is_loaded:
            del modules[name]


forget_stale_code(Path(__file__).parent)
load_without_blas()
