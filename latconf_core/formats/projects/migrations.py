"""Versions of the project file, and how the header of an older one becomes that of the next."""

from __future__ import annotations

from collections.abc import Mapping

from latconf_core.json_form import Content, Migration, migrate

FORMAT_VERSION = 2


def _keep_header(content: Content) -> Content:
    """Format 2 writes runs as their folders do, see version_1; the header stays as it is."""
    return content


# version → what turns a header of that version into one of the next; a new format adds its entry here
MIGRATIONS: Mapping[int, Migration] = {1: _keep_header}


def migrate_header(content: Content) -> Content:
    """The header of a project as the current version would have written it."""
    return migrate(content, MIGRATIONS, current=FORMAT_VERSION, what="this project")
