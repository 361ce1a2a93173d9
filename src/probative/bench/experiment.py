"""The earlier names of `probative.bench.study`, until every importer has the new ones."""

from probative.bench.study import Case, Lab, Paper, Settings, Verb
from probative.bench.study import Study as Experiment

__all__ = ["Case", "Experiment", "Lab", "Paper", "Settings", "Verb"]
