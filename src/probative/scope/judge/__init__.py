"""Judges: which features a passage carries."""
