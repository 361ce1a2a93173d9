"""Training of the verdict model: does the evidence support a claim, contradict it, or neither?"""
