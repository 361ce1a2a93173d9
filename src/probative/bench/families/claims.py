"""The claims of the study: those that their text supports, drawn with the run's seed.

The paper takes 200 claims of each kind; `--limit N` takes N of each. HoVer's claims count as many hops as
they have gold sentences, as in the paper. PubMedQA and CovidET have no gold sentences: as in the paper a
strong model names them (appendix D), and people correct them. `probative annotate` writes the file, and
`--option gold=FILE` reads it back. Without a file, the judge model annotates during the run, and the report
says so.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from probative.bench.data.claims import TITLED, Example, chosen_examples, read_examples
from probative.bench.data.files import read_json, read_lines
from probative.bench.families.evidence import TRUE
from probative.bench.study import Case, Lab, Settings
from probative.errors import InputError
from probative.text.sentences import split_sentences

PER_KIND = 200
COVIDET = "covidet/test_anonymized-WITH_POSTS.json"


@dataclass(frozen=True)
class Claim:
    """A claim with its text. `kind` is its group in the table; `gold` is empty where nobody annotated it.

    `tuning`: settings were tuned on its document.
    """

    id: str
    kind: str
    text: str
    sentences: tuple[str, ...]
    gold: tuple[tuple[int, ...], ...]
    true: bool = True
    tuning: bool = False

    @property
    def gold_size(self) -> int:
        """The number of sentences of the smallest gold set."""
        return min(len(gold) for gold in self.gold)


def hover(settings: Settings) -> list[Claim]:
    """Return HoVer's supported claims; with the option titles, each sentence has its page's title."""
    titles = str(settings.option("titles", False)).lower() == "true"
    if titles:
        return _supported(chosen_examples(settings.data, TITLED, None, False), "hover")
    return _supported(read_examples(settings.data, "hover"), "hover")


def hover_by_hops(settings: Settings) -> list[list[Claim]]:
    """Return HoVer's supported claims with 2, 3 and 4 gold sentences."""
    claims = hover(settings)
    return [
        [replace(claim, kind=f"HoVer-{n}") for claim in claims if claim.gold_size == n] for n in (2, 3, 4)
    ]


def fever(settings: Settings) -> list[Claim]:
    """Return FEVER's supported claims that one sentence proves."""
    return _supported(read_examples(settings.data, "fever"), "FEVER-1")


def multirc(settings: Settings) -> list[Claim]:
    """Return MultiRC's claims, also the false ones, as ERASER's figures have them."""
    return [as_claim(example, "MultiRC") for example in read_examples(settings.data, "multirc")]


def _supported(examples: Iterable[Example], kind: str) -> list[Claim]:
    return [claim for example in examples if (claim := as_claim(example, kind)).true]


def pubmedqa(settings: Settings) -> list[Claim]:
    """Return the conclusions of PubMedQA's test part as claims, with the abstracts as their texts."""
    rows = read_json(settings.data / "pubmedqa/ori_pqal.json")
    tested = read_json(settings.data / "pubmedqa/test_ground_truth.json")
    return [
        Claim(key, "pubmedqa", str(row["LONG_ANSWER"]), split_all(row["CONTEXTS"]), ())
        for key, row in rows.items()
        if key in tested
    ]


def covidet(settings: Settings) -> list[Claim]:
    """Return the first summary of each post of CovidET's test part, if its file is there."""
    file: Path = settings.data / COVIDET
    if not file.exists():
        return []
    claims = []
    for key, row in read_json(file).items():
        summaries = [note["Abstractive"] for notes in row["Annotations"].values() for note in notes]
        written = [summary for summary in summaries if summary.strip()]
        if written:
            claims.append(Claim(key, "covidet", written[0], split_all([row["Reddit Post"]]), ()))
    return claims


def split_all(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the sentences of several texts.

    >>> split_all(["It rained. It was wet.", "Then it froze."])
    ('It rained.', 'It was wet.', 'Then it froze.')
    """
    return tuple(sentence.text for text in texts for sentence in split_sentences(text))


def as_claim(example: Example, kind: str) -> Claim:
    """Return an example of a data set as a claim of the study; it is true if its text supports it."""
    gold = tuple(tuple(sorted(gold)) for gold in example.gold)
    true = example.label in TRUE
    return Claim(example.id, kind, example.claim, example.sentences, gold, true, example.tuning)


def draw(claims: Sequence[Claim], settings: Settings) -> list[Claim]:
    """Return `limit` claims (200 without one), the same for the same seed; a smaller limit takes the first.

    >>> claims = [Claim(str(n), "hover", "", (), ()) for n in range(9)]
    >>> few, more = (draw(claims, Settings(Path("."), limit=limit)) for limit in (2, 5))
    >>> few == more[:2]
    True
    """
    order = sorted(claims, key=lambda claim: claim.id)
    random.Random(f"{settings.seed} claims").shuffle(order)
    return order[: PER_KIND if settings.limit is None else settings.limit]


def as_cases(
    groups: Iterable[Sequence[Claim]], content: Callable[[Claim], Any] = lambda claim: claim
) -> list[Case]:
    """Return the claims of all groups as cases, the first of each group first, then the second of each."""
    rounds = chain.from_iterable(zip_longest(*groups))
    return [Case(f"{claim.kind}/{claim.id}", content(claim)) for claim in rounds if claim is not None]


def with_gold(claim: Claim, lab: Lab) -> tuple[Claim, str]:
    """Return the claim with gold sentences, and who named them: "data", "file" or the judge's name.

    A claim that nobody annotated stays without gold; then the source is "nobody".
    """
    if claim.gold:
        return claim, "data"
    if (file := lab.settings.option("gold", None)) is not None:
        indexes = _read_gold(Path(file)).get(claim.id)
        return (replace(claim, gold=(indexes,)), "file") if indexes else (claim, "nobody")
    if lab.judge is None:
        return claim, "nobody"
    annotation = lab.judge.annotate(claim.text, claim.sentences)
    if not annotation.indexes:
        return claim, "nobody"
    return replace(claim, gold=(tuple(sorted(annotation.indexes)),)), annotation.model


@cache
def _read_gold(file: Path) -> dict[str, tuple[int, ...]]:
    if not file.exists():
        raise InputError(f"there is no file {file}", hint="write it with: probative annotate --in … --out …")
    return {str(line["id"]): tuple(line["indexes"]) for line in read_lines(file) if line.get("indexes")}
