"""The verbs of the package: thin wrappers over one default session for each settings of the process."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from probative.errors import ProbativeError
from probative.models.contract import LanguageModel
from probative.models.encoder import Encoder
from probative.models.verdict import VerdictModel
from probative.session.annotate import AnnotateCase
from probative.session.ask import AskCase, CheckCase, Passages
from probative.session.base import with_names
from probative.session.judge import Evidence, JudgeCase
from probative.session.prove import ProveCase, Text
from probative.session.reason import GraphLike, ReasonCase
from probative.session.session import Session
from probative.session.tools import check_kinds
from probative.session.verify import VerifyCase
from probative.settings import Settings

if TYPE_CHECKING:
    from probative.corpus.documents.document import Document
    from probative.give.reasoning import Reasoning
    from probative.mcse.annotation import Annotation
    from probative.mcse.proof import Proof
    from probative.mcse.search import K
    from probative.scope.result import Answer, Check
    from probative.verdict.judgement import Judgement
    from probative.verify.verification import Verification

Result = TypeVar("Result")

_SESSIONS: dict[tuple[Settings, bool], Session] = {}
_LOCK = threading.RLock()


def default_session(settings: Settings, *, dry_run: bool = False) -> Session:
    """Return the session that the package's verbs use with these settings; it stays open."""
    with _LOCK:
        key = (settings, dry_run)
        if key not in _SESSIONS:
            _SESSIONS[key] = Session(settings=settings, dry_run=dry_run)
        return _SESSIONS[key]


@atexit.register
def close_default_sessions() -> None:
    """Close the sessions behind the package's verbs; the next call opens a new one."""
    with _LOCK:
        sessions = list(_SESSIONS.values())
        _SESSIONS.clear()
    for session in sessions:
        session.close()


@contextmanager
def session_for(
    model: LanguageModel | str | None,
    judge_model: LanguageModel | str | None,
    encoder: Encoder | str | None,
    settings: Settings | None,
    *,
    dry_run: bool,
    verdict: VerdictModel | str | None = None,
) -> Iterator[Session]:
    """Give the default session, or one that shares its models where opened models or a budget are given.

    A budget in the settings covers one call of a verb, not all calls of the process.
    """
    check_kinds(model, judge_model, encoder, settings, verdict)
    named = with_names(settings, model=model, judge_model=judge_model, encoder=encoder, verdict=verdict)
    session = default_session(named, dry_run=dry_run)
    opened = [tool for tool in (model, judge_model, encoder, verdict) if not isinstance(tool, str | None)]
    if not opened and session.budget is None:
        yield session
        return
    with Session(
        model,
        judge_model=judge_model,
        encoder=encoder,
        verdict=verdict,
        settings=named,
        dry_run=dry_run,
        _share=session,
    ) as own:
        yield own


def ask(
    question: str,
    passages: Passages = (),
    *,
    model: LanguageModel | str | None = None,
    judge_model: LanguageModel | str | None = None,
    encoder: Encoder | str | None = None,
    settings: Settings | None = None,
    dry_run: bool = False,
    **arguments: Any,
) -> Answer:
    """Answer a question from a chain of passages that carries it, or say what is missing.

    `arguments` are those of `Session.ask`: `method`, `preset`, `options`, `retriever`, `vectors`, `seed`,
    `progress`, and fields of `ScopeOptions`.

    >>> answer = ask(
    ...     "In which town was the ship built that Ada Berg commanded?",
    ...     ["Ada Berg commanded the Sea Lark.", "The Sea Lark was built in Molde.", "Tar is made of pine."],
    ...     max_passages=2,
    ... )
    >>> [passage.index for passage in answer.chain], answer.answer
    ([0, 1], 'Molde')
    """
    with session_for(model, judge_model, encoder, settings, dry_run=dry_run) as session:
        return session.ask(question, passages, **arguments)


def ask_all(
    cases: Iterable[AskCase | Mapping[str, Any]],
    *,
    model: LanguageModel | str | None = None,
    judge_model: LanguageModel | str | None = None,
    encoder: Encoder | str | None = None,
    settings: Settings | None = None,
    dry_run: bool = False,
    **arguments: Any,
) -> Iterator[tuple[int, Answer | ProbativeError]]:
    """Answer many questions side by side; yields each index with its answer or its error, as they finish.

    `arguments` are those of `Session.ask_all`.
    """
    with session_for(model, judge_model, encoder, settings, dry_run=dry_run) as session:
        yield from session.ask_all(cases, **arguments)


def check(
    question: str,
    knowledge: str | Passages,
    *,
    model: LanguageModel | str | None = None,
    judge_model: LanguageModel | str | None = None,
    encoder: Encoder | str | None = None,
    settings: Settings | None = None,
    dry_run: bool = False,
    **arguments: Any,
) -> Check:
    """Check whether knowledge is a chain of evidence for a question, and which features are missing.

    `arguments` are those of `Session.check`.

    >>> checked = check("Who commanded the Sea Lark?", ["Ada Berg commanded the Sea Lark.", "Pines grow."])
    >>> checked.complete, checked.judgements[1].carries
    (True, ())
    """
    with session_for(model, judge_model, encoder, settings, dry_run=dry_run) as session:
        return session.check(question, knowledge, **arguments)


