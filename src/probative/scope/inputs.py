"""The inputs of scope: what the caller gives, converted and checked; retrievers of other libraries."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from probative.errors import InputError
from probative.text.words import clean
from probative.types import DatedPassage, Passage, SentencePassage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?(?![\d-])")
Retriever = Callable[[str, int], Sequence[Any]]
"""Returns at most n passages for a query and n."""


@dataclass(frozen=True)
class Inputs:
    """A question with its passages.

    `retriever` looks up missing features; `vectors` are the vectors of the passages, if the caller has them.
    """

    question: str
    passages: Sequence[Passage] = ()
    retriever: Retriever | None = None
    vectors: NDArray[np.float32] | None = None

    def check(self) -> None:
        """Raise InputError for a retriever that cannot be called or vectors that do not fit."""
        if self.retriever is not None and not callable(self.retriever):
            raise InputError(
                f"a retriever must be a function of a query and a number, got {type(self.retriever).__name__}"
            )
        if self.vectors is not None and len(self.vectors) != len(self.passages):
            raise InputError(
                f"got {len(self.vectors)} vectors for {len(self.passages)} passages",
                hint="give one vector for each passage",
            )


def as_passages(values: Any) -> list[Passage]:
    """Convert strings, dictionaries and passages to passages; raises InputError.

    >>> as_passages(["One.", {"id": "b", "text": "Two."}])[1].id
    'b'
    """
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise InputError("passages must be a list of texts or passages", hint="put a single text into a list")
    return [_as_passage(index, value) for index, value in enumerate(values)]


def _as_passage(index: int, value: Any) -> Passage:
    if isinstance(value, Passage):
        return _encodable(index, value)
    if isinstance(value, str):
        return _encodable(index, Passage(text=value))
    if not isinstance(value, Mapping):
        raise InputError(f"passages[{index}] must be a text or a passage, got {type(value).__name__}")
    fields = {name: value[name] for name in Passage.model_fields if value.get(name) is not None}
    if isinstance(fields.get("id"), int):
        fields["id"] = str(fields["id"])
    dated = _date_and_page(value)
    try:
        passage = DatedPassage(**fields, **dated) if dated else Passage.model_validate(fields)
        return _encodable(index, passage)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"passages[{index}] cannot be used: {where}: {first['msg']}") from None


def _date_and_page(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the date and page of a passage, its own or those of its `metadata`, if they can be read."""
    metadata = value.get("metadata")
    fields = {**(metadata if isinstance(metadata, Mapping) else {}), **value}
    date, page = fields.get("date"), fields.get("page")
    match = _DATE.match(date.isoformat() if isinstance(date, datetime.date) else str(date or ""))
    readable: dict[str, Any] = {} if match is None else {"date": match.group()}
    if isinstance(page, int) and not isinstance(page, bool):
        readable["page"] = page
    return readable


def unused_notes(values: Sequence[Any]) -> list[str]:
    """Return a note about the fields of passages given as dictionaries that are not used.

    >>> unused_notes(["It rained.", {"text": "We left.", "score": 0.5, "date": "soon"}])
    ['not used of the passages: date (not YYYY-MM-DD), score']
    """
    mappings = [value for value in values if isinstance(value, Mapping)]
    unused = {str(key) for value in mappings for key in value} - {*DatedPassage.model_fields, "metadata"}
    if any(value.get("date") is not None and "date" not in _date_and_page(value) for value in mappings):
        unused.add("date (not YYYY-MM-DD)")
    return [f"not used of the passages: {', '.join(sorted(unused))}"] if unused else []


def _encodable(index: int, passage: Passage) -> Passage:
    """Raise InputError for half of a surrogate pair: the result could not be written."""
    for value in (passage.text, passage.id, passage.title, passage.source):
        try:
            (value or "").encode()
        except UnicodeEncodeError as error:
            raise InputError(f"passages[{index}] cannot be encoded as UTF-8: {error.reason}") from None
    return passage


