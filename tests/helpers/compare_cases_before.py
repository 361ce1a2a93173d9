"""Questions written before the parser existed: what a person would ask, in a person's words.

Each case: a name, the question, passages, the expected answer; `None` where the passages do not
give a value that the question needs, with the option whose value is missing. Only `replies`, what a reader
says to the attribute questions, was added later.
"""

from typing import NamedTuple


class CompareCase(NamedTuple):
    """A question, its passages, and the answer or what is missing."""

    name: str
    question: str
    passages: tuple[str, ...]
    answer: str | None
    missing: str = ""  # an option whose value no passage gives
    replies: tuple[tuple[str, str], ...] = ()  # what a reader replies to attribute questions


BEFORE = [
    CompareCase(
        "peaks",
        "Which of the two peaks is higher, Skarn Fell or Mount Ode?",
        (
            "Skarn Fell is a mountain in the Orrin range with a summit at 1,912 metres.",
            "Mount Ode rises to 1,740 m above the village of Tarrow.",
            "The Orrin range is popular with hikers.",
        ),
        "Skarn Fell",
    ),
    CompareCase(
        "peaks in two units",
        "Is Mount Ode or Skarn Fell the higher mountain?",
        (
            "Skarn Fell is 5,900 feet high.",
            "Mount Ode has a height of 1,912 metres.",
        ),
        "Mount Ode",
    ),
    CompareCase(
        "acts",
        "Which work has more acts, The Glass Ferry or Winter Court?",
        (
            "The Glass Ferry is an opera in three acts by Lena Moor.",
            "Winter Court is a play in five acts, first staged in Vell.",
        ),
        "Winter Court",
    ),
    CompareCase(
        "magazines, one year missing",
        "Which magazine was started first, Harbour Monthly or The Loom?",
        (
            "Harbour Monthly is a magazine for sailors founded in 1921.",
            "The Loom is a quarterly magazine about weaving, edited in Tarrow.",
        ),
        None,
        "The Loom",
    ),
    CompareCase(
        "magazines",
        "Which magazine was started first, Harbour Monthly or The Loom?",
        (
            "Harbour Monthly is a magazine for sailors founded in 1921.",
            "The Loom is a quarterly magazine about weaving that first appeared in 1908.",
        ),
        "The Loom",
        replies=(
            ("When was The Loom started?", "1908"),
            ("When was Harbour Monthly started?", "1921"),
        ),
    ),
    CompareCase(
        "price under a limit",
        "Does a room at the Bellweather Inn cost less than the hotel limit of 140 euros?",
        (
            "A single room at the Bellweather Inn costs 128 euros a night.",
            "Breakfast is served from seven.",
        ),
        "yes",
    ),
    CompareCase(
        "price over a limit from a policy",
        "Is the Bellweather Inn under the hotel limit of the travel policy?",
        (
            "The Bellweather Inn charges 162 euros a night for a single room.",
            "The travel policy sets a hotel limit of 150 euros a night.",
        ),
        "no",
        replies=(("What is the hotel limit of the travel policy?", "150 euros"),),
    ),
    CompareCase(
        "lengths",
        "Which river is longer, the Tarn Water or the Isk?",
        (
            "The Tarn Water is a river of 212 km that rises near Odd.",
            "The Isk flows for 140 miles before it reaches the sea.",
        ),
        "the Isk",
        replies=(
            ("How long is the Tarn Water?", "212 km"),
            ("How long is the Isk?", "140 miles"),
        ),
    ),
    CompareCase(
        "bridge difference",
        "How much longer is the Quay Bridge than the Mill Bridge?",
        (
            "The Quay Bridge is 340 metres long and carries a tramway.",
            "The Mill Bridge has a length of 295 metres.",
        ),
        "45 metres",
    ),
    CompareCase(
        "cheaper plan",
        "Which plan is cheaper, Basic or Harbour?",
        (
            "The Basic plan costs $12 per month.",
            "The Harbour plan is $9.50 per month and has no support.",
        ),
        "Harbour",
    ),
    CompareCase(
        "same town",
        "Are the Museum of Clocks and the Salt Theatre in the same town?",
        (
            "The Museum of Clocks is located in Tarrow.",
            "The Salt Theatre is a theatre in Vell.",
        ),
        "no",
        replies=(
            ("In which town is the Museum of Clocks?", "Tarrow"),
            ("In which town is the Salt Theatre?", "Vell"),
        ),
    ),
    CompareCase(
        "same town, yes",
        "Do Nora Felling and Piet Aron live in the same town?",
        (
            "Nora Felling lives in Tarrow with her two dogs.",
            "Since 2011 Piet Aron has lived in Tarrow.",
        ),
        "yes",
        replies=(
            ("In which town does Nora Felling live?", "Tarrow"),
            ("In which town does Piet Aron live?", "Tarrow"),
        ),
    ),
    CompareCase(
        "older person",
        "Who is older, Nora Felling or Piet Aron?",
        (
            "Nora Felling (born 4 March 1961) is a glass painter.",
            "Piet Aron, born in 1958, is a cellist.",
        ),
        "Piet Aron",
    ),
    CompareCase(
        "ages",
        "Who is younger, Anselm or Beata?",
        ("Anselm is 34 years old and works in the mill.", "Beata is 29 years old."),
        "Beata",
    ),
    CompareCase(
        "total",
        "How many seats do the Salt Theatre and the Dune Hall have in total?",
        (
            "The Salt Theatre has 420 seats.",
            "The Dune Hall seats 1,100 people; it opened in 1977.",
        ),
        "1,520",
        replies=(("How many seats does the Dune Hall have?", "1,100"),),
    ),
    CompareCase(
        "population",
        "Which town has more inhabitants, Tarrow or Vell?",
        (
            "Tarrow is a town of 12 thousand inhabitants.",
            "Vell had a population of 9,870 at the last count.",
        ),
        "Tarrow",
        replies=(("What is the population of Vell?", "9,870"),),
    ),
    CompareCase(
        "years between",
        "How many years after the Mill Bridge was the Quay Bridge opened?",
        (
            "The Mill Bridge was opened in 1887.",
            "The Quay Bridge was opened on 3 May 1931.",
        ),
        "44 years",
    ),
    CompareCase(
        "same director",
        "Were The Copper Lane and Nine Lanterns directed by the same person?",
        (
            "The Copper Lane is a 1954 film directed by Olga Brandt.",
            "Nine Lanterns is a film directed by Per Holm.",
        ),
        "no",
        replies=(
            ("Who directed The Copper Lane?", "Olga Brandt"),
            ("Who directed Nine Lanterns?", "Per Holm"),
        ),
    ),
    CompareCase(
        "director born first",
        "Which film has the director who was born first, The Copper Lane or Nine Lanterns?",
        (
            "The Copper Lane is a 1954 film directed by Olga Brandt.",
            "Nine Lanterns is a film directed by Per Holm.",
            "Olga Brandt (2 May 1911 - 1980) was a film director.",
            "Per Holm was born on 30 June 1904 in Vell.",
        ),
        "Nine Lanterns",
        replies=(
            ("Who is the director of The Copper Lane?", "Olga Brandt"),
            ("Who is the director of Nine Lanterns?", "Per Holm"),
        ),
    ),
    CompareCase(
        "heavier",
        "Which weighs more, the Arrow 5 drill or the Borea drill?",
        (
            "The Arrow 5 drill weighs 2.4 kg with its battery.",
            "The Borea drill has a weight of 4 pounds.",
        ),
        "the Arrow 5 drill",
    ),
    CompareCase(
        "opening earlier in the day",
        "Which shop opens earlier, the bakery or the fishmonger?",
        ("The bakery opens at 6:30.", "The fishmonger opens at 8:00 and closes at noon."),
        "the bakery",
        replies=(("When does the fishmonger open?", "8:00"),),
    ),
    CompareCase(
        "different currencies",
        "Which is cheaper, the ferry or the night train?",
        ("The ferry costs 40 euros.", "The night train costs 38 dollars."),
        None,
        "",
    ),
    CompareCase(
        "more than a limit",
        "Does the Dune Hall have more than 1,000 seats?",
        ("The Dune Hall has 1,100 seats.", "It was built for concerts."),
        "yes",
    ),
    CompareCase(
        "three options",
        "Which of these lakes is the deepest: Lake Ann, Lake Bor or Lake Cee?",
        (
            "Lake Ann has a maximum depth of 48 m.",
            "Lake Bor is up to 131 metres deep.",
            "Lake Cee is 90 m deep.",
        ),
        "Lake Bor",
    ),
]
