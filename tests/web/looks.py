"""How a page is looked at: in daylight, in the dark, on a phone."""

from __future__ import annotations

from typing import Any

LOOKS = ("light", "dark", "phone")
_WIDE = {"width": 1280, "height": 800}
_OPTIONS: dict[str, dict[str, Any]] = {
    "light": {"viewport": _WIDE, "color_scheme": "light"},
    "dark": {"viewport": _WIDE, "color_scheme": "dark"},
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "color_scheme": "light",
        "has_touch": True,
        "is_mobile": True,
    },
}


def options(look: str) -> dict[str, Any]:
    """What a browser context is opened with for this look."""
    # What moves is drawn sixty times a second, by the same cores that the tests run on.
    return {**_OPTIONS[look], "locale": "en-GB", "timezone_id": "UTC", "reduced_motion": "reduce"}
