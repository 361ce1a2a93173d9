"""The server: a page, a REST interface, OpenAI-compatible endpoints and an MCP server over one session."""
