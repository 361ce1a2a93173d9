"""Comparisons in which the nearest value is the wrong one: of another event, a part, another thing."""

from compare_cases_before import CompareCase

_BRIDGES = (
    "Building of the Harrow Bridge was begun in 1889. After long delays the Harrow Bridge opened in 1903.",
    "The Tolland Bridge was begun in 1895 and opened in 1899. Its towers are 61 metres high.",
    "The towers of the Harrow Bridge are 54 metres high, and the whole bridge is 410 metres long.",
    "The Tolland Bridge is 385 metres long.",
)
_COTTAGES = (
    "Cottage Alder costs 560 euros per week.",
    "Cottage Birch costs 95 euros per night.",
    "Cottage Cedar costs €70 per night, less a discount of 10 euros for members.",
    "The Hotel Dorn charges EUR 48 for a single room and EUR 76 for a double room.",
)
_SHOPS = (
    "The bakery opens at 6:30 am and closes at 2 pm.",
    "The fishmonger opens at 8 am every day and closes at 5 pm.",
    "The bakery was founded in 1962 by Anton Rehm; the fishmonger began trading in 1957.",
)

CLAUSES = [
    CompareCase(
        "the opening, not the begin of building",
        "Which bridge opened first, the Harrow Bridge or the Tolland Bridge?",
        _BRIDGES,
        "the Tolland Bridge",
    ),
    CompareCase(
        "the begin of building, not the opening",
        "Which was begun first, the Harrow Bridge or the Tolland Bridge?",
        _BRIDGES,
        "the Harrow Bridge",
    ),
    CompareCase(
        "a wing is not the museum",
        "Which opened first, the Ferrow Museum or the Linden Gallery?",
        (
            "The Ferrow Museum was founded in 1902. A new wing opened in 1998. The museum opened in 1941.",
            "The Linden Gallery was planned in 1910, but it opened only in 1936.",
        ),
        "the Linden Gallery",
    ),
    CompareCase(
        "two foundings in one sentence",
        "Which was founded first, the bakery or the fishmonger?",
        _SHOPS,
        "the fishmonger",
    ),
    CompareCase(
        "higher towers",
        "Which bridge has the higher towers, the Harrow Bridge or the Tolland Bridge?",
        _BRIDGES,
        "the Tolland Bridge",
    ),
    CompareCase(
        "towers are not the bridge",
        "Which bridge is higher, the Harrow Bridge or the Tolland Bridge?",
        _BRIDGES,
        None,
    ),
    CompareCase(
        "difference of two parts",
        "How much higher are the towers of the Tolland Bridge than those of the Harrow Bridge?",
        _BRIDGES,
        "7 metres",
    ),
    CompareCase(
        "a week and a night", "Which is cheaper, Cottage Alder or Cottage Birch?", _COTTAGES, "Cottage Alder"
    ),
    CompareCase(
        "a rate under a limit per night",
        "Does Cottage Alder cost more than 100 euros per night?",
        _COTTAGES,
        "no",
    ),
    CompareCase(
        "a discount for those who are asked about",
        "How much does Cottage Cedar cost members per night?",
        _COTTAGES,
        "60 EUR per day",
    ),
    CompareCase(
        "a discount for others",
        "Does Cottage Cedar cost less than 65 euros per night?",
        _COTTAGES,
        "no",
    ),
    CompareCase(
        "the price of the room that is asked for",
        "Does a single room at the Hotel Dorn cost under 50 euros?",
        _COTTAGES,
        "yes",
    ),
    CompareCase(
        "the value of another work",
        "Which opera has more acts, Winterreise or Sommer?",
        (
            "Winterreise is an opera in four acts.",
            "Sommer is an opera by Jan Weiss. The comedy Das Schiff has three acts.",
        ),
        None,
        "Sommer",
        replies=(("How many acts does Sommer have?", "three"),),
    ),
    CompareCase(
        "a battery is not the camera",
        "Which camera is cheaper, the Mira or the Tava?",
        ("The Mira costs $339.", "The price of the Tava is $349. A spare battery for the Tava costs $29."),
        "the Mira",
    ),
    CompareCase(
        "closing times", "Which shop closes later, the bakery or the fishmonger?", _SHOPS, "the fishmonger"
    ),
    CompareCase("hours between two times", "How many hours is the fishmonger open?", _SHOPS, "9 hours"),
    CompareCase(
        "a population before its number, and a year behind it",
        "Which town has more inhabitants, Elmstadt or Rodenau?",
        ("Elmstadt has 18,400 inhabitants.", "Rodenau had a population of 17,950 in 2020."),
        "Elmstadt",
    ),
    CompareCase(
        "age at one of two victories",
        "How old was Greta Lindqvist when she won the chess title?",
        ("Greta Lindqvist was born on 4 March 1921. She won a race in 1939 and the chess title in 1950.",),
        "28 or 29 years",
    ),
    CompareCase(
        "age at a wedding",
        "How old was Harald Moe when he married?",
        ("Harald Moe was born on 19 July 1918. He married on 1 August 1946 and moved to Bergen in 1952.",),
        "28 years",
    ),
    CompareCase(
        "two passages that disagree about a value",
        "Which hall opened first, Hall Ost or Hall West?",
        ("Hall Ost opened in 1950.", "Hall West opened in 1948.", "Hall West opened in 1953."),
        None,
        "Hall West",
        replies=(("When did Hall West open?", "1948"),),
    ),
    CompareCase(
        "one sentence with both values",
        "Which river is longer, the Lenn or the Dorra?",
        ("The Lenn is 212 km long, and the Dorra flows for 187 km.",),
        "the Lenn",
    ),
]
