"""An index answers as a fresh one does, whatever was added, edited and deleted before."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from letter_encoder import LetterEncoder

from probative.corpus.corpus import Corpus
from probative.corpus.index import passage_vectors
from probative.corpus.index.update import update_index
from probative.corpus.stores import word_index
from probative.corpus.stores.labels import read_vectors_label

NAMES = ("a.txt", "b.md", "deep/c.txt", "rows.jsonl")
QUERIES = ("When did the ferry leave the quay?", "lantern", "the crane of the harbour was painted")
_SENTENCES = st.sampled_from(
    (
        "The ferry left the quay at six.",
        "A lantern hangs in the boathouse.",
        "The crane of the harbour was painted green.",
        "Nobody counted the lanterns on the quay.",
        "The harbour is closed in March.",
        "Die Fähre fährt am Morgen nicht, und der Kran steht still.",
        "Ropes are dried in the loft, and the lantern is lit at dusk, when the ferry has left. " * 12,
    )
)
_TEXTS = st.lists(_SENTENCES, min_size=1, max_size=5)
# What happens before an update: a name gets another text, or is deleted; and whether vectors are made.
_STEPS = st.lists(
    st.tuples(st.dictionaries(st.sampled_from(NAMES), st.none() | _TEXTS, min_size=1), st.booleans()),
    min_size=1,
    max_size=5,
)


def put(folder: Path, changes: dict[str, list[str] | None]) -> None:
    for name, sentences in changes.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if sentences is None:
            file.unlink(missing_ok=True)
        elif file.suffix == ".jsonl":
            records = [
                {"text": text, "date": f"20{10 + at}-05-01", "no": at} for at, text in enumerate(sentences)
            ]
            file.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
        else:
            file.write_text("\n\n".join(sentences), encoding="utf-8")


def hits(index: Path, n: int) -> list[list[tuple[str, str, float]]]:
    with Corpus(index, encoder=LetterEncoder()) as corpus:
        assert corpus.notes == ()
        found = [corpus.search(query, n) for query in QUERIES]
        found.append(corpus.search(QUERIES[0], n, corpus.filters.of(since="2011-01")))
        rows = [[(hit.passage.id, hit.passage.text, round(hit.score, 6)) for hit in each] for each in found]
        near = [[(passage.id, passage.text, 0.0) for passage in corpus.by_vectors(QUERIES[1], n)]]
        return rows + near


@settings(max_examples=25)
@given(steps=_STEPS, n=st.sampled_from((1, 3, 100)))
def test_any_history_gives_the_hits_of_a_fresh_index(
    steps: list[tuple[dict[str, list[str] | None], bool]], n: int
) -> None:
    with TemporaryDirectory() as place:
        folder, old, fresh = Path(place, "documents"), Path(place, "old"), Path(place, "fresh")
        put(folder, {"zero.txt": ["The harbour has a crane."]})
        for changes, vectors in steps:
            put(folder, changes)
            update_index(folder, old, encoder=LetterEncoder() if vectors else None)
        update_index(folder, old, encoder=LetterEncoder())
        update_index(folder, fresh, encoder=LetterEncoder())
        assert hits(old, n) == hits(fresh, n)


def edited(tmp_path: Path, edits: int) -> tuple[Path, Path]:
    """Make an index of five short documents and a long one, and edit the long one some times."""
    folder, index = tmp_path / "documents", tmp_path / "index"
    put(folder, {f"{number}.txt": [f"Lantern {number} hangs in the boathouse."] for number in range(5)})
    for edit in range(edits + 1):
        text = [f"Version {edit}, part {part}: a lantern. " + "It hangs there. " * 60 for part in range(13)]
        put(folder, {"long.txt": text})
        update_index(folder, index, encoder=LetterEncoder())
    return folder, index


@pytest.mark.parametrize("small", [0, 20_000])
def test_many_edits_of_one_file_hide_no_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: int
) -> None:
    monkeypatch.setattr(word_index, "SMALL", small)
    monkeypatch.setattr(passage_vectors, "STALE_SHARE", 1e9)
    folder, index = edited(tmp_path, 8)
    update_index(folder, tmp_path / "fresh", encoder=LetterEncoder())
    for n in (3, 18, 100):
        ids = [{row[0] for row in each} for each in hits(index, n)]
        fresh = [{row[0] for row in each} for each in hits(tmp_path / "fresh", n)]
        assert ids == fresh if small or n == 100 else list(map(len, ids)) == list(map(len, fresh))
    assert {f"{number}.txt#char=0,33" for number in range(5)} <= ids[-1]


def test_stale_rows_are_removed_beyond_a_share(tmp_path: Path) -> None:
    folder, index = edited(tmp_path, 8)
    label = read_vectors_label(index / "vectors")
    with Corpus(index) as corpus:
        passages = len(corpus)
    assert label is not None
    assert passages <= label.rows <= passages * (1 + passage_vectors.STALE_SHARE)
    assert word_index.deleted_passages(index / "words") == 0
    files = sorted(file.name for file in (index / "vectors").iterdir())
    assert len(files) == 4, files
    encoder = LetterEncoder()
    shutil.copy(folder / "0.txt", folder / "copy.txt")
    update_index(folder, index, encoder=encoder)
    assert encoder.texts == 1
