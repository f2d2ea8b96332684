"""Tools an agent's model calls: `memory`, described for OpenAI, Anthropic and MCP, and a memory of files."""

from remanence.tools.description import FORMS, description
from remanence.tools.files import FileMemory
from remanence.tools.memory import memory_tool, run

__all__ = ["FORMS", "FileMemory", "description", "memory_tool", "run"]
