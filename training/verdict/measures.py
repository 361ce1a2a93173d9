"""What invented things have a number of, and how texts and claims say it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Measure:
    """Something that things of a kind have a number of, and how a text and a claim say it.

    `more` and `less` are for the larger and the smaller number. Years have no total.
    """

    names: str
    say: tuple[str, ...]
    low: int
    high: int
    more: str
    less: str
    most: str
    unit: str = ""
    least: str = ""
    own: str = ""
    """How a claim says the thing's own number: "{e} is {n} metres high"."""

    @property
    def is_year(self) -> bool:
        """Whether the number is a year."""
        return not self.unit


MEASURES = (
    Measure(
        "Mount {last}|Pic {last}",
        (
            "{e} is {n} metres high.",
            "At {n} metres, {e} towers over its valley.",
            "The summit of {e} lies {n} metres above the sea.",
        ),
        800,
        4800,
        "higher than",
        "lower than",
        "the highest",
        "metres",
        "the lowest",
        "is {n} metres high",
    ),
    Measure(
        "the {town} bridge|the {last} viaduct",
        (
            "{e} is {n} metres long.",
            "{e} has a length of {n} metres.",
            "It takes {n} metres of steel to cross the river on {e}.",
        ),
        40,
        2400,
        "longer than",
        "shorter than",
        "the longest",
        "metres",
        "the shortest",
        "is {n} metres long",
    ),
    Measure(
        "the {brand} {appliance}|the {adjective} {appliance}",
        ("{e} costs {n} euros.", "The price of {e} is {n} euros.", "You pay {n} euros for {e}."),
        12,
        900,
        "more expensive than",
        "cheaper than",
        "the most expensive",
        "euros",
        "the cheapest",
        "costs {n} euros",
    ),
    Measure(
        "{town}",
        ("{e} has {n} inhabitants.", "{n} people live in {e}.", "The population of {e} is {n}."),
        300,
        90000,
        "larger, by population, than",
        "smaller, by population, than",
        "the largest by population",
        "inhabitants",
        "the smallest by population",
        "has {n} inhabitants",
    ),
    Measure(
        "the {last} theatre|the {town} arena",
        ("{e} seats {n} people.", "There are {n} seats in {e}.", "{e} holds {n} visitors."),
        60,
        9000,
        "larger, by seats, than",
        "smaller, by seats, than",
        "the one with most seats",
        "seats",
        "the one with fewest seats",
        "has {n} seats",
    ),
    Measure(
        "the {brand} {appliance}|the {dish}",
        ("{e} weighs {n} grams.", "The weight of {e} is {n} grams."),
        90,
        4000,
        "heavier than",
        "lighter than",
        "the heaviest",
        "grams",
        "the lightest",
        "weighs {n} grams",
    ),
    Measure(
        "the {last} trail|the walk to {town}",
        ("{e} takes {n} minutes.", "You need {n} minutes for {e}.", "Allow {n} minutes for {e}."),
        15,
        300,
        "a longer walk than",
        "a shorter walk than",
        "the longest walk",
        "minutes",
        "the shortest walk",
        "takes {n} minutes",
    ),
    Measure(
        "{name}",
        ("{e} scored {n} points.", "{n} points went to {e}.", "{e} finished with {n} points."),
        3,
        120,
        "ahead, on points, of",
        "behind, on points,",
        "first on points",
        "points",
        "last on points",
        "scored {n} points",
    ),
    Measure(
        "{name}",
        ("{e} was born in {n}.", "{e}, born in {n}, grew up in {town}."),
        1790,
        2004,
        "younger than",
        "older than",
        "the youngest",
        "",
        "the oldest",
        "was born in {n}",
    ),
    Measure(
        "the {town} {building}|the {building} of {town}",
        ("{e} was completed in {n}.", "Work on {e} ended in {n}.", "{e} was finished in {n}."),
        1650,
        2021,
        "newer than",
        "older than",
        "the newest",
        "",
        "the oldest",
        "was completed in {n}",
    ),
    Measure(
        "The {adjective} {noun}|The {noun} of {town}",
        ("{e} was first shown in {n}.", "{e} came out in {n}.", "The premiere of {e} was in {n}."),
        1860,
        2024,
        "more recent than",
        "earlier than",
        "the most recent",
        "",
        "the earliest",
        "came out in {n}",
    ),
    Measure(
        "{brand} {firm}|{last} {firm}",
        ("{e} was founded in {n}.", "{e} was set up in {n} by {name}.", "The founding year of {e} is {n}."),
        1820,
        2022,
        "a younger company than",
        "an older company than",
        "the youngest company",
        "",
        "the oldest company",
        "was founded in {n}",
    ),
)
BESIDE = (
    "The records were checked by {name}.",
    "A leaflet is available in {language}.",
    "The office is closed on {weekday}s.",
    "Photographs are kept in {town}.",
    "The list was last changed in {recent}.",
    "{name} wrote the introduction.",
    "Questions may be sent to the {department} department.",
    "The figures come from a survey.",
)