def joined(passages: Sequence[Passage]) -> Passage:
    """Return all passages, with their titles, as one text.

    >>> joined([Passage(text="He sailed.", title="Ole Brandt"), Passage(text="It sank.")]).text
    'Ole Brandt: He sailed. It sank.'
    """
    return Passage(text=" ".join(passage.whole for passage in passages if passage.text.strip()))


def clean_passage(passage: Passage) -> Passage:
    """Return a passage with its text and title on one line, without control characters."""
    text = clean(passage.text)
    title = clean(passage.title) if passage.title is not None else None
    if isinstance(passage, SentencePassage):
        sentences = tuple(filter(None, map(clean, passage.own_sentences())))
        return passage.model_copy(update={"text": text, "title": title or None, "sentence_texts": sentences})
    if text == passage.text and title == passage.title:
        return passage
    return passage.model_copy(update={"text": text, "title": title or None})


def distinct_passages(passages: Sequence[Passage], note: Callable[[str], None]) -> list[int]:
    """Return the indexes of the passages with a text, each text once; `note` reports how many were omitted.

    Raises InputError if no passage is left.
    """
    first: dict[str, int] = {}
    empty = repeated = 0
    for index, passage in enumerate(passages):
        text = clean(passage.text).lower()
        if not text:
            empty += 1
        elif text in first:
            repeated += 1
        else:
            first[text] = index
    if not first:
        raise InputError(
            "there are no passages to answer from" if not passages else "the passages are all empty",
            hint="give at least one passage with a text",
        )
    if empty:
        note(f"empty passages were left out: {empty}")
    if repeated:
        note(f"passages that repeat an earlier passage word for word were left out: {repeated}")
    return list(first.values())


def as_retriever(value: Any) -> Retriever | None:
    """Return a function of a query and a number for a retriever of LangChain (it has `invoke`) or of
    LlamaIndex (`retrieve`). Anything else is returned as it is.

    Such a retriever decides itself how many passages it returns; the first ones are taken if there are more
    than asked for. So set it to 20 or more: ``search_kwargs={"k": 20}`` or ``similarity_top_k=20``.

    >>> from types import SimpleNamespace
    >>> document = SimpleNamespace(page_content="It rained.", metadata={"source": "log.txt"}, id="7")
    >>> retriever = as_retriever(SimpleNamespace(invoke=lambda query: [document]))
    >>> retriever("When did it rain?", 5)
    [{'text': 'It rained.', 'id': '7', 'source': 'log.txt'}]
    """
    if value is None or callable(value):
        function: Retriever | None = value
        return function
    search = next(
        (method for name in ("invoke", "retrieve") if callable(method := getattr(value, name, None))), None
    )
    if search is None:
        unknown: Any = value  # `Inputs.check` says what is wrong
        return unknown  # type: ignore[no-any-return]
    return lambda query, n: [passage_fields(document) for document in list(search(query))[:n]]


def passage_fields(document: Any) -> Any:
    """Return the fields of a passage for a document of LangChain, Haystack or LlamaIndex."""
    node = getattr(document, "node", document)  # LlamaIndex puts a node and its score into one object
    metadata = getattr(node, "metadata", getattr(node, "meta", None))
    text = getattr(node, "page_content", getattr(node, "content", None))
    if not isinstance(text, str):
        content = getattr(node, "get_content", None)
        text = content() if callable(content) else None
    if not isinstance(text, str):
        return document
    details = metadata if isinstance(metadata, Mapping) else {}
    start = _number(details.get("start_index"), getattr(node, "start_char_idx", None))
    fields = {
        "text": text,
        "id": _word(getattr(node, "node_id", None), getattr(node, "id", None)),
        "title": _word(details.get("title")),
        "source": _word(details.get("source"), details.get("file_path"), details.get("file_name")),
        "date": _word(details.get("date")),
        "page": _number(details.get("page")),
        "start": start,
        "end": None if start is None else start + len(text),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _word(*values: Any) -> str | None:
    return next((str(value) for value in values if isinstance(value, str | int) and str(value)), None)


def _number(*values: Any) -> int | None:
    return next((value for value in values if isinstance(value, int) and value >= 0), None)
