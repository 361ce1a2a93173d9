"""The language of a text, and its sentences, which know their place in it.

The language is that of py3langid: a naive Bayes model over the bytes of 139 languages.

A detector takes a list of Italian names for Italian, and a table with "per" and "con" for anything. So two
readings must agree: the whole text, and its words without names. Where they do not, the language is the one
that the caller assumes: that of the question. `benchmarks/language.py` compares detectors and thresholds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from probative.errors import InputError
from probative.types import Passage, Sentence, SentencePassage

ENGLISH = "en"
# The characters that are looked at, from the beginning of the text.
SAMPLE = 2_000
# Another language must be this many times as likely as the assumed one: in the whole text, and in its words
# without names, of which German has few. Chosen on the 242 texts of benchmarks/language_texts.py.
MIN_RATIO, MIN_PLAIN_RATIO = 100.0, 20.0
_WORD = re.compile(r"[^\s\d,;|]+|[,;|]")
_CONTROL = re.compile(r"<\|\w+\|>")


def detect_language(text: str, assumed: str = ENGLISH) -> str:
    """Return the ISO 639-1 code of the language of a document; `assumed` where that cannot be told.

    Give the whole document rather than its sentences: the answer is kept, and short texts tell little.

    >>> [detect_language(text) for text in ("It rained.", "Es regnete und das Spiel fiel aus.", "Шёл дождь.")]
    ['en', 'de', 'ru']
    >>> detect_language("Giovanni Rossi, Marco Bianchi, Luca Ferrari"), detect_language("1890", assumed="de")
    ('en', 'de')
    """
    return _detected(_CONTROL.sub(" ", text[:SAMPLE]), assumed)


@lru_cache(maxsize=1_024)
def _detected(text: str, assumed: str) -> str:
    words = _without_names(text)
    if not words:
        return assumed
    whole, plain = _probabilities(text), _probabilities(words)
    best = max(whole, key=lambda language: whole[language] * plain[language])
    sure = whole[best] >= MIN_RATIO * whole.get(assumed, 0.0) and plain[best] >= MIN_PLAIN_RATIO * plain.get(
        assumed, 0.0
    )
    return best if sure else assumed


def _without_names(text: str) -> str:
    """Return the words that do not begin with a capital, nor join two that do: a name may come from anywhere.

    >>> _without_names("Ada de Santis sold the mill to Ugo della Rovere.")
    'sold the mill to'
    """
    words = [(word, next(filter(str.isalpha, word), "").isupper()) for word in _WORD.findall(text)]
    bounded = [("", False), *words, ("", False)]
    return " ".join(
        word
        for (_, before), ((word, capital), (_, after)) in zip(bounded, pairwise(bounded[1:]), strict=False)
        if not capital and not (before and after) and any(map(str.isalpha, word))
    )


def _probabilities(text: str) -> dict[str, float]:
    """Return how likely each language with a code of two letters is."""
    return {language: share for language, share in _identifier().rank(text) if len(language) == 2}


@cache
def _identifier() -> Any:
    """Load the model, once a process: half a second and 100 MB.

    In memory, since py3langid's own loader writes 68 MB into a temporary file, and a disk may be full.
    """
    import io
    import lzma

    import numpy as np
    from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier

    packed = lzma.decompress((MODEL_DIR / MODEL_FILE).read_bytes())
    with np.load(io.BytesIO(packed)) as data:
        return LanguageIdentifier(
            data["ptc"],
            data["pc"],
            data["classes"].tolist(),
            memoryview(data["nextmove"]),
            data["out_feat"].tolist(),
            norm_probs=True,
            tk_row=data["nextmove_row"].tolist(),
        )


# A longer stretch without a sentence end is a table, a log or a list. A model would score it for minutes:
# on two cores the embedded model reads 2,000 tokens in 22 seconds and 4,000 in 77.
MAX_SENTENCE_CHARACTERS = 1_000
# The longest entry of a list, a form or a table.
MAX_ENTRY = 120

_CLAUSE_END = re.compile(r"[.;:,!?](?=\s)|[。；：，！？、]")
# Characters times quotation marks: the splitter takes seconds for more, and a tenth of a second for a part.
_MAX_WORK = 2_000_000_000
_MAX_PART = 10_000
_QUOTATION_MARKS = "'\"`´‘’‚‛“”„‟«»‹›「」『』《》"
# Where a sentence ends without a doubt.
_PLAIN_END = re.compile(r"[^\W\d_]{4}[.!?](?=\s+[^\W\d_a-z])|[。！？]")

# Abbreviations before a name that the splitter does not know.
_ABBREVIATIONS = {"fr": frozenset({"M.", "MM.", "Mme.", "Mlle.", "Dr."})}

# A full stop with marks of footnotes after it, which the splitter does not take for an end.
_MARKED_END = re.compile(r"(?<!\bal)[.!?][\"'”’»)]*(?:\[\d{1,3}\])+(?=\s+[\"'“‘«(]?[^\W\d_a-z])")


def split_sentences(text: str, language: str | None = None) -> tuple[Sentence, ...]:
    """Return the sentences of a text, each with the characters it covers.

    `language` is an ISO 639 code such as "de"; without it, the language is detected. It decides which
    abbreviations do not end a sentence. A sentence of more than `MAX_SENTENCE_CHARACTERS` is split where a
    clause or a word ends, and its pieces are marked (`Sentence.piece`).

    >>> sentences = split_sentences("It rained. The match was off!")
    >>> [(sentence.text, sentence.start, sentence.end) for sentence in sentences]
    [('It rained.', 0, 10), ('The match was off!', 11, 29)]
    >>> [sentence.text for sentence in split_sentences("Am 3. Mai regnete es. Das Spiel fiel aus.")]
    ['Am 3. Mai regnete es.', 'Das Spiel fiel aus.']
    """
    if language is not None and not re.fullmatch(r"[a-z]{2,3}", language):
        raise InputError(f"language must be an ISO 639 code, got {language!r}", hint='for example "en"')
    sentences: list[Sentence] = []
    for span in _sentence_spans(text, language or detect_language(text)):
        pieces = list(_pieces(text, *span))
        for start, end in pieces:
            sentences.append(
                Sentence(
                    index=len(sentences), text=text[start:end], start=start, end=end, piece=len(pieces) > 1
                )
            )
    return tuple(sentences)


def _sentence_spans(text: str, language: str) -> list[tuple[int, int]]:
    """Return the spans of the sentences of a text, without the white space around them."""
    import sentencex

    abbreviations = _ABBREVIATIONS.get(language, frozenset())
    spans: list[tuple[int, int]] = []
    goes_on = False
    for part_start, part_end in _parts(text):
        for piece in sentencex.get_sentence_boundaries(language, text[part_start:part_end]):
            start, end = _trimmed(text, part_start + piece["start_index"], part_start + piece["end_index"])
            if start == end:
                goes_on = False
                continue
            # "Smith et al. [2004] found": the splitter cuts after a bracket where the sentence goes on.
            open_end = goes_on and text[start].islower()
            if spans and (open_end or _ends_in(text, spans[-1], abbreviations)):
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
            # The piece ended without a full stop, and not at the end of a paragraph.
            goes_on = piece["boundary_symbol"] is None and not piece["is_paragraph_break"]
    return [part for span in spans for part in _after_marks(text, span)] if "]" in text else spans


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text that the splitter gets one by one: as a rule, the whole text.

    The splitter looks for the end of every quotation up to the end of its text. A long text with very many
    quotation marks is given to it in parts. Each of them ends with a paragraph if it can, or with a sentence.

    >>> len(list(_parts("It rained. We left. " * 5_000))), len(list(_parts("'" * 100_000)))
    (1, 10)
    """
    if len(text) * sum(map(text.count, _QUOTATION_MARKS)) <= _MAX_WORK:
        yield 0, len(text)
        return
    start = 0
    while len(text) - start > _MAX_PART:
        end = _last_end(text, start, start + _MAX_PART)
        yield start, end
        start = end
    yield start, len(text)


