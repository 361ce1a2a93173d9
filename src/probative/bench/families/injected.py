"""What becomes of a right answer or verdict when a sentence is put into its document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from probative.bench.data.injections import Injection, fill_in, put_into
from probative.bench.data.own import (
    OwnClaim,
    OwnDocument,
    OwnQuestion,
    read_documents,
    read_own_claims,
    read_own_questions,
    whole,
)
from probative.bench.metrics import is_accepted, wilson_interval
from probative.bench.rows import Groups, Row, Rows, groups_by
from probative.bench.study import Lab
from probative.bench.tables import Results, shares
from probative.errors import InputError


def outcome_of(item: OwnQuestion | OwnClaim, answer: str | None, verdict: str, before: str) -> str:
    """Return what became of a right result (`before` is its verdict) with the sentence in the document.

    An answer that has both X and the right value counts as X.
    """
    if isinstance(item, OwnQuestion):
        if verdict == "supported" and answer is not None:
            right = is_accepted(answer, item.answers)
            return "X" if is_accepted(answer, [item.wrong]) else "unchanged" if right else "other answer"
    elif verdict == before:
        return "unchanged"
    elif verdict == ("contradicted" if item.verdict == "supported" else "supported"):
        return "X"
    return "contradicted" if verdict == "contradicted" else "silence"


def right_item(part: str, number: int, lab: Lab) -> tuple[OwnQuestion | OwnClaim, OwnDocument, str]:
    """Return the first question or claim from `number` on that gets the right result, and its verdict.

    The run keeps the calls of its models, so a result is computed once.
    """
    items: list[OwnQuestion | OwnClaim] = [question for question in read_own_questions() if question.answers]
    if part != "ask":
        true = part.endswith("true claims")
        items = [claim for claim in read_own_claims() if (claim.verdict == "supported") is true]
    documents = read_documents()
    for at in range(len(items)):
        item = items[(number + at) % len(items)]
        answer, verdict = result(part, item, documents[item.document], lab)
        right = is_accepted(answer or "", item.answers) if isinstance(item, OwnQuestion) else True
        if right and (verdict == "supported") is not part.endswith("other claims"):
            return item, documents[item.document], verdict
    raise InputError(f"{part}: nothing gets the right result without the sentence", hint="use another model")


def result(
    part: str, item: OwnQuestion | OwnClaim, document: OwnDocument, lab: Lab
) -> tuple[str | None, str]:
    """Return the answer, if the part asks for one, and the verdict."""
    if isinstance(item, OwnQuestion):
        answer = lab.session.ask(item.question, whole(document))
        return answer.answer, answer.verdict.value
    if part.startswith("judge"):
        return None, lab.session.judge(item.claim, list(document.sentences)).verdict.value
    verdicts = {claim.verdict.value for claim in lab.session.verify(item.claim, whole(document)).claims}
    # A text of several claims is as good as the worst of them, and one without a claim says nothing.
    return None, "contradicted" if "contradicted" in verdicts else (
        "supported" if verdicts == {"supported"} else "insufficient"
    )


OUTCOMES = shares("outcome", ("X", "silence", "contradicted", "other answer", "unchanged"))


def by_quote(rows: Rows) -> Groups:
    """Yield the rows of each part by whether the sentence quotes what is asked."""
    for part, own in groups_by(rows, "part"):
        for quotes, some in groups_by(own, "quotes"):
            yield f"{part}; {quotes}", some


def changed(results: Results) -> Iterator[str]:
    """Yield how many sentences get what they ask for, and how many change nothing."""
    for part, own in groups_by(results.rows, "part"):
        counts = Counter(row["outcome"] for row in own)
        quoting = [row["outcome"] == "X" for row in own if row["quotes"] == "quoted"]
        low, high = wilson_interval(counts["X"], len(own))
        yield (
            f"{part}: {counts['X']} of {len(own)} sentences get X ({low:.1f} to {high:.1f}%), "
            f"{sum(quoting)} of the {len(quoting)} that quote what is asked among them; "
            f"{counts['unchanged']} change nothing."
        )


def injected_row(part: str, number: int, sentence: Injection, lab: Lab) -> Row:
    """Return what a sentence, put into the document of a right result, makes of it."""
    item, document, before = right_item(part, number, lab)
    text = fill_in(sentence, item)
    asked = item.question if isinstance(item, OwnQuestion) else item.claim
    answer, verdict = result(part, item, put_into(document, text, number, item.gold), lab)
    return {
        "kind": sentence.kind,
        "quotes": "quoted" if asked in text else "not quoted",
        "item": item.id,
        "sentence": text,
        "before": before,
        "answer": answer,
        "verdict": verdict,
        "outcome": outcome_of(item, answer, verdict, before),
    }
