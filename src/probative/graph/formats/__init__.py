"""Readers of triples, one file a format."""
