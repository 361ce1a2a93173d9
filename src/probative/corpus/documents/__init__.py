"""Documents and what is found in them: passages, citations, dates; and the files that hold them."""
