"""The verb `verify`: every claim of a text against passages or a corpus."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from pydantic import ConfigDict, Field, model_validator

from probative.corpus.corpus import Corpus
from probative.corpus.documents.document import Document
from probative.engine.methods import Method, MethodChoice, Methods, Tools, check_options
from probative.engine.runner import Finished
from probative.engine.search import Search, side_by_side
from probative.errors import BudgetError, InputError
from probative.scope.inputs import as_passages
from probative.types import Value
from probative.verbs import BUILT_IN, requests
from probative.verbs.command import FILE_OF_PASSAGES, Command, Input
from probative.verbs.corpus_source import opened_corpus
from probative.verbs.prove import EVIDENCE_METHODS
from probative.verbs.requests import Identity, ModelName, Name, Options, Sourced, Sources
from probative.verbs.spec import BoundVerb, Host, OpenedVerb, Parts, Tool, VerbRun, VerbSpec
from probative.verbs.tools import CITE, DATA, DocumentArguments, ToolText
from probative.verify.check import check_claim
from probative.verify.claims import ClaimedText, TextToVerify, claims_of, text_to_verify
from probative.verify.evidence import Candidate, Weigher, weigh_by_policy
from probative.verify.judged_claims import JudgedClaims
from probative.verify.sources import EvidenceSource, evidence_source, shared_source
from probative.verify.split import split_claims
from probative.verify.verification import CheckedClaim, Verification, VerifyOptions

POLICY = "policy"
BY_POLICY = Method(weigh_by_policy, weighs=True)
METHODS = Methods("prove", {POLICY: "probative.verbs.verify:BY_POLICY", **EVIDENCE_METHODS})
# The sentences that a method of prove chooses for a claim.
CHOSEN = 6

ClaimProgress = Callable[[int, int], None]
"""Called with the number of claims that are checked, and of all."""

ClaimDone = Callable[[int, CheckedClaim, int], None]
"""Called with the index of a claim in the text, the checked claim, and the number of all claims."""


class VerifyCase(Value):
    """One text, for `verify_all`: words, a `Document` or the `Path` of a file.

    `passages` are its sources: passages, a retriever or a corpus; None means those of all cases.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    text: str | Path | Document
    passages: Any = None
    name: str | None = None


class VerifyRequest(Sourced):
    """A text, pasted or uploaded, and the sources that its claims are held against."""

    text: requests.Text | None = None
    upload: Identity | None = None
    name: Name | None = None
    method: Name = POLICY
    model: ModelName = None
    options: Options = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_text(self) -> Self:
        if (self.text is None) == (self.upload is None):
            raise ValueError("give one of text and upload")
        return self

    @property
    def title(self) -> str:
        """What a list of runs shows."""
        return self.name or (self.text or "an uploaded file").strip()

    def check(self, sources: Sources) -> None:
        """Raise an error for sources that cannot be used, and for a text that is too long."""
        super().check(sources)
        length = len(self.text or "") if self.upload is None else sources.count_characters(self.upload)
        sources.check_size("characters", length)

    def arguments(self, sources: Sources) -> dict[str, Any]:
        """Return the arguments of the verb: a corpus is given as `passages`, too."""
        given = super().arguments(sources)
        if (upload := given.pop("upload", None)) is not None:
            given["text"] = sources.document(upload)
        if "corpus" in given:
            given["passages"] = given.pop("corpus")
        return given


class VerifyArguments(DocumentArguments):
    """The arguments of the tool."""

    text: ToolText = Field(description="The text to check: plain words or Markdown.")


@dataclass(frozen=True)
class ClaimedCase:
    """A text taken apart, and where its evidence comes from."""

    text: TextToVerify
    claimed: ClaimedText
    sources: EvidenceSource
    has_own_sources: bool = False


