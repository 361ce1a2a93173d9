"""The MCP server: the verbs as read-only tools, and the documents of the registered corpora as resources."""
