"""A verdict model by rule: a claim is a question with an answer, supported where the answer stands."""

from __future__ import annotations

from probative.models.verdict import VerdictItem, VerdictScores
from probative.testing import ScriptedVerdict
from probative.text.words import words


def answer_of(claim: str) -> str:
    """Return the answer in a claim that puts it behind its question."""
    return claim.rpartition("?")[2].strip(" .")


def by_words(item: VerdictItem) -> VerdictScores:
    """Support an answer whose words stand in the evidence, and every yes and no; deny an answer that stands
    nowhere if the first sentence has words of its question, and a sentence without a question where another
    one has some of its words, but not all.
    """
    if "?" not in item.claim:
        told = set(words(" ".join(item.evidence)))
        own = set(words(item.claim))
        denied = 0.95 if own & told and not own <= told else 0.0
        return VerdictScores(0.0, denied, 1.0 - denied, (1.0 / len(item.evidence),) * len(item.evidence))
    answer = answer_of(item.claim)
    wanted = set(words(answer))
    texts = [set(words(text)) for text in item.evidence]
    holding = [answer.lower() in ("yes", "no") or bool(wanted & text) for text in texts]
    supported = 0.9 if any(holding) and wanted <= set().union(*texts) else 0.1
    if answer.lower() in ("yes", "no"):
        supported = 0.9
    about = set(words(item.claim.rpartition("?")[0])) & texts[0]
    denied = 0.9 if len(about) > 1 and not any(holding) else 0.05
    supported = min(supported, 1.0 - denied)
    shares = holding if any(holding) else [True] * len(texts)
    deciding = tuple(float(share) / sum(shares) for share in shares)
    return VerdictScores(supported, denied, max(0.0, 1.0 - denied - supported), deciding)


def agreeing() -> ScriptedVerdict:
    """Return the verdict model by rule."""
    return ScriptedVerdict(by_words, name="fake:verdict")


def always(supported: float, contradicted: float = 0.0) -> ScriptedVerdict:
    """Return a verdict model that says the same about everything."""

    def judge(item: VerdictItem) -> VerdictScores:
        share = 1.0 / len(item.evidence)
        rest = 1.0 - supported - contradicted
        return VerdictScores(supported, contradicted, rest, (share,) * len(item.evidence))

    return ScriptedVerdict(judge, name="fake:verdict")
