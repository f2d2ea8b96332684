"""Reasons: what a suspicion is, in words for the person who reviews."""

from __future__ import annotations

OVERRIDE = "tells the reader to ignore earlier instructions"
ROLE = "tells the reader to become someone without rules"
AUTHORITY = "claims an authority or an approval that nobody can check"
TOKENS = "imitates the markers of a conversation"
STANDING = "gives the reader a standing order"
TOOL = "wants a harmful command run or a tool misused"
GUARD = "wants a protection switched off"
EXFILTRATION = "wants private data sent away"
CONCEALMENT = "wants something kept from the user"
MEMORY = "wants to change what is remembered, or how far it is trusted"
LEAK = "asks for the reader's own instructions"
PAYMENT = "wants payments to go elsewhere"
ADDRESSED = "addresses an AI that reads it"
SABOTAGE = "wants the work done badly"
