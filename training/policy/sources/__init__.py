"""Claims and questions with the sentences that carry them, from public annotated sets and from documents of
our own.

Each set is read in its published form. Rows that figures are reported on are left out, whatever file they
come from: `probative.bench.data.splits` says which these are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from probative.bench.data.splits import question_key
from training.policy.evidence import Evidence
from training.policy.sources import claims, multihop, questions
from training.splits import reported_keys


def bundles(data: Path) -> Iterator[Evidence]:
    """Yield the examples over documents of our own, whose reading needs claims of the other sources."""
    from training.policy.sources.own_documents import bundles as examples

    return examples(data)


SOURCES: dict[str, Callable[[Path], Iterator[Evidence]]] = {
    "hotpotqa": multihop.hotpotqa,
    "hotpotqa_bare": multihop.hotpotqa_bare,
    "2wikimultihopqa": multihop.two_wiki,
    "2wiki_made": multihop.two_wiki_made,
    "whole_pages": multihop.whole_pages,
    "musique": multihop.musique,
    "multihop_claims": multihop.multihop_claims,
    "multirc": claims.multirc,
    "fever": claims.fever,
    "feverous": claims.feverous,
    "entailmentbank": claims.entailmentbank,
    "fool_me_twice": claims.fool_me_twice,
    "selqa": questions.selqa,
    "squad": questions.squad,
    "squad2": questions.squad2,
    "nq": questions.natural_questions,
    "bundles": bundles,
}
# Sources that ask the questions of another source in another form.
SAME_QUESTIONS = ("hotpotqa_bare", "whole_pages")


def read_all(data: Path, sources: Iterable[str] | None = None) -> list[Evidence]:
    """Return every example of the sources, all by default, that may be trained on.

    A query that two sources share is taken once. A query that figures are reported on is left out.
    """
    reported = reported_keys(data)
    examples: dict[str, Evidence] = {}
    for name in sources or SOURCES:
        for example in SOURCES[name](data):
            if len(example.sentences) > 1 and question_key(example.query) not in reported:
                form = example.source if example.source in SAME_QUESTIONS else ""
                examples.setdefault(f"{_letters(example.query)} {example.answer or ''} {form}", example)
    return list(examples.values())


def _letters(text: str) -> str:
    """Return the letters and digits of a text, by which equal queries are found."""
    return "".join(re.findall(r"\w", text.lower()))
