"""A corpus finds passages in their languages, filters documents, and leads back to their places."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from filelock import FileLock
from office import xlsx
from small_corpus import TEXTS, write

from probative.corpus.corpus import Corpus
from probative.corpus.documents.document import Citation
from probative.corpus.documents.files import SearchFilters
from probative.corpus.indexing import cached_index, index_folder
from probative.errors import InputError, StoreError
from probative.settings import load_settings
from probative.views.index import surroundings_view


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "documents")


def test_a_passage_leads_back_to_its_place_without_the_file(folder: Path, tmp_path: Path) -> None:
    index_folder(folder, tmp_path / "index")
    shutil.rmtree(folder)
    with Corpus.open(tmp_path / "index") as corpus:
        (passage, *_) = corpus("What does a ferry ticket cost?", 3)
        assert passage.text == "A ferry ticket costs 3 crowns."
        assert passage.title == "Harbour minutes › Fares"
        assert passage.date == "2024-05-02"
        assert passage.id is not None
        place = Citation.parse(passage.id)
        text = TEXTS["minutes/may.md"]
        assert text[place.start : place.end] == passage.text
        assert [text[start:end] for start, end in passage.sentences] == [passage.text]
        assert corpus.document("minutes/may.md").text == text
        shown = corpus.show(passage.id)
        assert shown.text == passage.text
        assert "repair the crane" in shown.before
        with pytest.raises(InputError, match=r"there is no document 'gone\.txt'"):
            corpus.document("gone.txt")


def test_a_row_of_a_workbook_leads_back_to_its_cells(tmp_path: Path) -> None:
    rows = [["Rope", "Price"], ["hemp", 3.2], ["steel", 12]]
    (tmp_path / "prices.xlsx").write_bytes(xlsx({"Ropes & tar": rows}))
    with Corpus.open(tmp_path) as corpus:
        (passage,) = corpus("price of hemp", 3)
        assert passage.id == "prices.xlsx#sheet=Ropes %26 tar&cells=A2:B3&char=13,59"
        start, end = passage.sentences[1]
        shown = corpus.show(f"prices.xlsx#sheet=Ropes %26 tar&cells=A3:B3&char={start},{end}")
        assert shown.text == "Rope: steel; Price: 12"
        assert surroundings_view(shown)[1].parts[0].text == "prices.xlsx, sheet Ropes & tar, A3:B3"


def test_words_are_stemmed_in_the_language_of_the_document(folder: Path) -> None:
    with Corpus.open(folder) as corpus:
        assert corpus("repairs", 1)[0].source in ("minutes/may.md", "minutes/june.md")
        assert corpus("Fahrkarte", 1)[0].source == "brief.txt"
        assert corpus("fahrt der fahre", 1)[0].source == "brief.txt"


@pytest.mark.parametrize(
    ("filters", "sources"),
    [
        (SearchFilters(sources=("minutes/*",)), {"minutes/may.md", "minutes/june.md"}),
        (SearchFilters(sources=("*.txt",)), {"log.txt"}),
        (SearchFilters(since="2024-06"), {"minutes/june.md"}),
        (SearchFilters(until="2024-05"), {"minutes/may.md"}),
        (SearchFilters(since="2024", until="2024"), {"minutes/may.md", "minutes/june.md"}),
        (SearchFilters(sources=("minutes",)), {"minutes/may.md", "minutes/june.md"}),
        (SearchFilters(sources=("./minutes/",)), {"minutes/may.md", "minutes/june.md"}),
        (SearchFilters(languages=("de",)), set()),
        (SearchFilters(sources=("nowhere/*",)), set()),
    ],
)
def test_filters_choose_documents(folder: Path, filters: SearchFilters, sources: set[str]) -> None:
    with Corpus.open(folder) as corpus:
        hits = corpus.search("the ferry crane repaired ticket", 10, filters)
        assert {hit.passage.source for hit in hits} == sources
    with Corpus.open(folder, filters=filters) as corpus:
        assert {passage.source for passage in corpus("the ferry crane repaired ticket", 10)} == sources


def test_metadata_filters_compare_without_case(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "d", {"a.md": "---\nauthor: Ida Lund\n---\nThe crane is red.", "b.md": "A crane."}
    )
    with Corpus.open(folder) as corpus:
        assert corpus.document("a.md").metadata["author"] == "Ida Lund"
        found = corpus.search("crane", 5, SearchFilters(metadata={"Author": "ida lund"}))
        assert [hit.passage.source for hit in found] == ["a.md"]


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({"since": "2025-13"}, "the filter since cannot be used: a date must be YYYY, YYYY-MM or YYYY-MM-DD"),
        ({"since": "2026", "until": "2025-12"}, "^since 2026 is after until 2025-12"),
        ({"languages": ("french",)}, "a language must be a code of two letters such as en, got 'french'"),
    ],
)
def test_filters_that_cannot_hold_are_refused(given: dict[str, str], what: str) -> None:
    with pytest.raises(InputError, match=what):
        SearchFilters.of(**given)


def test_a_metadata_value_may_have_stars_and_a_language_its_country() -> None:
    author = {"author": "Ida Lund <ida@example.org>"}
    by_author = [SearchFilters(metadata={"author": value}) for value in ("ida*", "ida", "?da*")]
    assert [filters.takes("a", None, "en", author) for filters in by_author] == [True, False, False]
    assert SearchFilters(languages=("EN-gb",)).takes("a", None, "en", {})


def test_filters_that_leave_nothing_are_noted(folder: Path) -> None:
    with Corpus.open(folder, filters=SearchFilters(languages=("fi",))) as corpus:
        assert f"the filters take none of the {corpus.documents} documents" in corpus.notes


def test_vectors_find_what_shares_no_word(folder: Path) -> None:
    with Corpus.open(folder) as corpus:
        assert corpus.by_words("precipitation", 1) == []
        assert corpus("precipitation", 1)[0].source == "log.txt"
        assert corpus.by_vectors("wet weather", 1)[0].source == "log.txt"
    with Corpus.open(folder, vectors=False) as corpus:
        assert corpus("precipitation", 1) == []
        assert corpus.by_vectors("wet weather", 1) == []


def test_filters_hold_for_vectors(folder: Path) -> None:
    with Corpus.open(folder, filters=SearchFilters(sources=("minutes/*",))) as corpus:
        assert {passage.source for passage in corpus.by_vectors("wet weather", 9)} <= {
            "minutes/may.md",
            "minutes/june.md",
        }


def test_a_wrong_date_is_an_input_error() -> None:
    with pytest.raises(InputError, match="YYYY"):
        SearchFilters.of(since="May 2024")


def test_a_text_that_repeats_comes_once(tmp_path: Path) -> None:
    texts = {f"{number:03}.txt": "The crane is red." for number in range(100)}
    texts["z.txt"] = "A crane was sold to the museum in the north of the town."
    folder = write(tmp_path / "d", texts)
    with Corpus.open(folder) as corpus:
        assert {passage.text for passage in corpus("crane", 3)} == {"The crane is red.", texts["z.txt"]}


def test_scores_fall_and_n_is_kept(folder: Path) -> None:
    with Corpus.open(folder) as corpus:
        hits = corpus.search("the crane was repaired", 2)
        assert len(hits) == 2
        assert hits[0].score >= hits[1].score
        with pytest.raises(InputError, match="n must be at least 1"):
            corpus.search("crane", 0)
        assert corpus.by_words("…", 3) == []


def test_an_open_corpus_sees_an_update(folder: Path, tmp_path: Path) -> None:
    index_folder(folder, tmp_path / "index")
    with Corpus.open(tmp_path / "index") as corpus:
        assert corpus.by_words("lighthouse", 1) == []
        (folder / "new.txt").write_text("A lighthouse stands on the skerry.", encoding="utf-8")
        index_folder(folder, tmp_path / "index")
        assert [passage.source for passage in corpus("lighthouse", 1)] == ["new.txt"]


def test_a_folder_is_indexed_into_the_cache_and_kept_up_to_date(folder: Path) -> None:
    with Corpus.open(folder) as corpus:
        assert corpus.summary is not None
        assert corpus.summary.added == 4
        assert corpus.path.is_relative_to(load_settings().home_folder)
    (folder / "new.txt").write_text("A lighthouse stands on the skerry.", encoding="utf-8")
    with Corpus.open(folder) as corpus:
        assert corpus("lighthouse", 1) != []
    with Corpus.open(folder, update=False) as corpus:
        assert corpus.summary is None


def test_a_damaged_index_in_the_cache_is_made_again_but_one_of_the_user_is_not(
    folder: Path, tmp_path: Path
) -> None:
    with Corpus.open(folder):
        pass
    (cached_index(folder, load_settings()) / "documents.sqlite").write_bytes(b"nothing" * 1000)
    with Corpus.open(folder) as corpus:
        assert corpus("crane", 1) != []
    index_folder(folder, tmp_path / "index")
    shutil.rmtree(tmp_path / "index" / "words")
    with pytest.raises(StoreError, match="cannot be opened"):
        Corpus.open(tmp_path / "index")


def test_while_another_process_updates_the_last_state_answers(folder: Path) -> None:
    with Corpus.open(folder):
        pass
    with FileLock(cached_index(folder, load_settings()) / ".lock"), Corpus.open(folder) as corpus:
        assert corpus("crane", 1) != []
        assert "another process is updating" in corpus.notes[0]


def test_names_in_any_alphabet_and_of_any_bytes(tmp_path: Path) -> None:
    folder = write(tmp_path / "d", {"отчёт/май.txt": "The crane is red.", "表 #1.txt": "The crane is blue."})
    (folder / "caf\udce9.txt").write_text("The crane is green.", encoding="utf-8")
    with Corpus.open(folder) as corpus:
        for passage in corpus("crane", 5):
            assert passage.id is not None
            assert corpus.show(passage.id).text == passage.text
            assert passage.source is not None
            assert corpus.document(passage.source).text == passage.text
            passage.to_json()
        assert len(corpus.sources()) == 3


def test_files_that_could_not_be_read_are_noted(tmp_path: Path) -> None:
    place = tmp_path / "documents"
    place.mkdir()
    (place / "a.txt").write_text("The mill burnt down in 1890.")
    (place / "photo.png").write_bytes(b"GIF89a" + bytes(100))
    (place / "plan.pdf").write_bytes(b"not a PDF")
    with Corpus.open(place, vectors=False) as corpus:
        assert [item.source for item in corpus.unread] == ["photo.png", "plan.pdf"]
        assert "not read: 2 files (1 damaged, 1 image): photo.png, plan.pdf" in corpus.notes
    with Corpus.open(place, vectors=False, update=False) as again:
        assert len(again.unread) == 2
