"""`prove`: the sentences that together prove a claim."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from probative.baselines.evidence.methods import Method, evidence_method
from probative.engine.runner import MAX_ACTIVE, Finished, run_searches
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.errors import InputError, ProbativeError
from probative.mcse.evidence_policy import LearnedOptions
from probative.mcse.options import DEFAULT_PRESET, PRESETS, McseOptions
from probative.mcse.proof import Proof
from probative.mcse.result import McseResult, ProofSentence
from probative.mcse.search import K
from probative.mcse.verdict import Judged, judge_support
from probative.models.contract import Encoder, LanguageModel
from probative.models.types import encodable, reason
from probative.session.tools import one_at_a_time, open_tools
from probative.settings import Settings
from probative.text.sentences import split_sentences
from probative.trace import Trace
from probative.types import Sentence, Value
from probative.usage import Usage

Text = str | Sequence[str] | Sequence[Sentence]


class ProveCase(Value):
    """One claim with its text, for `prove_all`: a text to be cut, or its sentences."""

    claim: str
    sentences: str | tuple[str, ...]
    k: Annotated[int, Field(strict=True)] | Literal["auto"] | None = None


def prove(
    claim: str,
    sentences: Text,
    k: K = 3,
    *,
    model: LanguageModel | str | None = None,
    encoder: Encoder | str | None = None,
    method: str = "mcse",
    preset: str = DEFAULT_PRESET,
    options: McseOptions | LearnedOptions | None = None,
    verdict: bool = False,
    settings: Settings | None = None,
    dry_run: bool = False,
    progress: Callable[[Usage], None] | None = None,
    **changes: Any,
) -> Proof:
    """The k sentences that together prove a claim, in order, with what each added.

    `sentences` is a list, or one text that is cut into sentences. `k` may be ``"auto"``: stop when
    the next sentence adds too little. `preset` is ``fast``, ``full`` or ``paper``; `changes` are
    fields of `McseOptions` that differ from it. `method` may name a baseline instead, or ``learned``: the
    embedded evidence policy alone, without a language model; `changes` are then fields of `LearnedOptions`.
    `model` is a model or its name; what is not given comes from `settings`. A dry run counts what it would
    cost. `progress` is told what the search has cost so far, after each batch.

    >>> proof = prove(
    ...     "Mira's bakery opened before the war.",
    ...     "Mira bakes rye bread. The river is wide. Her bakery opened in 1911. The war began in 1914.",
    ...     k=2,
    ... )
    >>> sorted(proof.indexes)
    [2, 3]
    """
    tools = open_tools(model, encoder, settings, dry_run=dry_run)
    found_by = evidence_method(method, method_options(method, preset, options, changes))
    texts = cut(sentences)
    with Trace("prove") as trace:
        search = _search(claim, texts, k, found_by, verdict, tools)
        ((_, ended),) = run_searches([search], tools, progress=progress)
    if ended.error is not None:
        raise ended.error
    root = trace.root
    ended.usage = ended.usage.model_copy(update={"seconds": root.seconds})
    return _proof(ended, claim, texts, k, method, tools).model_copy(update={"trace": root})


def prove_all(
    cases: Iterable[ProveCase | Mapping[str, Any]],
    k: K = 3,
    *,
    model: LanguageModel | str | None = None,
    encoder: Encoder | str | None = None,
    method: str = "mcse",
    preset: str = DEFAULT_PRESET,
    options: McseOptions | LearnedOptions | None = None,
    verdict: bool = False,
    max_active: int = MAX_ACTIVE,
    settings: Settings | None = None,
    dry_run: bool = False,
    **changes: Any,
) -> Iterator[tuple[int, Proof | ProbativeError]]:
    """Many claims side by side: each one's number with its proof or its error, as they are finished.

    What all claims ask of the model at a time goes out as one batch, so a GPU or a server is well
    used; `together` is how many claims are under way at once (one, where a budget is set: so that it is
    spent on whole proofs). A case is a `ProveCase` or a dictionary of its fields; its own `k` beats the
    common one.

    >>> cases = [ProveCase(claim="Cats sleep.", sentences=("Dogs bark.", "Cats sleep all day."))]
    >>> [(number, proof.indexes) for number, proof in prove_all(cases, k=1, method="bm25")]
    [(0, (1,))]
    """
    tools = open_tools(model, encoder, settings, dry_run=dry_run)
    chosen = method_options(method, preset, options, changes)
    yield from proofs(cases, k, method, chosen, tools, verdict, one_at_a_time(settings, max_active))


def proofs(
    cases: Iterable[ProveCase | Mapping[str, Any]],
    k: K,
    method: str,
    options: McseOptions | LearnedOptions,
    tools: Tools,
    verdict: bool,
    max_active: int,
) -> Iterator[tuple[int, Proof | ProbativeError]]:
    """`prove_all` with tools and options that are made already."""
    found_by = evidence_method(method, options)
    under_way: dict[int, tuple[str, tuple[Sentence, ...], K]] = {}

    def searches() -> Iterator[Search[tuple[McseResult, Judged | None]]]:
        for number, case in enumerate(as_case(case) for case in cases):
            wanted = case.k if case.k is not None else k
            texts = cut(case.sentences)
            under_way[number] = (case.claim, texts, wanted)
            yield _search(case.claim, texts, wanted, found_by, verdict, tools)

    for number, ended in run_searches(searches(), tools, max_active=max_active):
        claim, texts, wanted = under_way.pop(number)
        if ended.error is not None:
            yield number, ended.error
        else:
            yield number, _proof(ended, claim, texts, wanted, method, tools)


def as_case(case: ProveCase | Mapping[str, Any]) -> ProveCase:
    """A case, or an `InputError` for what is none."""
    if isinstance(case, ProveCase):
        return case
    try:
        return ProveCase.model_validate(case)
    except ValidationError as error:
        raise InputError(
            f"this is no case for prove: {reason(error)}",
            hint="a case has a claim and sentences, and perhaps k",
        ) from None


def _search(
    claim: str, texts: Sequence[Sentence], k: K, method: Method, verdict: bool, tools: Tools
) -> Search[tuple[McseResult, Judged | None]]:
    """The method, and the verdict after it where that is asked for."""
    found = yield from method(claim, [one.text for one in texts], k, tools)
    return found, judge_support(claim, found) if verdict else None


def _proof(
    ended: Finished[tuple[McseResult, Judged | None]],
    claim: str,
    texts: Sequence[Sentence],
    k: K,
    method: str,
    tools: Tools,
) -> Proof:
    assert ended.result is not None
    found, judged = ended.result
    without = found.without

    def placed(one: ProofSentence) -> ProofSentence:
        """With the text as it was given, and its place there."""
        given = texts[one.index]
        others = (other.model_copy(update={"text": texts[other.index].text}) for other in one.runners_up)
        return one.model_copy(
            update={"text": given.text, "start": given.start, "end": given.end, "runners_up": tuple(others)}
        )

    return Proof(
        claim=claim,
        evidence=tuple(placed(one) for one in found.evidence),
        verdict=judged.verdict if judged else None,
        confidence=judged.confidence if judged else None,
        method=method,
        k=k,
        model=tools.model_name(),
        policy=tools.policy_name(),
        without=without,
        claim_tokens=found.claim_tokens,
        curve=tuple(
            one.together - without
            for one in found.evidence
            if one.together is not None and without is not None
        ),
        stops=tuple(found.stops),
        searched=tuple(found.searched) if found.searched is not None else None,
        notes=tuple(found.notes),
        usage=ended.usage,
        policy_usage=ended.policy if tools.policy_name() else None,
    )


def cut(sentences: Text) -> tuple[Sentence, ...]:
    """The sentences of a text, or those given, numbered."""
    if isinstance(sentences, str):
        try:
            encodable(sentences)
        except ValueError as error:
            raise InputError(str(error)) from None
        return split_sentences(sentences)
    try:
        given: list[Any] = list(sentences)
    except TypeError:
        raise InputError(
            f"a text or a list of sentences was expected, not {type(sentences).__name__}"
        ) from None
    return tuple(_numbered(number, one) for number, one in enumerate(given))


def _numbered(number: int, one: Any) -> Sentence:
    if isinstance(one, Sentence):
        return one.model_copy(update={"index": number})
    if not isinstance(one, str):
        raise InputError(f"a sentence is a string, not {type(one).__name__}")
    return Sentence(index=number, text=one)


def method_options(
    method: str, preset: str, options: McseOptions | LearnedOptions | None, changes: dict[str, Any]
) -> McseOptions | LearnedOptions:
    """The options of learned for that, and of mcse else: the preset's, or those given, with the changes made.

    >>> method_options("learned", "fast", None, {"beam": 3}).beam
    3
    """
    if preset not in PRESETS:
        raise InputError(f"there is no preset called {preset!r}", hint=f"one of {', '.join(PRESETS)}")
    if method == "learned" and preset != DEFAULT_PRESET:
        raise InputError(f"learned has no preset {preset!r}", hint="its options are given one by one: beam=2")
    kind: type[McseOptions | LearnedOptions] = LearnedOptions if method == "learned" else McseOptions
    start = options
    if start is None:
        start = LearnedOptions() if method == "learned" else PRESETS[preset]
    name = "learned" if method == "learned" else "mcse"
    if not isinstance(start, kind):
        raise InputError(f"the options of {name} are {kind.__name__}, not {type(start).__name__}")
    try:
        return kind.model_validate({**start.model_dump(), **changes})
    except ValidationError as error:
        known = ", ".join(kind.model_fields)
        raise InputError(
            f"this is no option of {name}: {reason(error)}", hint=f"the options are {known}"
        ) from None
