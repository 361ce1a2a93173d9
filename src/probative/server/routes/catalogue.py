"""`/api/info`, `/api/corpora` and `/api/graphs`: what there is to ask, and its documents."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query

from probative import __version__
from probative.corpus.documents.passages import CorpusPassage
from probative.corpus.index.listing import DocumentSummary
from probative.corpus.readers.formats import read_suffixes
from probative.errors import InputError
from probative.graph.summary import EntityLookup, look_up
from probative.server.base.errors import ErrorBody, NotThereError, QueueState, documented
from probative.server.base.options import Limits
from probative.server.state.catalog import CorpusEntry, GraphEntry
from probative.server.state.contents import QUESTIONS, Contents, contents_of
from probative.server.state.demo import Example, examples_for
from probative.server.state.models import ModelChoice
from probative.server.state.server_state import State
from probative.server.state.text_structure import TextStructure, structure_of
from probative.types import Value
from probative.verbs.table import VERBS

PartName = Annotated[str, Path(max_length=64, description="a registered name")]
# What "RAG top-5" is called here: five passages by words and vectors, then one answer.
RAG: dict[str, Any] = {"method": "rag", "options": {}}

router = APIRouter(
    prefix="/api", tags=["catalogue"], responses=documented(ErrorBody, 400, 401, 403, 404, 422)
)


class Info(Value):
    """What a server offers. `suffixes` are those of the files that can be uploaded; `contents_questions` are
    answered with the contents of a corpus; `rewrites` says whether the model rewrites follow-ups; `models`
    are those that a request may name, the server's own first.
    """

    version: str
    model: str
    verdict: str
    token_needed: bool
    verbs: tuple[str, ...]
    corpora: tuple[CorpusEntry, ...]
    graphs: tuple[GraphEntry, ...]
    suffixes: tuple[str, ...]
    methods: dict[str, tuple[str, ...]]
    rag: dict[str, Any]
    limits: Limits
    queue: QueueState
    examples: tuple[Example, ...]
    contents_questions: tuple[str, ...]
    rewrites: bool
    models: tuple[ModelChoice, ...]


class SuggestedQuestions(Value):
    """At most five questions that were answered `supported`; `making`: they are still being made."""

    questions: tuple[str, ...]
    making: bool


class DocumentList(Value):
    """Documents of a corpus, in the order of their names."""

    documents: tuple[DocumentSummary, ...]
    total: int


class DocumentText(Value):
    """A document as it was indexed; `pages` are the offsets at which pages start, `structure` says how its
    text is shown.
    """

    source: str
    title: str
    text: str
    pages: tuple[int, ...]
    date: str | None
    language: str
    notes: tuple[str, ...]
    structure: TextStructure


class NearestPassages(Value):
    """Passages of a corpus, best first."""

    passages: tuple[CorpusPassage, ...]


class Entities(Value):
    """Entities of a graph."""

    entities: tuple[str, ...]


@router.get("/info", operation_id="get_info")
def get_info(server: State) -> Info:
    """Return what the server offers, its limits and its queue."""
    registered = server.catalog.describe()
    return Info(
        version=__version__,
        model=server.session.model_name,
        verdict=server.session.settings.verdict_model,
        token_needed=server.options.token is not None,
        verbs=tuple(VERBS.entries()),
        corpora=registered.corpora,
        graphs=registered.graphs,
        suffixes=read_suffixes(),
        methods={
            spec.name: tuple(spec.methods.entries())
            for spec in VERBS.specs()
            if spec.methods is not None and "method" in spec.arguments
        },
        rag=RAG,
        limits=server.options.limits,
        queue=server.manager.state(),
        examples=examples_for(server.catalog),
        contents_questions=QUESTIONS,
        rewrites=server.rewrites,
        models=server.models.choices(),
    )


@router.get("/corpora/{name}/contents", operation_id="get_contents")
def get_contents(server: State, name: PartName) -> Contents:
    """Return how many documents a corpus has, of which dates and languages, and the first of them."""
    return contents_of(name, server.catalog.corpus(name))


@router.get("/corpora/{name}/suggestions", operation_id="get_suggestions")
def get_suggestions(server: State, name: PartName) -> SuggestedQuestions:
    """Return questions that the documents of a corpus answer."""
    made = server.suggestions.of(name)
    if made is None:
        return SuggestedQuestions(questions=(), making=server.suggestions.is_making)
    return SuggestedQuestions(questions=made.questions, making=False)


@router.get("/corpora/{name}/documents", operation_id="list_documents")
def list_documents(
    server: State,
    name: PartName,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 100,
) -> DocumentList:
    """Return the documents of a corpus, each with its size, its date and where that was found."""
    corpus = server.catalog.corpus(name)
    return DocumentList(documents=tuple(corpus.summaries(offset, limit)), total=corpus.documents)


@router.get("/corpora/{name}/document", operation_id="get_document")
def get_document(
    server: State, name: PartName, source: Annotated[str, Query(min_length=1, max_length=2_000)]
) -> DocumentText:
    """Return a document of a corpus: only what was indexed, never a file."""
    corpus = server.catalog.corpus(name)
    try:
        document = corpus.document(source)
    except InputError:
        raise NotThereError(f"there is no document {source[:200]!r} in the corpus {name!r}") from None
    fields = {field: getattr(document, field) for field in DocumentText.model_fields if field != "structure"}
    return DocumentText(**fields, structure=structure_of(document))


@router.get("/corpora/{name}/search", operation_id="search_corpus")
def search_corpus(
    server: State,
    name: PartName,
    q: Annotated[str, Query(min_length=1, max_length=4_000)],
    k: Annotated[int, Query(ge=1, le=100)] = 10,
) -> NearestPassages:
    """Return the passages of a corpus that are nearest to a query."""
    return NearestPassages(passages=tuple(server.catalog.corpus(name)(q, k)))


@router.get("/graphs/{name}/find", operation_id="find_entities")
def find_entities(
    server: State,
    name: PartName,
    q: Annotated[str, Query(max_length=200)] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 20,
) -> Entities:
    """Return entities of a graph whose names share words with a text; the first ones without a text."""
    graph = server.catalog.graph(name)
    numbers = graph.search(q, limit) if q.strip() else range(min(limit, graph.entity_count))
    return Entities(entities=tuple(graph.entities[number] for number in numbers))


@router.get("/graphs/{name}/entity", operation_id="get_entity")
def get_entity(
    server: State,
    name: PartName,
    entity: Annotated[str, Query(min_length=1, max_length=500)],
    limit: Annotated[int, Query(ge=1, le=1_000)] = 100,
) -> EntityLookup:
    """Return an entity with its triples, of each kind the first ones."""
    graph = server.catalog.graph(name)
    if graph.find(entity) is None:
        raise NotThereError(f"there is no entity {entity!r} in the graph {name!r}")
    return look_up(graph, entity, (), limit)
