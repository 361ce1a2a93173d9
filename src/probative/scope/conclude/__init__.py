"""What the evidence says about the answer: contradictions, certainty, checks and the verdict."""
