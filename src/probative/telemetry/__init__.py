"""OpenTelemetry spans of runs, steps and model calls."""
