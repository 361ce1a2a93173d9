"""Questions written after the parser: other domains, other wordings, and what must not be computed."""

from compare_cases_before import CompareCase

AFTER = [
    CompareCase(
        "beds of two hospitals",
        "Which hospital has fewer beds, Saint Orm or Northgate?",
        ("Saint Orm is a hospital with 312 beds.", "Northgate has about 450 beds and two theatres."),
        "Saint Orm",
    ),
    CompareCase(
        "rough values that may be equal",
        "Which hospital has more beds, Saint Orm or Northgate?",
        ("Saint Orm is a hospital with 312 beds.", "Northgate has about 310 beds."),
        None,
    ),
    CompareCase(
        "equal values",
        "Which tower is taller, the Corn Tower or the Salt Tower?",
        ("The Corn Tower is 61 m tall.", "The Salt Tower is 61 m tall."),
        None,
    ),
    CompareCase(
        "dose under a maximum",
        "Is the daily dose of Pelorin more than 40 mg?",
        ("The usual daily dose of Pelorin is 25 mg, taken with water.",),
        "no",
        replies=(("What is the daily dose of Pelorin?", "25 mg"),),
    ),
    CompareCase(
        "films by age of director",
        "Which film has the director who is younger, Red Quay or The Sieve?",
        (
            "Red Quay is a film directed by Ada Voss.",
            "The Sieve was directed by Milo Kern in 1988.",
            "Ada Voss was born on 12 April 1949.",
            "Milo Kern was born in 1952 in Tarrow.",
        ),
        "The Sieve",
        replies=(
            ("Who is the director of Red Quay?", "Ada Voss"),
            ("Who is the director of The Sieve?", "Milo Kern"),
        ),
    ),
    CompareCase(
        "a missing birth of one director",
        "Which film has the director who was born first, Red Quay or The Sieve?",
        (
            "Red Quay is a film directed by Ada Voss.",
            "The Sieve was directed by Milo Kern in 1988.",
            "Ada Voss was born on 12 April 1949.",
            "Milo Kern lives in Tarrow.",
        ),
        None,
        "Milo Kern",
        replies=(
            ("Who is the director of Red Quay?", "Ada Voss"),
            ("Who is the director of The Sieve?", "Milo Kern"),
        ),
    ),
    CompareCase(
        "lived longer",
        "Who lived longer, Ada Voss or Milo Kern?",
        (
            "Ada Voss (12 April 1899 – 3 May 1980) was a pilot.",
            "Milo Kern (1910 – 1960) was a glazier.",
        ),
        "Ada Voss",
    ),
    CompareCase(
        "age at death",
        "How old was Ada Voss when she died?",
        ("Ada Voss (12 April 1899 – 3 May 1980) was a pilot.",),
        "81 years",
    ),
    CompareCase(
        "age at death by years alone",
        "How old was Milo Kern when he died?",
        ("Milo Kern (1910 – 1960) was a glazier.",),
        "49 or 50 years",
    ),
    CompareCase(
        "same year",
        "Were the Corn Exchange and the Lock House built in the same year?",
        ("The Corn Exchange was built in 1866.", "The Lock House was built in March 1866 by the canal."),
        "yes",
    ),
    CompareCase(
        "different countries",
        "Are Ada Voss and Jun Mori from different countries?",
        ("Ada Voss is a Danish pilot.", "Jun Mori is a Japanese cellist."),
        "yes",
    ),
    CompareCase(
        "same nationality of a joint origin",
        "Are The Pier and Cold Tea from the same country?",
        ("The Pier is a 1971 British-Danish film.", "Cold Tea is a Danish film of 1980."),
        "yes",
    ),
    CompareCase(
        "same architect",
        "Were the Lock House and the Corn Exchange designed by the same architect?",
        ("The Lock House was designed by Ida Brun.", "Ida Brun designed the Corn Exchange in 1866."),
        "yes",
        replies=(
            ("Who designed the Lock House?", "Ida Brun"),
            ("Who designed the Corn Exchange?", "Ida Brun"),
        ),
    ),
    CompareCase(
        "taller than another",
        "Is the Corn Tower taller than the Salt Tower?",
        ("The Corn Tower is 200 feet tall.", "The Salt Tower has a height of 64 metres."),
        "no",
    ),
    CompareCase(
        "born before another",
        "Was Ada Voss born before Milo Kern?",
        ("Ada Voss was born in 1899.", "Milo Kern was born on 2 May 1910."),
        "yes",
    ),
    CompareCase(
        "how many more",
        "How many more rooms does the Bellweather Inn have than the Gull?",
        ("The Bellweather Inn has 48 rooms.", "The Gull is an inn with twelve rooms."),
        "36",
    ),
    CompareCase(
        "how many years older",
        "How many years older is Milo Kern than Ada Voss?",
        ("Milo Kern was born on 2 May 1940.", "Ada Voss was born on 7 June 1949."),
        "9 years",
    ),
    CompareCase(
        "price difference",
        "How much more does the Harbour plan cost than the Basic plan?",
        ("The Harbour plan costs 19.50 euros a month.", "The Basic plan costs 12 euros a month."),
        "7.5 euros",
    ),
    CompareCase(
        "difference in height",
        "What is the difference in height between Skarn Fell and Mount Ode?",
        ("Skarn Fell is 1,912 m high.", "Mount Ode is 1,740 m high."),
        "172 m",
    ),
    CompareCase(
        "total weight",
        "What is the combined weight of the Arrow drill and the Borea drill?",
        ("The Arrow drill weighs 2.4 kg.", "The Borea drill weighs 1,100 g."),
        "3.5 kg",
    ),
    CompareCase(
        "a value of something else near by",
        "Which lake is deeper, Lake Ann or Lake Bor?",
        (
            "Lake Ann is 9 km long and 48 m deep.",
            "Lake Bor is 4 km long; the village beside it is 300 m high.",
        ),
        None,
        "Lake Bor",
    ),
    CompareCase(
        "a year of something else",
        "Which magazine was founded earlier, Harbour Monthly or The Loom?",
        (
            "Harbour Monthly was founded in 1921.",
            "The Loom is a magazine about weaving. Its editor Ida Brun was born in 1950.",
        ),
        None,
        "The Loom",
    ),
    CompareCase(
        "percentages",
        "Which region has the lower unemployment, Northmark or Estria?",
        ("Unemployment in Northmark stood at 4.1%.", "Estria had an unemployment of 6 percent."),
        "Northmark",
        replies=(
            ("What is the unemployment of Northmark?", "4.1%"),
            ("What is the unemployment of Estria?", "6 percent"),
        ),
    ),
    CompareCase(
        "not a comparison",
        "Who built the first ferry or barge of Tarrow?",
        ("Ole Lund built the first ferry of Tarrow in 1842.",),
        None,
    ),
    CompareCase(
        "running time",
        "Which film is longer, Red Quay or The Sieve?",
        ("Red Quay has a running time of 1 hour 52 minutes.", "The Sieve runs for 98 minutes."),
        "Red Quay",
    ),
    CompareCase(
        "speed",
        "Which train is faster, the Arrow or the Comet?",
        ("The Arrow has a top speed of 200 km/h.", "The Comet reaches 140 mph."),
        "the Comet",
    ),
    CompareCase(
        "a question with a negation",
        "Which peak is not higher, Skarn Fell or Mount Ode?",
        ("Skarn Fell is 1,912 m high.", "Mount Ode is 1,740 m high."),
        None,
    ),
    CompareCase(
        "counted names",
        "Which film has more directors, Red Quay or The Sieve?",
        ("Red Quay is a film directed by Ada Voss and Ole Lund.", "The Sieve was directed by Milo Kern."),
        "Red Quay",
    ),
    CompareCase(
        "storeys and floors",
        "Which tower has more floors, the Corn Tower or the Salt Tower?",
        ("The Corn Tower is a 68-storey tower.", "The Salt Tower is a seventy-seven storey building."),
        "the Salt Tower",
    ),
    CompareCase(
        "longer runway",
        "Which airport has the longer runway, Vell Airport or Tarrow Airport?",
        (
            "The runway of Vell Airport is 2,400 m long.",
            "Tarrow Airport has one runway with a length of 9,000 feet.",
        ),
        "Tarrow Airport",
    ),
    CompareCase(
        "exactly at a limit",
        "Is the Gull within the limit of 90 euros?",
        ("A night at the Gull costs 90 euros.",),
        "yes",
    ),
    CompareCase(
        "exactly at a limit that must not be reached",
        "Is the Gull under the limit of 90 euros?",
        ("A night at the Gull costs 90 euros.",),
        "no",
    ),
    CompareCase(
        "a comparative that describes",
        "Who is the older brother of Ada Voss and Milo Kern?",
        ("Ada Voss was born in 1899.", "Milo Kern was born in 1910.", "Per Voss was their brother."),
        None,
    ),
    CompareCase(
        "age of a director",
        "How old was the director of Red Quay when she died?",
        ("Red Quay was directed by Ada Voss.", "Ada Voss (12 April 1899 – 3 May 1980) was a pilot."),
        "81 years",
        replies=(("Who is the director of Red Quay?", "Ada Voss"),),
    ),
]
