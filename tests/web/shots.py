"""Pictures of the page for the documentation, taken by the tests when REMANENCE_SHOTS names a folder.

    REMANENCE_SHOTS=docs/images python -m pytest tests/web

They have 256 colours, which keeps a screen of text and charts below 120 KB and is hard to tell from the original.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page

MOST_BYTES = 120_000
_FEWER_COLOURS = (256, 128, 64)


def shot(page: Page, name: str) -> Path | None:
    """A picture of what the page shows now, NAME.png; None, and nothing is done, where nobody wants any."""
    folder = os.environ.get("REMANENCE_SHOTS")
    if not folder:
        return None
    made = small(page.screenshot(animations="disabled", caret="hide", scale="css"))
    path = Path(folder) / f"{name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(made)
    return path


def small(png: bytes) -> bytes:
    """The same picture in as many colours as keep it small."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    for colours in _FEWER_COLOURS:
        written = io.BytesIO()
        picture.quantize(colours, dither=Image.Dither.NONE).save(written, "PNG", optimize=True)
        if written.tell() <= MOST_BYTES:
            break
    return written.getvalue()
