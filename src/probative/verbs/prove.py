"""The verb `prove`: the sentences that together prove a claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from probative.engine.methods import ChosenMethod, MethodChoice, Methods, Tools
from probative.engine.runner import Finished
from probative.engine.search import Search
from probative.errors import InputError
from probative.mcse.evidence_policy import LearnedOptions
from probative.mcse.options import McseOptions
from probative.mcse.result import McseResult, Proof, ProofSentence
from probative.mcse.search import K
from probative.types import Sentence, Value
from probative.verbs import BUILT_IN
from probative.verbs.command import CLAIM, SHARED, Command, Input, sentences_input
from probative.verbs.requests import Claimed, Count, Name, Options
from probative.verbs.sentences import Text as Text
from probative.verbs.sentences import number_sentences, split_notes
from probative.verbs.spec import BoundVerb, Host, Tool, VerbRun, VerbSpec, choose
from probative.verbs.tools import DATA, ToolText
from probative.verdict.judge import judge_claim
from probative.verdict.judgement import Judgement

EVIDENCE_METHODS = {
    "mcse": "probative.mcse.search:MCSE",
    "learned": "probative.mcse.evidence_policy:LEARNED",
    "rouge": "probative.baselines.evidence.by_score:by_rouge",
    "bm25": "probative.baselines.evidence.by_score:by_bm25",
    "embedding": "probative.baselines.evidence.by_score:by_embedding",
    "llm-pick": "probative.baselines.evidence.by_model:by_llm_pick",
    "llm-rerank": "probative.baselines.evidence.by_model:by_llm_rerank",
    "rankgpt": "probative.baselines.evidence.by_model:by_rankgpt",
}
METHODS = Methods("prove", EVIDENCE_METHODS)
Evidence = tuple[McseResult, Judgement | None]


class ProveCase(Value):
    """One claim with its text, for `prove_all`: one text that is split, or its sentences."""

    claim: str
    sentences: str | tuple[str, ...]
    k: Annotated[int, Field(strict=True)] | Literal["auto"] | None = None


class ProveRequest(Claimed):
    """A claim, a text, and how many of its sentences are looked for."""

    k: Count = 3
    method: Name = "mcse"
    preset: Name | None = None
    options: Options = Field(default_factory=dict)


class ProveArguments(Value):
    """The arguments of the tool."""

    claim: ToolText = Field(description="The claim, as one statement that can be read alone.")
    text: ToolText = Field(description="The text whose sentences are looked through.")
    k: Count = 3
    options: Options = Field(default_factory=dict)


@dataclass(frozen=True)
class SplitCase:
    """A claim and its text, split into numbered sentences."""

    claim: str
    sentences: tuple[Sentence, ...]
    k: K


def bind(
    host: Host,
    *,
    k: K = 3,
    method: str = "mcse",
    preset: str | None = None,
    options: McseOptions | LearnedOptions | None = None,
    verdict: bool = True,
    **changes: Any,
) -> BoundVerb:
    """Find the k sentences that together prove a claim, in order, with what each adds.

    `sentences` is a list, or one text that is split. `k` may be ``"auto"``: stop when the next sentence adds
    too little; the `k` of a case beats the common one. `preset` is ``fast`` (the default, without
    look-ahead), ``full`` or ``paper``; `changes` are fields of `McseOptions` that differ from it. `method`
    may name a baseline, or ``learned``: the evidence policy alone; `changes` are then fields of
    `LearnedOptions`. Unless `verdict` is false, the verdict model then judges the claim by the chosen
    sentences.

    >>> import probative
    >>> proof = probative.prove(
    ...     "Mira's bakery opened before the war.",
    ...     "Mira bakes rye bread. The river is wide. Her bakery opened in 1911. The war began in 1914.",
    ...     k=2,
    ... )
    >>> sorted(proof.indexes)
    [2, 3]
    """
    chosen = choose(host, METHODS, MethodChoice(method, preset, options, changes))

    def read(raw: ProveCase | Mapping[str, Any]) -> SplitCase:
        case: ProveCase = PROVE.as_case(raw)
        return SplitCase(case.claim, number_sentences(case.sentences), k if case.k is None else case.k)

    def search(case: SplitCase, tools: Tools) -> Search[Evidence]:
        texts = [sentence.text for sentence in case.sentences]
        outcome: McseResult = yield from chosen.run(case.claim, texts, case.k, tools)
        return outcome, (yield from _judge_evidence(case, outcome, tools)) if verdict else None

    def result(case: SplitCase, finished: Finished[Evidence], tools: Tools) -> Proof:
        return _proof(case, finished, chosen, tools)

    def deciding() -> dict[str, Any]:
        return {"k": k, "method": method, "verdict": verdict, **chosen.options.to_dict()}

    return BoundVerb.of(VerbRun("prove", read, search, result), deciding)


def _judge_evidence(case: SplitCase, outcome: McseResult, tools: Tools) -> Search[Judgement]:
    """Return the verdict on the claim by the chosen evidence, read in the order of the text.

    The deciding indexes are those of the caller's sentences.
    """
    indexes = sorted(sentence.index for sentence in outcome.evidence)
    texts = [case.sentences[index].text for index in indexes]
    judgement = yield from judge_claim(case.claim, texts, tools)
    return judgement.model_copy(update={"deciding": tuple(indexes[index] for index in judgement.deciding)})


def _proof(case: SplitCase, finished: Finished[Evidence], chosen: ChosenMethod, tools: Tools) -> Proof:
    assert finished.result is not None
    outcome, judged = finished.result
    without = outcome.without_evidence

    def placed(sentence: ProofSentence) -> ProofSentence:
        """Return a chosen sentence with its text as the caller gave it, and its offsets."""
        given = case.sentences[sentence.index]
        others = (
            other.model_copy(update={"text": case.sentences[other.index].text})
            for other in sentence.runners_up
        )
        return sentence.model_copy(
            update={"text": given.text, "start": given.start, "end": given.end, "runners_up": tuple(others)}
        )

    return Proof(
        claim=case.claim,
        evidence=tuple(placed(sentence) for sentence in outcome.evidence),
        verdict=judged.verdict if judged else None,
        probabilities=judged.probabilities if judged else None,
        judged=judged is not None and judged.judged,
        disputed=judged.disputed if judged else None,
        deciding=judged.deciding[0] if judged and judged.deciding else None,
        method=chosen.name,
        k=case.k,
        model=tools.name_if_used("model"),
        policy=tools.name_if_used("policy"),
        verdict_model=tools.name_if_used("verdict"),
        without_evidence=without,
        claim_tokens=outcome.claim_tokens,
        curve=tuple(
            sentence.joint - without
            for sentence in outcome.evidence
            if sentence.joint is not None and without is not None
        ),
        stops=tuple(outcome.stops),
        searched=tuple(outcome.searched) if outcome.searched is not None else None,
        notes=(*split_notes(case.sentences), *outcome.notes, *(judged.notes if judged else ())),
        usage=finished.usage,
        policy_usage=finished.policy if tools.name_if_used("policy") else None,
        verdict_usage=finished.verdict if tools.name_if_used("verdict") else None,
    )


def parse_k(words: str) -> K:
    """Return the number of sentences, or "auto"; raises `InputError`."""
    try:
        return "auto" if words == "auto" else int(words)
    except ValueError:
        raise InputError(f"-k must be a number from 1, or auto, got {words!r}") from None


PROVE = VerbSpec(
    name="prove",
    help=BUILT_IN["prove"],
    case=ProveCase,
    case_hint='a case is {"claim": "…", "sentences": "a text" or ["…", "…"]}, with an optional "k"',
    request=ProveRequest,
    result=Proof,
    bind=bind,
    positional=("claim", "sentences", "k"),
    methods=METHODS,
    cases_name="claims",
    verdicts=("supported", "insufficient", "contradicted"),
    tool=Tool(
        "Prove a claim by a text",
        "Find the sentences of one text, which you give, that together prove a claim, in the order in which "
        "they were chosen, and the verdict on the claim by these sentences. Use it to see which sentences "
        f"matter, and check_claim to search a corpus. {DATA}",
        ProveArguments,
        options=("lookahead", "max_sentences", "min_gain"),
    ),
    command=Command(
        {
            "claim": CLAIM,
            "sentences": sentences_input("text", "--context", "--evidence"),
            "k": Input(
                "How many sentences: a number, or auto (default: 3).", ("-k", "--k"), "N", parse=parse_k
            ),
            "verdict": Input("Do not judge the claim by the chosen sentences."),
            "policy": Input(
                "What the look-ahead of mcse follows: path, pair, learned or random.", panel="Method"
            ),
            "prompt": Input(
                "Your own prompt for mcse; the evidence replaces {evidence} in it.",
                metavar="FILE",
                reads="file",
                panel="Method",
            ),
            "seed": SHARED["seed"],
        },
        (
            'probative prove "The lighthouse was lit in 1871." --context lighthouse.txt',
            'probative prove "The lighthouse was lit in 1871." --context lighthouse.txt -k auto --no-verdict',
            'probative prove "The lens is French." --method learned --json < lighthouse.txt',
            "probative prove --in claims.jsonl --out proofs.jsonl -k 2",
        ),
    ),
    types={"sentences": "Text", "k": "K"},
)
