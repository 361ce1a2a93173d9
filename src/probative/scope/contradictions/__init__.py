"""Contradictions: two statements about the same thing that cannot both hold."""
