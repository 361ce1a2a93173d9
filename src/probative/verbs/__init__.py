"""The verbs: one file each, and their records in a table.

This module imports nothing, so that the names of the verbs are there before anything is loaded.
"""

BUILT_IN = {
    "ask": "Answer a question from passages or documents, or say what is missing",
    "check": "Check whether passages together carry everything that a question asks for",
    "prove": "Find the sentences of a text that together prove a claim",
    "judge": "Judge whether evidence supports a claim, contradicts it, or says too little",
    "verify": "Check every claim of texts against sources",
    "reason": "Answer a question over a graph that may not contain the answer",
    "annotate": "Ask the model which sentences of a text a claim needs",
}
"""What each verb of the package does, in one line, by its name."""
