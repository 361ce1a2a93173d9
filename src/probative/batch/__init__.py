"""Batches: many cases from a JSONL file to a JSONL file.

A line in is a JSON object with an `id` and the inputs of a verb. A line out has the same `id` and the result,
or an `error`. Lines are written as a whole, in the order of the input unless the run is `unordered`.

A run holds a lock on its output. Stopped or killed at any moment, it keeps every finished result; started
again, it does what is missing, what failed and what changed. A manifest next to the output says how the
results were made, and a run with other settings or other weights does not mix with them.
"""
