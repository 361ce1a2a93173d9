"""Data sets, splits, metrics and experiments."""
