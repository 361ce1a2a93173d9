"""How often all sentences that an answer needs are among the first that the policy takes, over bundles of
four documents of our own that nothing was trained on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from probative import Session
from probative.engine.search import choose_chain_by_policy
from probative.models.task_prompts import Line
from probative.scope.cover.chain import pieces_of
from probative.scope.cover.links import Links
from probative.text.prompts import headed
from training.large.bundles import deciding
from training.large.documents import read_documents
from training.large.report import ReportPart, passages_in, share
from training.row_files import print_cells, print_header

FIRST = (3, 6, 10)
MOST = max(FIRST)
# No stop of the policy is complete enough: it takes as many texts as it may.
NEVER = 2.0


def reach(session: Session, part: ReportPart, every: int = 1) -> Iterator[tuple[str, int | None]]:
    """Yield the kind of each question, and how many texts are taken until all needed sentences are among
    them; None if they are not among the first ten.
    """
    for bundle in list(read_documents(part))[::every]:
        pieces = [piece for _, piece in pieces_of(passages_in(bundle))]
        texts, lines = [headed(piece) for piece in pieces], [Line(piece.text) for piece in pieces]
        links = Links(pieces)
        for entry in bundle["questions"]:
            if not entry["answer"] or not entry["sentences"]:
                continue
            needed = deciding(lines, entry["sentences"]) or ()
            chain = session.run_search(
                choose_chain_by_policy(
                    entry["q"],
                    texts,
                    max_texts=MOST,
                    min_texts=MOST,
                    related=links.linked,
                    min_completeness=NEVER,
                )
            )
            places = [chain.indexes.index(one) if one in chain.indexes else MOST for one in needed]
            last = max(places, default=MOST)
            yield entry["kind"], last + 1 if last < MOST else None


def print_reach(session: Session, part: ReportPart, every: int = 1) -> None:
    """Print how often the needed sentences are among the first ones, by kind of question."""
    found: dict[str, list[int | None]] = defaultdict(list)
    for kind, taken in reach(session, part, every):
        found["**all**"].append(taken)
        found[kind].append(taken)
    print_header(["kind", *(f"among the first {count}" for count in FIRST)])
    for kind, values in sorted(found.items()):
        print_cells(
            [kind, *(share([taken is not None and taken <= most for taken in values]) for most in FIRST)]
        )
