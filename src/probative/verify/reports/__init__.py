"""A verification as a page, and for pipelines."""
