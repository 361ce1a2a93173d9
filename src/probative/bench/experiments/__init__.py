"""Experiments: `python -m probative.bench.experiments.NAME`."""