def _last_end(text: str, start: int, limit: int) -> int:
    """Return where the last paragraph, sentence, line or word before `limit` ends."""
    paragraph = text.rfind("\n\n", start, limit)
    if paragraph >= 0:
        return paragraph + 2
    ends = [match.end() for match in _PLAIN_END.finditer(text, start, limit)]
    if ends:
        return ends[-1]
    return max(text.rfind("\n", start, limit), text.rfind(" ", start, limit)) + 1 or limit


def _after_marks(text: str, span: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield a span, cut after marks of footnotes that follow a full stop: "in 1904.[3] It was mended".

    >>> list(_after_marks("Built in 1904.[3] It burnt. See Holm et al.[4] The", (0, 50)))
    [(0, 17), (18, 50)]
    """
    start, end = span
    for match in _MARKED_END.finditer(text, start, end):
        yield start, match.end()
        start = _trimmed(text, match.end(), end)[0]
    yield start, end


def _ends_in(text: str, span: tuple[int, int], abbreviations: frozenset[str]) -> bool:
    """Return whether the last word of a span is one of the abbreviations."""
    return bool(abbreviations) and text[max(span[0], span[1] - 12) : span[1]].split()[-1] in abbreviations


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of a sentence: its own, or several of at most `MAX_SENTENCE_CHARACTERS` characters."""
    while end - start > MAX_SENTENCE_CHARACTERS:
        limit = start + MAX_SENTENCE_CHARACTERS
        half = start + MAX_SENTENCE_CHARACTERS // 2
        ends = [match.end() for match in _CLAUSE_END.finditer(text, half, limit)]
        cut = ends[-1] if ends else text.rfind(" ", half, limit)
        cut = limit if cut < half else cut
        yield _trimmed(text, start, cut)
        start = cut
        while text[start].isspace():
            start += 1
    yield start, end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without the white space at its ends."""
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())


def spans_of(passage: Passage) -> list[tuple[int, int]]:
    """Return the characters of each sentence of a passage: where the passage says so, or where they seem to
    end.

    >>> from probative.types import SentencePassage
    >>> rows = SentencePassage(text="boat: Gull boat: Lark", sentence_texts=("boat: Gull", "boat: Lark"))
    >>> spans_of(rows), spans_of(Passage(text="It rained. We left."))
    ([(0, 10), (11, 21)], [(0, 10), (11, 19)])
    """
    spans: list[tuple[int, int]] = []
    end = 0
    for text in passage.own_sentences() if isinstance(passage, SentencePassage) else ():
        # A part of a long passage has some of its sentences.
        if (start := passage.text.find(text, end)) >= 0:
            end = start + len(text)
            spans.append((start, end))
    if spans:
        return spans
    sentences = split_sentences(passage.text, getattr(passage, "language", None))
    return [(sentence.start or 0, sentence.end or len(passage.text)) for sentence in sentences]


def entries_in(sentence: str) -> list[str]:
    r"""Return the entries of a list, a form or a table, which has no full stops; a sentence that only goes
    on in the next line stays whole.

    >>> entries_in("Hours: 20 a week\nPay: 38,000 pesos"), entries_in("He left\nat noon.")
    (['Hours: 20 a week', 'Pay: 38,000 pesos'], ['He left\nat noon.'])
    >>> entries_in("| town | year |\n| --- | --- |\n| Molde | 1871 |")
    ['| town | year |', '| Molde | 1871 |']
    """
    lines = [line for each in sentence.split("\n") if set(line := each.strip()) - set("|-: \t")]
    of_entries = all(len(line) <= MAX_ENTRY and not line[0].islower() for line in lines)
    return lines if of_entries and len(lines) > 1 else [sentence]


def sentences_of(passage: Passage) -> list[str]:
    """Return the sentences of a passage."""
    return [passage.text[start:end] for start, end in spans_of(passage)]
