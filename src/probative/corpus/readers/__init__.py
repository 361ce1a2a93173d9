"""Readers of documents, one file a format."""
