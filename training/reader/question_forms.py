"""The forms of invented questions, as 2WikiMultihopQA asks them: templates by relation.

In `DATED` and `DIRECTED`, the key True has questions for the earlier of {a} and {b}, False for the later.
"""

from __future__ import annotations

DATED = {
    "date of birth": {
        True: [
            "Who was born first, {a} or {b}?",
            "Who was born earlier, {a} or {b}?",
            "Who is older, {a} or {b}?",
            "Who was born first out of {a} and {b}?",
            "Between {a} and {b}, who was born first?",
        ],
        False: [
            "Who was born later, {a} or {b}?",
            "Who is younger, {a} or {b}?",
            "Which of {a} and {b} was born later?",
        ],
    },
    "date of death": {
        True: ["Who died first, {a} or {b}?", "Who died earlier, {a} or {b}?"],
        False: ["Who died later, {a} or {b}?"],
    },
    "publication date": {
        True: [
            "Which film came out first, {a} or {b}?",
            "Which film was released first, {a} or {b}?",
            "Which film was released earlier, {a} or {b}?",
            "Which film came out earlier, {a} or {b}?",
        ],
        False: [
            "Which film was released more recently, {a} or {b}?",
            "Which film came out later, {a} or {b}?",
        ],
    },
}
DIRECTED = {
    "date of birth": {
        True: [
            "Which film has the director born first, {a} or {b}?",
            "Which film has the director who was born first, {a} or {b}?",
            "Which film has the director born earlier, {a} or {b}?",
            "Which film has the director who is older, {a} or {b}?",
            "Which film has the director who is older than the other, {a} or {b}?",
            "Which film whose director was born first, {a} or {b}?",
        ],
        False: [
            "Which film has the director born later, {a} or {b}?",
            "Which film has the director who was born later, {a} or {b}?",
            "Which film has the director who is younger, {a} or {b}?",
            "Which film whose director is younger, {a} or {b}?",
        ],
    },
    "date of death": {
        True: [
            "Which film has the director died first, {a} or {b}?",
            "Which film has the director who died first, {a} or {b}?",
            "Which film has the director died earlier, {a} or {b}?",
            "Which film has the director who died earlier, {a} or {b}?",
        ],
        False: [
            "Which film has the director died later, {a} or {b}?",
            "Which film has the director who died later, {a} or {b}?",
        ],
    },
}
SAME_DIRECTORS = [
    "Do both films {a} and {b} have the directors from the same country?",
    "Do both films: {a} and {b} have the directors that share the same nationality?",
    "Are director of film {a} and director of film {b} from the same country?",
    "Do director of film {a} and director of film {b} share the same nationality?",
    "Are the directors of both films {a} and {b} from the same country?",
    "Do both directors of films {a} and {b} have the same nationality?",
]
SAME_COUNTRY = {
    "country of citizenship": [
        "Are {a} and {b} of the same nationality?",
        "Are both {a} and {b} from the same country?",
        "Do {a} and {b} share the same nationality?",
        "Were {a} and {b} of the same nationality?",
    ],
    "country of origin": [
        "Are {a} and {b} both from the same country?",
        "Are both movies, {a} and {b}, from the same country?",
        "Were both films, {a} and {b}, made in the same country?",
    ],
    "country": [
        "Are {a} and {b} located in the same country?",
        "Are both {a} and {b} located in the same country?",
    ],
}
CHAINED = {
    "place of birth": [
        "Where was {role} born?",
        "What is the place of birth of {role}?",
        "Where was {role} born?",
    ],
    "place of death": [
        "Where did {role} die?",
        "Where was the place of death of {role}?",
        "What is the place of death of {role}?",
    ],
    "date of birth": [
        "When was {role} born?",
        "What is the date of birth of {role}?",
        "When is {role}'s birthday?",
    ],
    "date of death": ["When did {role} die?", "What is the date of death of {role}?"],
    "country of citizenship": [
        "What nationality is {role}?",
        "Which country {role} is from?",
        "What is the nationality of {role}?",
    ],
    "educated at": ["Where did {role} study?", "Where did {role} graduate from?"],
    "cause of death": ["What is the cause of death of {role}?", "Why did {role} die?"],
    "father": ["Who is the father of {role}?"],
    "mother": ["Who is the mother of {role}?"],
    "spouse": ["Who is the spouse of {role}?"],
    "child": ["Who is the child of {role}?"],
}
ASKED_RELATIONS = [
    *["place of birth"] * 7, *["place of death"] * 4, *["date of birth"] * 3, *["date of death"] * 3,
    *["country of citizenship"] * 4, *["educated at"] * 2, "cause of death",
    "father", "mother", "spouse", "child",
]  # fmt: skip
ROLES = {
    "director": ["the director of film {a}", "the director of film {a}", "the director of {a}"],
    "performer": ["the performer of song {a}", "the performer of song {a}"],
    "composer": ["the composer of film {a}", "the composer of {a}"],
    "father": ["{a}'s father", "the father of {a}"],
    "mother": ["{a}'s mother", "the mother of {a}"],
    "spouse": ["{a}'s husband", "{a}'s wife", "the spouse of {a}"],
}
STARTING_ROLES = [
    *["director"] * 10, *["performer"] * 3, "composer", *["father"] * 4, "mother", *["spouse"] * 3,
]  # fmt: skip
# Sentences about kin, because pages rarely name relatives; {o} is the object.
KINSHIP_SENTENCES = {
    "father": [
        "He was the son of {o}.",
        "She was the daughter of {o}.",
        "{a} was the eldest son of {o} and his wife {x}.",
        "{a} was born the second child of {o} and {x}.",
        "Her father was {o}.",
    ],
    "mother": [
        "He was the son of {x} and {o}.",
        "She was the daughter of {x} and his wife {o}.",
        "{a} was the only son of {x} by his second wife, {o}.",
        "His mother was {o}.",
    ],
    "spouse": [
        "He was married to {o}.",
        "She was the wife of {o}.",
        "{a} married {o} and had three children.",
        "He was the husband of {o}.",
    ],
}
# Two relations in a row, and the term for both.
KIN_TERMS = {
    ("father", "father"): "paternal grandfather",
    ("father", "mother"): "paternal grandmother",
    ("mother", "father"): "maternal grandfather",
    ("mother", "mother"): "maternal grandmother",
    ("spouse", "father"): "father-in-law",
    ("spouse", "mother"): "mother-in-law",
    ("father", "spouse"): "stepmother",
}
COMMON_KIN = (
    [("father", "father")] * 5
    + [("spouse", "father"), ("spouse", "mother"), ("mother", "father")]
    + [*KIN_TERMS]
)
