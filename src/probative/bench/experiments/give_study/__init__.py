"""The study of the GIVE paper: its tables 3 to 8 and figures 3 to 5, 7 and 8, each as one experiment.

- `biomedical`: table 3, all methods on PubMedQA, BioASQ and ProcessBank with UMLS
- `commonsense`: table 4, CommonsenseQA on 10, 50 and 100% of ConceptNet
- `truthful`: figure 3, the win rate of each method on TruthfulQA
- `connections`: table 5, inner-group and inter-group connections
- `entities`: figure 4, entities per group, and accuracy by the share of expert knowledge
- `shapes`: table 6, knowledge as triples or as text
- `worked_examples`: figure 5, the number of worked examples
- `encoders`: table 7, the encoder that finds near entities
- `efficiency`: table 8 and figure 6, the cost of each method
- `overlap`: figures 7 and 8, which questions GIVE, ToG and RAG answer

A published figure that the text of the paper available to us does not show is left out, never guessed.
"""
