"""E-mails of one conversation: joined by the ids in their headers, never by their subjects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from probative.types import Value

MESSAGE_ID, REFERENCES, QUOTED_FROM = "message id", "references", "quoted from"
"""The metadata of an e-mail: its id and the ids of some before it in its conversation; of text that it
quotes, the id of the e-mail that it is quoted from."""
_ID = re.compile(r"<([^<>\s]{1,250})>")
# The first e-mails of a conversation join those whose headers were cut, the last ones are those quoted.
_FIRST, _LAST = 5, 20
# A mailing list may have one conversation of thousands.
_MAX_LISTED = 50


class ThreadMail(Value):
    """An e-mail of a conversation: the document that has it, its date and its sender."""

    source: str
    date: str | None = None
    author: str | None = None


def message_ids(*headers: str) -> tuple[str, ...]:
    """Return the ids in headers, each once, in their order; of many, the first and the last.

    >>> message_ids("<a@x> (comment) <b@x>", "<b@x> no-id <>")
    ('a@x', 'b@x')
    >>> len(message_ids("".join(f"<{number}@x>" for number in range(9_000))))
    25
    """
    ids = list(dict.fromkeys(each for header in headers for each in _ID.findall(header)))
    return tuple(ids if len(ids) <= _FIRST + _LAST else [*ids[:_FIRST], *ids[-_LAST:]])


def threads(
    mails: Sequence[tuple[str, str | None, Mapping[str, str]]], sources: Iterable[str]
) -> dict[str, tuple[ThreadMail, ...]]:
    """Return for some sources the e-mails of their conversations that other sources have, by date.

    `mails` are the source, the date and the metadata of each. Two are in one conversation if one names the
    other, or if both name a third one, which may be missing.

    >>> headers = {"a.eml": {"message id": "1"}, "b.eml": {"message id": "2", "references": "1"}}
    >>> mails = [(each, None, headers[each]) for each in headers]
    >>> [mail.source for mail in threads(mails, ["a.eml"])["a.eml"]]
    ['b.eml']
    """
    above: dict[str, str] = {}

    def root(identity: str) -> str:
        while (parent := above.setdefault(identity, identity)) != identity:
            above[identity] = identity = above[parent]
        return identity

    for _, _, metadata in mails:
        first, *others = _ids(metadata)
        for other in others:
            above[root(other)] = root(first)
    members: dict[str, dict[ThreadMail, None]] = {}
    roots: dict[str, dict[str, None]] = {}
    for source, date, metadata in sorted(mails, key=lambda mail: (mail[1] or "", mail[0])):
        thread = root(_ids(metadata)[0])
        mail = ThreadMail(source=source, date=date, author=metadata.get("author"))
        members.setdefault(thread, {})[mail] = None
        roots.setdefault(source, {})[thread] = None
    listed = {}
    for source in sources:
        linked = (
            mail for thread in roots.get(source, ()) for mail in members[thread] if mail.source != source
        )
        listed[source] = tuple(islice(linked, _MAX_LISTED))
    return listed


def _ids(metadata: Mapping[str, str]) -> list[str]:
    return [metadata[MESSAGE_ID], *metadata.get(REFERENCES, "").split()]
