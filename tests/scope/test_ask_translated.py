"""Documents in another language are found by the translation of the question."""

from __future__ import annotations

from pathlib import Path

import pytest
from word_vectors import WordVectors

from probative import ask
from probative.corpus.corpus import Corpus
from probative.corpus.documents.files import SearchFilters
from probative.models.types import Request
from probative.testing import ScriptedModel
from probative.verbs.corpus_source import language_to_search

QUESTION = "Who built the bridge over the river?"
GERMAN = "Wer baute die Brücke über den Fluss?"


def reply(request: Request) -> str:
    """Translate the question, and answer it."""
    prompt = request.messages[-1].content
    return GERMAN if "Translate" in prompt else "Jonas Brandt [1]"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Return a folder with nine documents in English and one in German, the only one about the bridge."""
    folder = tmp_path / "documents"
    folder.mkdir()
    for number in range(9):
        text = f"Barn number {number} was built of stone. It held the hay of farm {number}."
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
    german = "Jonas Brandt baute im Sommer 1911 die alte Brücke über den Fluss. Sie besteht aus Holz."
    (folder / "bruecke.txt").write_text(german, encoding="utf-8")
    return folder


def asked(name: str, corpus: Path, filters: SearchFilters | None = None) -> tuple[tuple[str, ...], list[str]]:
    """Return what was retrieved, and the prompts by which a model of this name was asked to translate."""
    model = ScriptedModel(generate=reply, name=name)
    with Corpus.open(corpus, vectors=False, filters=filters) as opened:
        answer = ask(QUESTION, corpus=opened, model=model, encoder=WordVectors(), method="rag")
    prompts = [each.messages[-1].content for each in model.asked if isinstance(each, Request)]
    return answer.retrieved, [prompt for prompt in prompts if "Translate" in prompt]


def test_a_document_is_found_by_one_more_call(corpus: Path) -> None:
    retrieved, prompts = asked("openai:tern", corpus)
    assert retrieved[0].startswith("bruecke.txt")
    assert len(prompts) == 1
    assert "into German" in prompts[0]
    assert QUESTION in prompts[0]


def test_an_embedded_model_is_not_asked(corpus: Path) -> None:
    retrieved, prompts = asked("embedded:tiny", corpus)
    assert prompts == []
    assert not any(place.startswith("bruecke.txt") for place in retrieved[:1])


def test_nothing_is_translated_over_documents_in_the_language_of_the_question(corpus: Path) -> None:
    (corpus / "bruecke.txt").unlink()
    assert asked("openai:tern", corpus)[1] == []


@pytest.mark.parametrize("filters", [SearchFilters(languages=("en",)), SearchFilters(sources=("none",))])
def test_nothing_is_translated_for_documents_that_the_filters_leave_out(
    filters: SearchFilters, corpus: Path
) -> None:
    assert asked("openai:tern", corpus, filters)[1] == []


@pytest.mark.parametrize(
    ("question", "languages", "language"),
    [
        (GERMAN, {"de": 5}, None),
        (GERMAN, {"de": 5, "en": 4, "fr": 1}, "en"),
        (QUESTION, {"de": 5}, "de"),
        (QUESTION, {}, None),
    ],
)
def test_the_most_frequent_other_language_is_searched(
    question: str, languages: dict[str, int], language: str | None
) -> None:
    assert language_to_search(question, languages) == language
