"""Baselines that answer from passages."""
