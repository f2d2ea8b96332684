"""Why a text might be meant to direct the agent that recalls it."""

from remanence.guard.screening.judgement import screen

__all__ = ["screen"]
