"""Retrievers of other libraries: those of LangChain and LlamaIndex, known by their methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from probative.scope.inputs import Retriever


def as_retriever(value: Any) -> Retriever | None:
    """Return a function of a query and a number for a retriever of LangChain (it has `invoke`) or of
    LlamaIndex (`retrieve`). Anything else is returned as it is.

    Such a retriever decides itself how many it finds; of more than the number, the first are taken. So set it
    to 20 or more: ``search_kwargs={"k": 20}`` there, ``similarity_top_k=20`` here.

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
    return lambda query, n: [passage_fields(found) for found in list(search(query))[:n]]


def passage_fields(found: Any) -> Any:
    """Return the fields of a passage for a document of LangChain or Haystack, or a node of LlamaIndex;
    anything else is returned as it is.
    """
    node = getattr(found, "node", found)  # LlamaIndex puts a node and its score into one object
    metadata = getattr(node, "metadata", getattr(node, "meta", None))
    text = getattr(node, "page_content", getattr(node, "content", None))
    if not isinstance(text, str):
        content = getattr(node, "get_content", None)
        text = content() if callable(content) else None
    if not isinstance(text, str):
        return found
    known = metadata if isinstance(metadata, Mapping) else {}
    start = _number(known.get("start_index"), getattr(node, "start_char_idx", None))
    fields = {
        "text": text,
        "id": _word(getattr(node, "node_id", None), getattr(node, "id", None)),
        "title": _word(known.get("title")),
        "source": _word(known.get("source"), known.get("file_path"), known.get("file_name")),
        "date": _word(known.get("date")),
        "page": _number(known.get("page")),
        "start": start,
        "end": None if start is None else start + len(text),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _word(*values: Any) -> str | None:
    return next((str(value) for value in values if isinstance(value, str | int) and str(value)), None)


def _number(*values: Any) -> int | None:
    return next((value for value in values if isinstance(value, int) and value >= 0), None)
