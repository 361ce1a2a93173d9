"""scope: a chain of evidence that carries a question, and the answer from it."""
