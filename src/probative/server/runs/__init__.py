"""Runs: one call of a verb each, queued, followed, cancelled, and kept over a restart."""
