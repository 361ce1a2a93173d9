"""The studies of Chain of Evidence: samples, perturbations, and an experiment for each of tables 1 to 9.

The judge model builds samples and judges answers; the studied model only answers. Where the paper uses the
web, or leaves something open, these studies do the following:

- Irrelevant text and the knowledge of the usability study come from a local collection, by BM25: the pages of
  all questions of the set, for 2WikiMultihopQA also its published collection, for RGB its negative texts.
  Gold pages and sentences that name the answer are never irrelevant text.
- A repeat draws the order of the texts and the answer anew, with the temperature 0.7 unless the option
  `temperature` says otherwise.
- A sample is asked only if all its contexts pass their checks, and for a wrong answer only if every context
  names the right one. Reports count what is left out, and why.
- Mann-Whitney tests compare the samples' means over the repeats.
- Incomplete knowledge hides the gold pages that name the answer; complete knowledge adds the gold sentences.
- Hops are the gold sentences of a question, and one for RGB.
- Without a judge model, rules build the samples and exact match and F1 are the figures; reports say so.
"""