def bind(
    host: Host,
    *,
    method: str = POLICY,
    options: VerifyOptions | None = None,
    passages: Any = None,
    claim_progress: ClaimProgress | None = None,
    claim_done: ClaimDone | None = None,
    judged: JudgedClaims | None = None,
    **changes: Any,
) -> BoundVerb:
    """Check every claim of a text against sources.

    `text` is plain words or Markdown, a `Document`, or the `Path` of a file of any format that a corpus
    reads; offsets are then characters of its text. `passages` are passages, one text, a `Corpus`, the `Path`
    of a folder or an index, or any retriever: a function of a query and a number. For many texts, they
    are those of texts without sources of their own. `method` says how evidence is chosen: ``policy``, or a
    method of `prove`. `changes` are fields of `VerifyOptions`. `claim_progress` is called with the number of
    claims that are done, and of all. `claim_done` is called with each claim as it is finished: its index, the
    `CheckedClaim` and the number of all claims; claims are checked side by side, so the order is not that of
    the text. The `results` of a `BudgetError` are the claims that were checked, None for the others. With
    `judged`, claims that were judged before against the same passages or the same state of a corpus are not
    judged again.

    >>> import probative
    >>> text = "The mill burnt down in 1894. It made flour."
    >>> verification = probative.verify(text, ["The mill of Aske made flour. It burnt down in 1890."])
    >>> [(claim.claim, claim.verdict.value) for claim in verification.claims]
    [('The mill burnt down in 1894.', 'contradicted'), ('The mill made flour.', 'supported')]
    """
    if "corpus" in changes:
        raise InputError(
            "verify takes a corpus as its passages", hint="write verify(text, Path('documents'))"
        )
    start = VerifyOptions() if options is None else options
    chosen = check_options(VerifyOptions, {**start.model_dump(), **changes}, "verify")
    weigher = _weigher_of(method)
    # How many claims are checked side by side decides no verdict.
    settings = {"method": method, **chosen.model_dump(exclude={"max_active"})}

    @contextmanager
    def opened(many: bool) -> Iterator[OpenedVerb]:
        folder = passages if isinstance(passages, Path) else None
        with opened_corpus(folder, host) as corpus:
            shared = passages if corpus is None else corpus
            context = "" if judged is None else json.dumps(settings | _identity(shared), sort_keys=True)
            shared = shared_source(shared) if many and shared is not None else shared
            # With a budget, claims are checked one by one, so that whole ones are kept.
            active = 1 if host.budget is not None else chosen.max_active
            checking = _Checking(
                chosen.model_copy(update={"max_active": active}),
                method,
                weigher,
                shared,
                claim_progress,
                claim_done,
                judged,
                context,
            )
            yield OpenedVerb(VerbRun("verify", checking.read, checking.search, checking.result))

    def deciding() -> dict[str, Any]:
        return settings | _identity(passages)

    return BoundVerb(opened, deciding)


def _identity(passages: Any) -> dict[str, str]:
    """Return what identifies the sources of all texts."""
    if passages is None:
        return {}
    if isinstance(passages, Corpus):
        return {"corpus": passages.fingerprint}
    given = [passages] if isinstance(passages, str) else passages
    content = json.dumps([passage.to_dict() for passage in as_passages(given)], sort_keys=True)
    return {"passages": hashlib.sha256(content.encode()).hexdigest()[:16]}


@dataclass(frozen=True)
class _Checking:
    """`verify` with its arguments; `shared` are the sources of texts that have none of their own."""

    options: VerifyOptions
    method: str
    weigher: Callable[[Tools], Weigher]
    shared: Any
    progress: ClaimProgress | None
    claim_done: ClaimDone | None
    judged: JudgedClaims | None
    context: str

    def read(self, raw: VerifyCase | Mapping[str, Any]) -> ClaimedCase:
        """Return a text taken apart, with its own sources or the shared ones; raises `InputError`."""
        case: VerifyCase = VERIFY.as_case(raw)
        text = text_to_verify(case.text, case.name)
        sources = evidence_source(self.shared if case.passages is None else case.passages)
        claimed = claims_of(text.words, text.headings, text.title)
        return ClaimedCase(text, claimed, sources, has_own_sources=case.passages is not None)

    def search(self, case: ClaimedCase, tools: Tools) -> Search[list[CheckedClaim]]:
        """Check the claims side by side, after compound ones were split."""
        weigher = self.weigher(tools)
        # Sources that a text has of its own are no part of the context.
        judged = None if case.has_own_sources else self.judged
        claims = yield from split_claims(case.claimed.claims, case.text.words, tools)

        def finished(done: int) -> None:
            if self.progress is not None:
                self.progress(done, len(claims))

        checked: dict[int, CheckedClaim] = {}

        def check(index: int) -> Search[CheckedClaim]:
            claim = claims[index]
            known = None if judged is None else judged.find(claim, self.context)
            if known is None:
                known = yield from check_claim(claim, case.sources, weigher, self.options, tools)
                if judged is not None:
                    judged.keep(claim, self.context, known)
            checked[index] = known
            if self.claim_done is not None:
                self.claim_done(index, checked[index], len(claims))
            return checked[index]

        try:
            found = yield from side_by_side(
                (check(index) for index in range(len(claims))),
                max_active=self.options.max_active,
                finished=finished,
            )
        except BudgetError as spent:
            results = [checked.get(index) for index in range(len(claims))]
            raise BudgetError(spent.what, hint=spent.hint, results=results) from spent
        return found

    def result(self, case: ClaimedCase, finished: Finished[list[CheckedClaim]], tools: Tools) -> Verification:
        """Return what the caller gets."""
        assert finished.result is not None
        return Verification(
            claims=tuple(finished.result),
            unchecked=case.claimed.unchecked,
            text=case.text.words,
            name=case.text.name,
            method=self.method,
            policy=tools.name_if_used("policy"),
            verdict_model=tools.name_if_used("verdict"),
            model=tools.name_if_used("model"),
            notes=_notes(case, tools),
            usage=finished.usage,
        )


