"""Runners: where the tasks of a long job run. In this process, in several processes, or on a Ray cluster."""
