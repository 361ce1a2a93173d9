"""`Session`: models opened once, one cache, one budget, and the verbs on top of them."""

from __future__ import annotations

from probative.session.annotate_verbs import AnnotateVerbs
from probative.session.ask_verbs import AskVerbs
from probative.session.judge_verbs import JudgeVerbs
from probative.session.prove_verbs import ProveVerbs
from probative.session.reason_verbs import ReasonVerbs
from probative.session.verify_verbs import VerifyVerbs


class Session(AskVerbs, ProveVerbs, ReasonVerbs, JudgeVerbs, VerifyVerbs, AnnotateVerbs):
    """Opened models with their cache and budget, and the verbs `ask`, `check`, `prove`, `judge`,
    `verify`, `reason` and `annotate`.

    `model`, `judge_model` and `encoder` are names or opened objects; what is not given comes from `settings`,
    which default to those in force. Each model is opened when it is first needed, and shared with the other
    sessions of the process. A `judge_model` extracts and judges features where a language model does that;
    the model answers. `verdict` is ``embedded``, the verdict model of the package; ``model``, where the judge
    or the model gives the verdicts; or a `VerdictModel` of your own. `prompts` is a folder of prompts that
    take the place of ours. With `dry_run`, calls and tokens are counted and no model is called.

    A session may be shared between threads. Its budget covers everything it does; `usage` is what it has
    cost so far. Close it, or use it as a context manager.

    >>> with Session() as session:
    ...     proof = session.prove("Cats sleep.", ["Dogs bark.", "Cats sleep all day."], k=1, method="bm25")
    >>> proof.indexes
    (1,)
    """
