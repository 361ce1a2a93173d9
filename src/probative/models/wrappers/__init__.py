"""Wrappers around any model: cache, budget, trace, dry run."""
