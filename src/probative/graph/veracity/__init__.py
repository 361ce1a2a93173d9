"""Veracity learned from a graph: how probable a triple is, judged by what the graph contains."""
