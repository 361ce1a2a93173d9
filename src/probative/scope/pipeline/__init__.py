"""The steps in order, from a question to a result."""
