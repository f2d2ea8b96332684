"""The MCP door: tools, resources and prompts of a mind, over standard streams and over HTTP."""
