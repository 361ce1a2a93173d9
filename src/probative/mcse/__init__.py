"""McsE, Markov-chain-style evidence: find the sentences that support a claim by what they make a model say.

The paper formulates evidence discovery as a Markov decision process (section 3.2). A state o = (c, E) is
the claim and the sentences chosen so far, and an action a is the next sentence. Its value is
f = g + γh (equation 2). One file holds one step:

    context          the claim c and the sentences S, checked and cleaned
    strength         score(c, S): the log-probability of the claim after sentences (equation 5)
    reward           g and the terms of h (equations 3 and 4)
    lm_policy        π: which sentence follows, by the language model (section 3.2)
    rollout          the N most probable trajectories of K steps under π (section 3.3)
    lookahead        argmax f, without computing every h
    search           the greedy search (Algorithm 1)
    fit_window       what the model's window holds
    options          every parameter, and the presets

Added here, not in the paper:

    prior            BM25, embeddings and the learned policy in the independent part of g and h
    next_sentence    the log-probabilities of the learned evidence policy, and the neighbours that it reads
    evidence_policy  method `learned`: evidence by that policy alone, without a language model
    result           what comes back
"""
