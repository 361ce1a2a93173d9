"""Readers of files of triples, one file a format."""
