"""McsE: the sentences that together prove a claim, searched by how much they make a model say it.

Evidence discovery is a Markov decision process. A state is the claim and the sentences chosen so
far, an action is the next sentence, and its value is f = g + γh: what the path so far is worth
(`reward`) and the best that may follow it (`lookahead`), over trajectories that the model itself
finds probable (`policy`, `rollout`). `search` expands the path greedily; `strength` is the score
below it all; `prior` adds what a small model misses. `learned` needs no language model: it takes
what the learned policy finds probable (`outlook`), which can also lead the search.
"""
