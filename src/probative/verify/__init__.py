"""A text into claims, each with evidence and a verdict."""
