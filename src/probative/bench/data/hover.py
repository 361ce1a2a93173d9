"""HoVer with texts: its claims name pages of HotpotQA's Wikipedia and numbers of their sentences.

The pages are the published introductions of all articles, or those of a folder `hover/pages`: a text file for
each page, named after it, or files of JSON lines with a `title` and a `text`, which is a list of sentences or
one text.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import IO, Any

from probative.bench.data.archives import parts
from probative.bench.data.files import read_json
from probative.bench.data.get import Getter
from probative.bench.data.splits import digest
from probative.errors import InputError
from probative.text.sentences import split_sentences

PAGES = 10
"""The pages of a claim, as of a question of HotpotQA: the gold ones, and the first that were retrieved."""
OWN_PAGES = "hover/pages"


def make_hover(getter: Getter) -> str:
    """Write HoVer's claims with their pages; returns what is missing in them."""
    claims_file, retrieved_file, pages_file = getter.data_set.raw
    claims = read_json(getter.place(claims_file))
    own = getter.data / OWN_PAGES
    if own.is_dir() and not (getter.data / retrieved_file.path).exists():
        ranked: dict[str, Sequence[str]] = {}
    else:
        ranked = {
            row["id"]: row["doc_retrieval_results"][0][0] for row in read_json(getter.place(retrieved_file))
        }
    titles = {claim["uid"]: _titles(claim, ranked.get(claim["uid"], ())) for claim in claims}
    wanted = {_key(title) for names in titles.values() for title in names}
    texts = read_pages(own if own.is_dir() else getter.place(pages_file), wanted)
    rows = [row for claim in claims if (row := with_texts(claim, titles[claim["uid"]], texts))]
    if not rows:
        raise InputError(f"the pages have no text of any of the {len(claims):,} claims of HoVer")
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (getter.data / getter.data_set.files[0].path).write_text(lines, encoding="utf-8")
    pages = sum(len(row["context"]) for row in rows) / len(rows)
    left_out = len(claims) - len(rows)
    return (
        f"{len(rows):,} claims with {pages:.1f} pages on average; {left_out:,} without their gold sentences"
    )


def with_texts(
    claim: Mapping[str, Any], titles: Sequence[str], texts: Mapping[str, Sequence[str]]
) -> dict[str, Any] | None:
    """Return a claim with its pages and gold sentences; None if the pages do not have all of these.

    The order of the pages depends on their titles only, so that it does not tell the gold ones.

    >>> claim = {"uid": "1", "supporting_facts": [["Pier", 1]]}
    >>> with_texts(claim, ["Pier"], {"pier": ["It is long.", "It burnt."]})["gold_sentences"]
    ['It burnt.']
    >>> with_texts(claim, ["Pier"], {"pier": ["It is long."]}) is None
    True
    """
    pages = {title: texts[_key(title)] for title in sorted(titles, key=digest) if _key(title) in texts}
    facts = [(title, number) for title, number in claim["supporting_facts"]]
    if not all(title in pages and 0 <= number < len(pages[title]) for title, number in facts):
        return None
    gold = [pages[title][number] for title, number in facts]
    context = [[title, list(sentences)] for title, sentences in pages.items()]
    return {**claim, "gold_sentences": gold, "context": context}


def _titles(claim: Mapping[str, Any], ranked: Sequence[str]) -> list[str]:
    """Return the gold pages of a claim, and those that were retrieved first."""
    gold = list(dict.fromkeys(title for title, _ in claim["supporting_facts"]))
    known = set(map(_key, gold))
    return [*gold, *(title for title in ranked if _key(title) not in known)][: max(len(gold), PAGES)]


def _key(title: str) -> str:
    """Return what identifies a page: its title in any case."""
    return unicodedata.normalize("NFC", title).casefold()


def read_pages(path: Path, wanted: Container[str]) -> dict[str, list[str]]:
    """Return the sentences of the wanted pages of a folder or an archive, by title in small letters."""
    pages = (page for name, stream in parts(path) for page in _pages_in(name, stream))
    return {_key(title): sentences for title, sentences in pages if _key(title) in wanted}


def _pages_in(name: str, stream: IO[bytes]) -> Iterator[tuple[str, list[str]]]:
    if name.endswith(".txt"):
        yield PurePosixPath(name).stem, _sentences(stream.read().decode("utf-8-sig"))
        return
    for line in stream:
        row = json.loads(line)
        yield row["title"], _sentences(row["text"])


def _sentences(text: str | Sequence[str]) -> list[str]:
    """Return the sentences of a text, or those of a list, which are numbered, without spaces around them."""
    return (
        [sentence.text for sentence in split_sentences(text)]
        if isinstance(text, str)
        else [s.strip() for s in text]
    )