def check_all(
    cases: Iterable[CheckCase | Mapping[str, Any]],
    *,
    model: LanguageModel | str | None = None,
    judge_model: LanguageModel | str | None = None,
    encoder: Encoder | str | None = None,
    settings: Settings | None = None,
    dry_run: bool = False,
    **arguments: Any,
) -> Iterator[tuple[int, Check | ProbativeError]]:
    """Check many questions side by side; `arguments` are those of `Session.check_all`."""
    with session_for(model, judge_model, encoder, settings, dry_run=dry_run) as session:
        yield from session.check_all(cases, **arguments)


def prove(
    claim: str,
    sentences: Text,
    k: K = 3,
    *,
    model: LanguageModel | str | None = None,
    encoder: Encoder | str | None = None,
    settings: Settings | None = None,
    dry_run: bool = False,
    **arguments: Any,
) -> Proof:
    """Find the k sentences that together prove a claim, in order, with what each adds.

    `arguments` are those of `Session.prove`: `method`, `preset`, `options`, `verdict`, `progress`, and fields
    of `McseOptions`.

    >>> proof = prove(
    ...     "Mira's bakery opened before the war.",
    ...     "Mira bakes rye bread. The river is wide. Her bakery opened in 1911. The war began in 1914.",
    ...     k=2,
    ... )
    >>> sorted(proof.indexes)
    [2, 3]
    """
    with session_for(model, None, encoder, settings, dry_run=dry_run) as session:
        return session.prove(claim, sentences, k, **arguments)


def prove_all(
    cases: Iterable[ProveCase | Mapping[str, Any]],
    k: K = 3,
    *,
    model: LanguageModel | str | None = None,
    encoder: Encoder | str | None = None,
    settings: Settings | None = None,
    dry_run: bool = False,
    **arguments: Any,
) -> Iterator[tuple[int, Proof | ProbativeError]]:
    """Prove many claims side by side; `arguments` are those of `Session.prove_all`.

    >>> cases = [ProveCase(claim="Cats sleep.", sentences=("Dogs bark.", "Cats sleep all day."))]
    >>> [(index, proof.indexes) for index, proof in prove_all(cases, k=1, method="bm25")]
    [(0, (1,))]
    """
    with session_for(model, None, encoder, settings, dry_run=dry_run) as session:
        yield from session.prove_all(cases, k, **arguments)


def judge(
    claim: str,
    evidence: Evidence,
    *,
    model: LanguageModel | str | None = None,
    judge_model: LanguageModel | str | None = None,
    verdict: VerdictModel | str | None = None,
    settings: Settings | None = None,
    dry_run: bool = False,
    **arguments: Any,
) -> Judgement:
    """Judge whether evidence supports a claim, contradicts it, or says too little about it.

    `evidence` is a list of sentences, or one text that is split. `verdict` is ``embedded`` (the default),
    ``model`` to ask `judge_model` or `model`, or a `VerdictModel`. `arguments` are those of `Session.judge`.

    >>> from probative.models.verdict import VerdictScores
    >>> from probative.testing import ScriptedVerdict
    >>> scripted = ScriptedVerdict(lambda item: VerdictScores(0.1, 0.8, 0.1, (0.2, 0.8)))
    >>> judgement = judge("The mill is new.", "Ada owns a mill. It was built in 1790.", verdict=scripted)
    >>> judgement.verdict.value, judgement.deciding_texts
    ('contradicted', ('It was built in 1790.',))
    """
    with session_for(model, judge_model, None, settings, dry_run=dry_run, verdict=verdict) as session:
        judgement = session.judge(claim, evidence, **arguments)
    if model is not None and judgement.verdict_model == "embedded:verdict":
        note = "the model was not asked: verdict='model' asks it instead of the embedded verdict model"
        return judgement.model_copy(update={"notes": (*judgement.notes, note)})
    return judgement


def judge_all(
    cases: Iterable[JudgeCase | Mapping[str, Any]],
    *,
    model: LanguageModel | str | None = None,
    judge_model: LanguageModel | str | None = None,
    verdict: VerdictModel | str | None = None,
    settings: Settings | None = None,
    dry_run: bool = False,
    **arguments: Any,
) -> Iterator[tuple[int, Judgement | ProbativeError]]:
    """Judge many claims side by side; `arguments` are those of `Session.judge_all`."""
    with session_for(model, judge_model, None, settings, dry_run=dry_run, verdict=verdict) as session:
        yield from session.judge_all(cases, **arguments)


