"""The whole way through a real window on an X server, by mouse and keyboard alone: data, learn, edit, undo, export."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.real_window import act_under_x


@pytest.mark.slow
def test_that_data_learn_edit_undo_export_works_by_mouse_and_keyboard_under_x(tmp_path: Path) -> None:
    act_under_x("person_at_window", tmp_path)
