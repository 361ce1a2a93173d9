"""Many cases from a file to a file: resumable, locked, never half-written."""
