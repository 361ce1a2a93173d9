"""Probative finds the evidence that carries an answer, and shows why.

>>> import probative
>>> text = "The mill burnt down in 1890. It made flour. The town hall was built four years later."
>>> proof = probative.prove("The town hall dates from 1894.", text, k=2)  # embedded: no key, no server
>>> sorted(proof.indexes)
[0, 2]
"""

import sys
from importlib import import_module as _import_module
from types import ModuleType as _ModuleType

from probative.verbs import BUILT_IN as _BUILT_IN

__version__ = "0.1.0"

# The public names by the module that has them, which is imported when one of its names is first used: a
# command needs few of them, and all together take a second. Their types are in `__init__.pyi`.
_SURFACE = {
    "corpus.corpus": "Corpus",
    "corpus.documents.document": "Citation Document",
    "corpus.documents.files": "SearchFilters",
    "corpus.documents.passages": "CorpusPassage",
    "corpus.index.index_folder": "CorpusState IndexSummary",
    "corpus.index.searcher": "Hit",
    "corpus.indexing": "index_folder",
    "errors": (
        "AuthError BatchError BudgetError CapabilityError ConnectError ContextError EmptyError InputError "
        "InUseError MissingExtraError ModelError NotFoundError OutputError OverloadError ProbativeError "
        "RateLimitError ReaderCrashError ReadingLimitError ReplyError RequestError ServerError "
        "SettingsError SlowServerError StoreError UnreadableError WeightsError WorkerError"
    ),
    "give.options": "GiveOptions",
    "give.reasoning": "Reasoning",
    "give.result": "Answers EntityGroup Example GraphVerdict Knowledge Member",
    "graph.formats.sources": "BadLine ImportReport",
    "graph.graph": "Graph",
    "mcse.annotation": "Annotation",
    "mcse.evidence_policy": "LearnedOptions",
    "mcse.options": "McseOptions",
    "mcse.result": "Proof ProofSentence RunnerUp",
    "models": (
        "Alternative Budget Capability Choice Completion Encoder LanguageModel Message Models Pair Parsed "
        "Prices Request ResponseCache Score Selection generate_objects load_encoder load_model load_models"
    ),
    "scope.question": "Features Node Relation",
    "scope.options": "ScopeOptions",
    "scope.result": "Answer ChainPassage Check Computation ComputedValue Conflict PassageJudgement",
    "session.graphs": "entity_index",
    "session.session": "Session",
    "settings": "Settings load_settings",
    "trace": "Call Found FoundText Observer Step Trace observing step",
    "types": "Passage Sentence Triple Usage Verdict",
    "verdict.judgement": "Judgement Probabilities",
    "verify.claims": "UncheckedText",
    "verify.judged_claims": "JudgedClaims",
    "verify.verification": "CheckedClaim CitationCheck EvidenceSentence Verification VerifyOptions",
}
_PLACES = {name: (module, name) for module, names in _SURFACE.items() for name in names.split()}
_PLACES["GraphPath"] = ("give.result", "Path")
for _verb in _BUILT_IN:
    _PLACES |= {name: ("session.default", name) for name in (_verb, f"{_verb}_all")}
    _PLACES[f"{_verb.title()}Case"] = (f"verbs.{_verb}", f"{_verb.title()}Case")

__all__ = sorted(_PLACES)


def __getattr__(name: str) -> object:
    """Return a public name, a verb that another package added to the table of verbs, or a module."""
    if name in _PLACES:
        module, inner = _PLACES[name]
        value = getattr(_import_module(f"{__name__}.{module}"), inner)
        setattr(sys.modules[__name__], name, value)
        return value
    if name.startswith("_") or not name.isidentifier():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return _import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.{name}":
            raise
    from probative.session.default import functions_of
    from probative.verbs.table import VERBS

    verb = name.removesuffix("_all")
    if verb not in VERBS.entries():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return functions_of(VERBS.load(verb))[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(_ModuleType):
    """The package: the import of the folder `verify` does not hide the verb of this name."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _PLACES and isinstance(value, _ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