def verify(
    text: str | Path | Document,
    passages: Any,
    *,
    model: LanguageModel | str | None = None,
    judge_model: LanguageModel | str | None = None,
    verdict: VerdictModel | str | None = None,
    settings: Settings | None = None,
    dry_run: bool = False,
    **arguments: Any,
) -> Verification:
    """Check every claim of a text against passages, a corpus or a retriever.

    `text` is plain words or Markdown, a `Document` or the `Path` of a file. `verdict` is as for `judge`.
    `arguments` are those of `Session.verify`: `method`, `name`, `options`, `progress`, `claim_progress`,
    `claim_done`, and fields of `VerifyOptions`.

    >>> text = "The mill burnt down in 1894. It made flour."
    >>> verification = verify(text, ["The mill of Aske made flour. It burnt down in 1890."])
    >>> [(claim.claim, claim.verdict.value) for claim in verification.claims]
    [('The mill burnt down in 1894.', 'contradicted'), ('The mill made flour.', 'supported')]
    """
    with session_for(model, judge_model, None, settings, dry_run=dry_run, verdict=verdict) as session:
        return session.verify(text, passages, **arguments)


def verify_all(
    cases: Iterable[VerifyCase | Mapping[str, Any]],
    *,
    model: LanguageModel | str | None = None,
    judge_model: LanguageModel | str | None = None,
    verdict: VerdictModel | str | None = None,
    settings: Settings | None = None,
    dry_run: bool = False,
    **arguments: Any,
) -> Iterator[tuple[int, Verification | ProbativeError]]:
    """Check many texts side by side; `arguments` are those of `Session.verify_all`."""
    with session_for(model, judge_model, None, settings, dry_run=dry_run, verdict=verdict) as session:
        yield from session.verify_all(cases, **arguments)


def reason(
    question: str,
    graph: GraphLike,
    choices: Sequence[str] | None = None,
    *,
    model: LanguageModel | str | None = None,
    encoder: Encoder | str | None = None,
    settings: Settings | None = None,
    dry_run: bool = False,
    **arguments: Any,
) -> Reasoning:
    """Answer a question over a graph in three stages, with the knowledge behind each.

    `arguments` are those of `Session.reason`: `form`, `method`, `preset`, `options`, `worked`, `seed`,
    `progress`, `embedding`, and fields of `GiveOptions`.

    >>> from probative.testing import ScriptedModel
    >>> graph = [("melatonin", "treats", "jet lag"), ("jet lag", "causes", "insomnia")]
    >>> model = ScriptedModel(generate="yes")
    >>> reasoning = reason("Does melatonin help insomnia?", graph, model=model, preset="paper", entities=0)
    >>> reasoning.answers.ace, reasoning.groups[2].name
    ('yes', 'jet lag')
    >>> [str(triple) for triple in reasoning.knowledge.expert]
    ['(melatonin, treats, jet lag)', '(jet lag, causes, insomnia)']
    """
    with session_for(model, None, encoder, settings, dry_run=dry_run) as session:
        return session.reason(question, graph, choices, **arguments)


def reason_all(
    cases: Iterable[ReasonCase | Mapping[str, Any]],
    graph: GraphLike,
    *,
    model: LanguageModel | str | None = None,
    encoder: Encoder | str | None = None,
    settings: Settings | None = None,
    dry_run: bool = False,
    **arguments: Any,
) -> Iterator[tuple[int, Reasoning | ProbativeError]]:
    """Answer many questions over one graph side by side; `arguments` are those of `Session.reason_all`."""
    with session_for(model, None, encoder, settings, dry_run=dry_run) as session:
        yield from session.reason_all(cases, graph, **arguments)


def annotate(
    claim: str,
    sentences: Text,
    *,
    model: LanguageModel | str | None = None,
    settings: Settings | None = None,
    dry_run: bool = False,
    **arguments: Any,
) -> Annotation:
    """Ask a model which sentences of a text a claim needs: a draft of gold evidence.

    `sentences` is a list, or one text that is split. `arguments` are those of `Session.annotate`.

    >>> from probative.testing import ScriptedModel
    >>> scripted = ScriptedModel(generate="[2]")
    >>> annotate("The mill is old.", "It rained. The mill dates from 1790.", model=scripted).indexes
    (1,)
    """
    with session_for(model, None, None, settings, dry_run=dry_run) as session:
        return session.annotate(claim, sentences, **arguments)


def annotate_all(
    cases: Iterable[AnnotateCase | Mapping[str, Any]],
    *,
    model: LanguageModel | str | None = None,
    settings: Settings | None = None,
    dry_run: bool = False,
    **arguments: Any,
) -> Iterator[tuple[int, Annotation | ProbativeError]]:
    """Annotate many claims side by side; `arguments` are those of `Session.annotate_all`."""
    with session_for(model, None, None, settings, dry_run=dry_run) as session:
        yield from session.annotate_all(cases, **arguments)
