"""An index whose files are damaged or lost names the file and the command that makes it again."""

from __future__ import annotations

import os
import shlex
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from letter_encoder import LetterEncoder
from small_corpus import write

from probative.corpus.corpus import Corpus
from probative.corpus.documents.files import find_files
from probative.corpus.index.index_folder import CorpusState, IndexFolder
from probative.corpus.index.update import update_index
from probative.corpus.indexing import cached_index
from probative.errors import InputError, StoreError
from probative.settings import load_settings

Damage = Callable[[Path], object]


def removed(file: Path) -> None:
    file.unlink()


def replaced(file: Path, content: bytes) -> None:
    """Write another file in the place of one: a thread of tantivy may still have mapped the one before."""
    file.unlink()
    file.write_bytes(content)


def cut(file: Path) -> None:
    replaced(file, file.read_bytes()[: file.stat().st_size // 2])


def garbled(file: Path) -> None:
    replaced(file, bytes((7 * number + 129) % 256 for number in range(file.stat().st_size)))


def zeroed(file: Path) -> None:
    replaced(file, bytes(file.stat().st_size))


DAMAGES = (removed, cut, garbled, zeroed)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "my documents")


@pytest.fixture
def index(folder: Path, tmp_path: Path) -> Path:
    update_index(folder, tmp_path / "index", encoder=LetterEncoder())
    return tmp_path / "index"


def use(index: Path) -> tuple[str, ...]:
    """Open and search an index, show a document, and return the notes."""
    with Corpus(index, encoder=LetterEncoder()) as corpus:
        assert corpus.search("crane", 5)
        corpus.document("log.txt")
        return corpus.notes


def rebuild(raised: pytest.ExceptionInfo[StoreError], folder: str | Path, index: Path) -> None:
    """Check the command of an error."""
    words = shlex.split(raised.value.hint.partition(": ")[2])
    assert words == ["probative", "index", str(folder), "--out", str(index), "--rebuild"]


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", ["probative-index.json", "documents.sqlite", "vectors/label.json"])
def test_each_part_of_an_index_is_named_when_it_is_damaged(
    folder: Path, index: Path, name: str, damage: Damage
) -> None:
    damage(index / name)
    if (name, damage) == ("vectors/label.json", removed):
        assert "0 of 5 passages have vectors" in use(index)[0]
        return
    with pytest.raises(StoreError, match=name) as raised:
        use(index)
    rebuild(raised, "FOLDER" if name.startswith("probative") else folder, index)
    if not name.startswith("vectors"):
        with pytest.raises(StoreError, match=name) as raised:
            update_index(folder, index)
        assert "--rebuild" in raised.value.hint
    update_index(folder, index, encoder=LetterEncoder(), rebuild=True)
    assert use(index) == ()


@pytest.mark.parametrize("damage", [removed, cut, zeroed])
@pytest.mark.parametrize("suffix", ["pos", "idx", "term", "store", "fast", "fieldnorm"])
def test_damaged_files_of_words_are_a_typed_error_or_do_no_harm(
    folder: Path, index: Path, suffix: str, damage: Damage
) -> None:
    for file in (index / "words").glob(f"*.{suffix}"):
        damage(file)
    with suppress(StoreError) if damage is zeroed else pytest.raises(StoreError) as raised:
        use(index)
    if raised is not None:
        assert str(index / "words") in raised.value.what
        rebuild(raised, folder, index)
    update_index(folder, index, encoder=LetterEncoder(), rebuild=True)
    assert use(index) == ()


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", ["rows.f16", "rows.codes", "rows.numbers"])
def test_damaged_vectors_give_a_note_and_are_made_again(
    folder: Path, index: Path, name: str, damage: Damage
) -> None:
    damage(index / "vectors" / name)
    (note,) = use(index)
    assert str(index / "vectors" / name) in note
    assert "only words are searched" in note
    assert f"probative index {shlex.quote(str(folder))} --out {index}" in note
    encoder = LetterEncoder()
    update_index(folder, index, encoder=encoder)
    assert encoder.texts == 5
    assert use(index) == ()


def test_an_index_without_its_label_is_no_folder_of_documents(folder: Path, index: Path) -> None:
    (index / "probative-index.json").unlink()
    with pytest.raises(StoreError, match=r"probative-index\.json is missing"):
        Corpus.open(index, vectors=False)
    with pytest.raises(InputError, match="is an index, not a folder of documents"):
        list(find_files(index))
    index.rename(folder / "lost")
    assert not [file for file in find_files(folder) if "lost" in file.source]


def test_a_document_that_cannot_be_decoded_is_a_typed_error(folder: Path, index: Path) -> None:
    with sqlite3.connect(index / "documents.sqlite") as connection:
        connection.execute("update documents set document = x'00'")
    connection.close()
    with Corpus(index) as corpus, pytest.raises(StoreError, match=r"documents\.sqlite") as raised:
        corpus.document("log.txt")
    rebuild(raised, folder, index)


def test_a_catalog_without_tables_is_a_typed_error(folder: Path, index: Path) -> None:
    with sqlite3.connect(index / "documents.sqlite") as connection:
        connection.execute("drop table documents")
    connection.close()
    with pytest.raises(StoreError, match=r"documents\.sqlite.*no such table"):
        use(index)


@pytest.mark.parametrize("name", ["probative-index.json", "documents.sqlite", "vectors/label.json"])
def test_a_damaged_index_in_the_cache_is_made_again(folder: Path, name: str) -> None:
    index = cached_index(folder, load_settings())
    update_index(folder, index, encoder=LetterEncoder())
    garbled(index / name)
    with Corpus.open(folder, vectors=False) as corpus:
        assert corpus.documents == 4


def test_the_state_of_a_damaged_index_is_a_typed_error(index: Path) -> None:
    garbled(index / "vectors" / "label.json")
    with pytest.raises(StoreError, match=r"label\.json"):
        CorpusState.of(index)


def test_indexing_that_stopped_before_the_label_starts_anew(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    index = tmp_path / "new"
    with monkeypatch.context() as patched:
        patched.setattr(IndexFolder, "write_label", stop)
        with pytest.raises(KeyboardInterrupt):
            update_index(folder, index)
    assert update_index(folder, index).documents == 4


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_an_index_is_for_its_owner_alone(folder: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    script = (
        "import os, sys; os.umask(0o022); from pathlib import Path; sys.path.insert(0, sys.argv[3]);"
        "from letter_encoder import LetterEncoder; from probative.corpus.index.update import update_index;"
        "update_index(sys.argv[1], Path(sys.argv[2]), encoder=LetterEncoder())"
    )
    helpers = Path(__file__).parents[2] / "helpers"
    for text in ("It rained.", "It snowed."):
        (folder / "log.txt").write_text(text, encoding="utf-8")
        arguments = [sys.executable, "-c", script, str(folder), str(index), str(helpers)]
        subprocess.run(arguments, check=True, timeout=120)
        paths = [index, *index.rglob("*")]
        assert {oct(path.stat().st_mode & 0o777) for path in paths if path.is_dir()} == {"0o700"}
        assert {oct(path.stat().st_mode & 0o777) for path in paths if path.is_file()} == {"0o600"}
        index.chmod(0o755)  # as older versions made it
