"""The verbs: one file each, with its case, its arguments, its methods and its result."""
