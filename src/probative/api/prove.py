"""`prove`: the sentences that together prove a claim."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pydantic import ValidationError

from probative.baselines.methods import Method, evidence_method
from probative.corpus.sentences import split_sentences
from probative.errors import InputError, ProbativeError
from probative.evidence import Sentence
from probative.mcse.found import Found
from probative.mcse.options import DEFAULT_PRESET, PRESETS, McseOptions
from probative.mcse.proof import Proof
from probative.mcse.search import K
from probative.mcse.verdict import Judged, judge_support
from probative.models.contract import Encoder, LanguageModel
from probative.models.exchange import reason
from probative.models.loading import load_encoder, load_model
from probative.models.together import TOGETHER, Ended, Search, Tools, run_together
from probative.settings import Settings, load_settings
from probative.trace import Trace
from probative.usage import Usage
from probative.values import Value

Text = str | Sequence[str] | Sequence[Sentence]


class ProveCase(Value):
    """One claim with its text, for `prove_all`: a text to be cut, or its sentences."""

    claim: str
    sentences: str | tuple[str, ...]
    k: K | None = None


def prove(
    claim: str,
    sentences: Text,
    k: K = 3,
    *,
    model: LanguageModel | str | None = None,
    encoder: Encoder | str | None = None,
    method: str = "mcse",
    preset: str = DEFAULT_PRESET,
    options: McseOptions | None = None,
    verdict: bool = False,
    settings: Settings | None = None,
    dry_run: bool = False,
    **changes: Any,
) -> Proof:
    """The k sentences that together prove a claim, in order, with what each added.

    `sentences` is a list, or one text that is cut into sentences. `k` may be ``"auto"``: stop when
    the next sentence adds too little. `preset` is ``fast``, ``full`` or ``paper``; `changes` are
    fields of `McseOptions` that differ from it. `method` may name a baseline instead. `model` is a
    model or its name; what is not given comes from `settings`. A dry run counts what it would cost.

    >>> proof = prove(
    ...     "Mira's bakery opened before the war.",
    ...     "Mira bakes rye bread. Her bakery opened in 1911. The river is wide. The war began in 1914.",
    ...     k=2,
    ... )
    >>> sorted(proof.indexes), proof.usage.calls > 0
    ([1, 3], True)
    """
    tools = open_tools(model, encoder, settings, dry_run=dry_run)
    found_by = evidence_method(method, mcse_options(preset, options, changes))
    texts = cut(sentences)
    with Trace("prove") as trace:
        search = _search(claim, texts, k, found_by, verdict, tools)
        ((_, ended),) = run_together([search], tools)
    if ended.error is not None:
        raise ended.error
    assert ended.result is not None
    root = trace.root
    usage = ended.usage.model_copy(update={"seconds": root.seconds})
    return _proof(ended.result, claim, texts, k, method, tools, usage).model_copy(update={"trace": root})


def prove_all(
    cases: Iterable[ProveCase],
    k: K = 3,
    *,
    model: LanguageModel | str | None = None,
    encoder: Encoder | str | None = None,
    method: str = "mcse",
    preset: str = DEFAULT_PRESET,
    options: McseOptions | None = None,
    verdict: bool = False,
    together: int = TOGETHER,
    settings: Settings | None = None,
    dry_run: bool = False,
    **changes: Any,
) -> Iterator[tuple[int, Proof | ProbativeError]]:
    """Many claims side by side: each one's number with its proof or its error, as they are finished.

    What all claims ask of the model at a time goes out as one batch, so a GPU or a server is well
    used; `together` is how many claims are under way at once. A case's own `k` beats the common one.

    >>> cases = [ProveCase(claim="Cats sleep.", sentences=("Dogs bark.", "Cats sleep all day."))]
    >>> [(number, proof.indexes) for number, proof in prove_all(cases, k=1, method="bm25")]
    [(0, (1,))]
    """
    tools = open_tools(model, encoder, settings, dry_run=dry_run)
    found_by = evidence_method(method, mcse_options(preset, options, changes))
    entered: list[tuple[ProveCase, tuple[Sentence, ...], K]] = []

    def searches() -> Iterator[Search[tuple[Found, Judged | None]]]:
        for case in cases:
            wanted = case.k if case.k is not None else k
            texts = cut(case.sentences)
            entered.append((case, texts, wanted))
            yield _search(case.claim, texts, wanted, found_by, verdict, tools)

    for number, ended in run_together(searches(), tools, together=together):
        case, texts, wanted = entered[number]
        yield number, _outcome(ended, case, texts, wanted, method, tools)
        entered[number] = (case, (), wanted)  # a long run need not keep every text


def _outcome(
    ended: Ended[tuple[Found, Judged | None]],
    case: ProveCase,
    texts: tuple[Sentence, ...],
    k: K,
    method: str,
    tools: Tools,
) -> Proof | ProbativeError:
    if ended.error is not None:
        return ended.error
    assert ended.result is not None
    return _proof(ended.result, case.claim, texts, k, method, tools, ended.usage)


def _search(
    claim: str, texts: Sequence[Sentence], k: K, method: Method, verdict: bool, tools: Tools
) -> Search[tuple[Found, Judged | None]]:
    """The method, and the verdict after it where that is asked for."""
    found = yield from method(claim, [one.text for one in texts], k, tools)
    return found, judge_support(claim, found) if verdict else None


def _proof(
    result: tuple[Found, Judged | None],
    claim: str,
    texts: Sequence[Sentence],
    k: K,
    method: str,
    tools: Tools,
    usage: Usage,
) -> Proof:
    found, judged = result
    placed = [
        one.model_copy(
            update={
                "text": texts[one.index].text,
                "start": texts[one.index].start,
                "end": texts[one.index].end,
            }
        )
        for one in found.evidence
    ]
    return Proof(
        claim=claim,
        evidence=tuple(placed),
        verdict=judged.verdict if judged else None,
        confidence=judged.confidence if judged else None,
        method=method,
        k=k,
        model=tools.model_name(),
        without=found.without,
        claim_tokens=found.claim_tokens,
        searched=tuple(found.searched) if found.searched is not None else None,
        notes=tuple(found.notes),
        usage=usage,
    )


def cut(sentences: Text) -> tuple[Sentence, ...]:
    """The sentences of a text, or those given, numbered."""
    if isinstance(sentences, str):
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


def mcse_options(preset: str, options: McseOptions | None, changes: dict[str, Any]) -> McseOptions:
    """The preset's options, or those given, with the changes made."""
    if preset not in PRESETS:
        raise InputError(f"there is no preset called {preset!r}", mend=f"one of {', '.join(PRESETS)}")
    start = options if options is not None else PRESETS[preset]
    try:
        return McseOptions.model_validate({**start.model_dump(), **changes})
    except ValidationError as error:
        known = ", ".join(McseOptions.model_fields)
        raise InputError(
            f"this is no option of mcse: {reason(error)}", mend=f"the options are {known}"
        ) from None


def open_tools(
    model: LanguageModel | str | None,
    encoder: Encoder | str | None,
    settings: Settings | None,
    *,
    dry_run: bool,
) -> Tools:
    """The models, opened when they are first needed."""
    if isinstance(model, LanguageModel) and dry_run:
        raise InputError(
            "a dry run needs the model's name", mend="or make the model: load_model(…, dry_run=True)"
        )

    def language_model() -> LanguageModel:
        if isinstance(model, LanguageModel):
            return model
        return load_model(settings=_named(settings, "model", model), dry_run=dry_run)

    def text_encoder() -> Encoder:
        if isinstance(encoder, Encoder):
            return encoder
        return load_encoder(settings=_named(settings, "encoder", encoder))

    return Tools(language_model, text_encoder)


def _named(settings: Settings | None, role: str, name: str | None) -> Settings:
    """The settings with the name that was given, if one was."""
    if settings is None:
        return load_settings({role: name})
    return settings if name is None else settings.model_copy(update={role: name})
