"""Baselines that answer over a graph."""
