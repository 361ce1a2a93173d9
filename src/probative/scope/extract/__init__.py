"""The features of a question: by rules, by the model, or by the tuned reader."""
