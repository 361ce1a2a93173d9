"""Covers: which passages make the chain."""
