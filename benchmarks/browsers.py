"""The browser of this machine, for what is measured in one: any of these builds of Chromium will do."""

from __future__ import annotations

import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def executable() -> str | None:
    """Where one of them is; None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)
