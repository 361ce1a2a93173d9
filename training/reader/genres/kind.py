"""The kinds of things that invented documents are about, as the text files in `kinds/` describe them.

A file has a head (name, genre, names, sibling slots, short mentions, titles, filler sentences, questions that
no document answers) and attributes: how they are said and asked, what stands for the entity if the value is
known (`by`), for the value if it is an entity (`role`), comparisons (`more`, `less`), and near misses:
questions that look alike and that no attribute answers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files


@dataclass
class Attribute:
    """A fact that documents of a kind may state. A flag has the sentences `yes` and `no` and no values."""

    name: str
    values: tuple[str, ...] = ()
    lines: dict[str, list[str]] = field(default_factory=dict)

    def texts(self, name: str) -> list[str]:
        """Return the lines of one sort: say, ask, by, role, yn, more, less, near, yes, no."""
        return self.lines.get(name, [])

    @property
    def links(self) -> str:
        """The kind of entity that the value is, or an empty string."""
        return self.values[0][2:-1] if self.values and self.values[0].startswith("{@") else ""


@dataclass
class Kind:
    """A kind of entity: how it is named, and what documents say of it."""

    name: str
    head: dict[str, list[str]]
    attributes: list[Attribute]

    def texts(self, name: str) -> list[str]:
        """Return the alternatives of a line of the head."""
        return self.head.get(name, [])


@cache
def kinds() -> dict[str, Kind]:
    """Return all kinds by name."""
    folder = files("training.reader.genres") / "kinds"
    found = sorted(file.name for file in folder.iterdir() if file.name != "words.txt")
    read = [parse((folder / name).read_text(encoding="utf-8")) for name in found if name.endswith(".txt")]
    return {kind.name: kind for kind in read}


def parse(text: str) -> Kind:
    r"""Return the kind that a file describes.

    >>> kind = parse("kind ship\nnames the {brand}\n\nattr age = {years}\nsay {E} is {v} old.\n")
    >>> kind.name, kind.attributes[0].values, kind.attributes[0].texts("say")
    ('ship', ('{years}',), ['{E} is {v} old.'])
    """
    head: dict[str, list[str]] = {}
    attributes: list[Attribute] = []
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "attr":
            name, _, values = rest.partition(" = ")
            attributes.append(Attribute(name, tuple(value.strip() for value in values.split(" | "))))
        elif word == "flag":
            attributes.append(Attribute(rest))
        elif word and attributes:
            attributes[-1].lines.setdefault(word, []).extend(_alternatives(word, rest))
        elif word:
            head.setdefault(word, []).extend(_alternatives(word, rest))
    return Kind(head["kind"][0], head, attributes)


def _alternatives(word: str, rest: str) -> list[str]:
    """Return the alternatives of a line: sentences and questions stand alone, phrases are divided by bars."""
    return rest.split(" | ") if word in ("names", "twins", "short", "title", "role") else [rest]
