"""Countries and their people: "Norwegian" in one text and "Norway" in another are the same country."""

from __future__ import annotations

import re
from functools import cache

from probative.text.words import read_lines, word_lists

# One is part or successor of another: words alone do not decide whether two of these are the same.
_UNSURE = tuple(map(frozenset, word_lists("related_countries").values()))
_JOINT = re.compile(r"\s*(?:[-–/,]|and)\s*")


@cache
def _table() -> tuple[re.Pattern[str], dict[str, str]]:
    country_of: dict[str, str] = {}
    for line in read_lines("countries"):
        country, _, others = line.partition(": ")
        country_of |= {name.strip(): country for name in (country, *others.split(","))}
    longest = sorted(country_of, key=len, reverse=True)
    names = "|".join(map(re.escape, longest))
    other = "".join(f"(?<!{word} )" for word in ("South", "North", "Latin", "Native"))  # … American
    return re.compile(rf"(?<![\w-]){other}(?:{names})(?![\w])"), country_of


def countries_in(text: str) -> frozenset[str]:
    """Return the countries that a text names, also by the adjective for their people.

    >>> sorted(countries_in("A Norwegian sailor who lived in South Korea."))
    ['Norway', 'South Korea']
    """
    pattern, country_of = _table()
    return frozenset(country_of[match.group()] for match in pattern.finditer(text))


def same_country(first: frozenset[str], second: frozenset[str]) -> bool | None:
    """Return whether two sets of countries are the same one country; None if that cannot be decided.

    >>> same_country(frozenset({"Norway"}), frozenset({"Peru"}))
    False
    >>> same_country(frozenset({"England"}), frozenset({"United Kingdom"})) is None
    True
    """
    if len(first) != 1 or len(second) != 1:
        return None
    if first == second:
        return True
    return None if any(first | second <= unsure for unsure in _UNSURE) else False


def is_country(name: str) -> bool:
    """Return whether a name is that of a country, and not the adjective for its people.

    >>> is_country("Norway"), is_country("Norwegian"), is_country("Molde")
    (True, False, False)
    """
    return _table()[1].get(name) == name


def is_nationality(name: str) -> bool:
    """Return whether a name is the adjective for the people of a country, or of several.

    >>> is_nationality("British-American"), is_nationality("Norway"), is_nationality("American Kestrel")
    (True, False, False)
    """
    _, country_of = _table()
    return all(part in country_of and not is_country(part) for part in _JOINT.split(name))
