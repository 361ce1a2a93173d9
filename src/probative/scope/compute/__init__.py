"""Questions that need several values: a plan, a reading for each look-up, and exact arithmetic."""