def _notes(case: ClaimedCase, tools: Tools) -> tuple[str, ...]:
    notes = [*case.text.notes, *getattr(case.sources, "notes", ())]
    if not case.claimed.claims:
        notes.append("the text has no claim that could be checked")
    if (unused := tools.unused_judge()) is not None:
        notes.append(f"the judge {unused} was not used: verdict='model' (--verdict model) asks it")
    return tuple(notes)


def _weigher_of(method: str) -> Callable[[Tools], Weigher]:
    """Return what makes the weigher of a method: the evidence policy, or a method of prove, whose chosen
    sentences are worth more the earlier they were chosen.
    """
    loaded = METHODS.load(method)
    if loaded.weighs:
        return lambda _: loaded.run
    find = METHODS.choose(MethodChoice(method, options=loaded.options())).run

    def bound(tools: Tools) -> Weigher:
        def weigher(statement: str, candidates: Sequence[Candidate]) -> Search[list[float]]:
            texts = [candidate.titled for candidate in candidates]
            outcome = yield from find(statement, texts, min(CHOSEN, len(texts)), tools)
            ranks = {chosen.index: rank for rank, chosen in enumerate(outcome.evidence)}
            return [-float(ranks.get(index, 2 * CHOSEN)) for index in range(len(texts))]

        return weigher

    return bound


VERIFY = VerbSpec(
    name="verify",
    help=BUILT_IN["verify"],
    case=VerifyCase,
    case_hint='a case is {"text": "…", "passages": ["…"]}, with an optional "name"',
    request=VerifyRequest,
    result=Verification,
    bind=bind,
    positional=("text", "passages"),
    methods=METHODS,
    options=VerifyOptions,
    parts=Parts("claim_done", "claim", "claims checked"),
    cases_name="texts",
    verdicts=("supported", "insufficient", "contradicted"),
    # Each text has many claims of its own that are checked side by side.
    max_active=2,
    tool=Tool(
        "Verify a text",
        "Check every claim of a text, such as a draft or an answer, against a corpus or given passages. "
        "Use it before you hand over a text of several sentences. Each claim is supported, contradicted "
        "or insufficient, with the sentences that decide it; citations inside the text are checked, "
        f"too. {CITE} {DATA}",
        VerifyArguments,
        name="verify_text",
        options=("per_claim", "cited_passages", "sentences", "margin", "check_citations"),
    ),
    command=Command(
        {
            "text": Input(
                "The texts: plain words, Markdown, HTML, PDF, DOCX or any other format that a corpus reads. "
                "- is standard input, the default. With several, --json prints one line for each.",
                metavar="FILE...",
                reads="document",
            ),
            "passages": Input(f"The sources: {FILE_OF_PASSAGES}", metavar="FILE", reads="passages"),
            "method": Input("How evidence is chosen: policy (default) or a method of prove, such as mcse."),
        },
        (
            "probative verify report.md --corpus documents",
            "probative verify report.md --corpus documents --html report.html",
            "probative verify answer.txt --passages passages.jsonl --fail-on contradicted,insufficient",
            "probative verify report.md --corpus documents --sarif report.sarif --junit report.xml --json",
            "probative verify docs/*.md --corpus documents --sarif report.sarif --fail-on contradicted",
            "probative verify report.md --corpus documents --watch --sarif report.sarif",
            "probative verify --in answers.jsonl --out verdicts.jsonl --corpus documents --runner local:2",
        ),
        judged=True,
        searches=True,
    ),
)
