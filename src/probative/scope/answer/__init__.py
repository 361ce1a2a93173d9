"""Answers from a chain: read, picked, written or computed."""
