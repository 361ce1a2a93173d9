"""Which documents of a corpus are searched: by source, date, language and metadata."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any, Self

from pydantic import Field, ValidationError, field_validator, model_validator

from probative.corpus.documents.dates import iso_date, language_code
from probative.corpus.documents.files import matches
from probative.errors import InputError
from probative.types import Value

_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


class SearchFilters(Value):
    """All conditions must hold; one with several values holds if one of them fits.

    `sources` are glob patterns. `since` and `until` are dates as YYYY, YYYY-MM or YYYY-MM-DD, both included;
    a document without a date fits neither. `languages` are ISO 639-1 codes. `metadata` compares values
    without case; in them, `*` stands for any characters.

    >>> filters = SearchFilters(sources=("minutes/*",), since="2024")
    >>> [filters.takes("minutes/may.pdf", date, "en", {}) for date in ("2024-05-02", "2023", None)]
    [True, False, False]
    """

    sources: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    languages: tuple[str, ...] = ()
    metadata: dict[str, str] = Field(default_factory=dict)

    @field_validator("since", "until")
    @classmethod
    def _check_date(cls, date: str | None) -> str | None:
        if date is not None and (not _DATE.fullmatch(date) or iso_date(date) != date):
            raise ValueError(f"a date must be YYYY, YYYY-MM or YYYY-MM-DD, got {date!r}")
        return date

    @field_validator("languages")
    @classmethod
    def _check_languages(cls, languages: tuple[str, ...]) -> tuple[str, ...]:
        for language in languages:
            if not language_code(language):
                raise ValueError(f"a language must be a code of two letters such as en, got {language!r}")
        return tuple(language_code(language) for language in languages)

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if self.since and self.until and _prefix(self.since, self.until) > _prefix(self.until, self.since):
            raise ValueError(f"since {self.since} is after until {self.until}")
        return self

    @classmethod
    def of(cls, **values: Any) -> Self:
        """Return the filters with these values; raises `InputError`."""
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"]))
            what = first["msg"].removeprefix("Value error, ")
            raise InputError(f"the filter {where} cannot be used: {what}" if where else what) from None

    def __bool__(self) -> bool:
        """Whether there is any condition."""
        return self != SearchFilters()

    def takes(self, source: str, date: str | None, language: str, metadata: Mapping[str, str]) -> bool:
        """Return whether a document with these properties is searched."""
        if self.sources and not any(matches(source, pattern) for pattern in self.sources):
            return False
        if self.languages and language not in self.languages:
            return False
        if not self._in_time(date):
            return False
        own = {name.lower(): value.lower() for name, value in metadata.items()}
        return all(
            fnmatchcase(own.get(name.lower(), ""), _pattern(value)) for name, value in self.metadata.items()
        )

    def _in_time(self, date: str | None) -> bool:
        """Return whether a date is between `since` and `until`, as far as each is given."""
        if self.since is None and self.until is None:
            return True
        if date is None:
            return False
        late_enough = self.since is None or _prefix(date, self.since) >= _prefix(self.since, date)
        return late_enough and (self.until is None or _prefix(date, self.until) <= _prefix(self.until, date))


def _pattern(value: str) -> str:
    """Return the pattern of a value in which only `*` has a meaning."""
    return re.sub(r"[\[?]", lambda match: f"[{match[0]}]", value.lower())


def _prefix(date: str, other: str) -> str:
    """Return the part of a date that another date says, too: "2024" and "2024-05" compare by the year."""
    return date[: min(len(date), len(other))]
