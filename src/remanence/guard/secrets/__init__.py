"""Secrets: where they are in a text, and the text without them."""

from remanence.guard.secrets.finding import Found, find
from remanence.guard.secrets.personal import PERSONAL
from remanence.guard.secrets.redacting import Redaction, redact, redact_value

__all__ = ["PERSONAL", "Found", "Redaction", "find", "redact", "redact_value"]
