"""The verbs on our own documents in six genres, which nothing was trained on.

Each of 60 questions is asked over its whole document, and over all documents of its genre in chunks of three
sentences. Each of 40 claims is judged, and proved, with the sentences of its document.
"""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.data import own
from probative.bench.data.files import spread
from probative.bench.data.own import OwnClaim, OwnQuestion
from probative.bench.families import own_documents as counted
from probative.bench.rows import FAILED, Row
from probative.bench.study import Case, Lab, Names, Settings, Study
from probative.bench.tables import TableSpec, kind_bars, share, shares


class Own(Study):
    """What `ask`, `judge` and `prove` get right on texts as users have them."""

    name = "own"
    title = "Are answers and verdicts on everyday documents right, and is nothing wrong believed?"
    paper_reference = "results, our own documents"
    limit_of = "questions or claims of each part"
    sets = Names("parts", counted.PARTS, counted.PARTS)
    set_field = "part"
    verbs = frozenset({"generate", "judge"})
    calls_per_case = 10.0
    tables = (
        TableSpec(
            "Answers to our questions",
            "questions, %",
            shares("outcome", counted.OUTCOMES),
            counted.by_part_and_kind,
            where=counted.is_asked,
            note="Where the documents do not answer a question, giving no answer is right.",
        ),
        TableSpec(
            "Verdicts on our claims",
            "verb, %",
            {
                "right verdict": share(counted.is_right),
                "wrong and supported": share(counted.is_believed),
                "a gold sentence cited": share(counted.cites_gold, of="gold"),
            },
            "part",
            where=counted.is_claim,
        ),
        TableSpec(
            "Verdicts by the right verdict",
            "verb, right verdict, %",
            shares("verdict", counted.VERDICTS),
            counted.by_label,
            where=counted.is_claim,
        ),
    )
    plots = (kind_bars("part"),)
    findings = (counted.believed,)

    def items(self, settings: Settings, name: str) -> Sequence[OwnQuestion | OwnClaim]:
        items: Sequence[OwnQuestion | OwnClaim]
        items = own.read_own_questions() if name in ("documents", "chunks") else own.read_own_claims()
        return spread(items, settings.limit)

    def about(self, case: Case) -> Row:
        item = case.content
        row = {**super().about(case), "genre": own.read_documents()[item.document].genre, "id": item.id}
        if isinstance(item, OwnQuestion):
            return {**row, "kind": item.kind, "question": item.question, "accepted": list(item.answers)}
        return {**row, "claim": item.claim, "gold": list(item.gold), "label": item.verdict}

    def wrong(self, case: Case) -> Row:
        asked = isinstance(case.content, OwnQuestion)
        return {**self.about(case), "verdict": FAILED, **({"outcome": FAILED} if asked else {"cited": []})}

    def answer(self, case: Case, lab: Lab) -> Row:
        item, documents = case.content, own.read_documents()
        document = documents[item.document]
        if isinstance(item, OwnQuestion):
            over_chunks = case.set == "chunks"
            passages = own.chunks(documents, document.genre) if over_chunks else own.whole(document)
            answer = lab.session.ask(item.question, passages)
            return {
                "answer": answer.answer,
                "verdict": answer.verdict.value,
                "answerable": answer.answerable,
                "missing": list(answer.missing),
                "tokens": answer.usage.tokens,
                "outcome": counted.outcome_of(item, answer.answer, answer.verdict.value),
            }
        if case.set == "judge":
            judged = lab.session.judge(item.claim, list(document.sentences))
            return {
                "verdict": judged.verdict.value,
                "cited": list(judged.deciding),
                "probability": judged.probabilities.of(judged.verdict),
                "tokens": judged.usage.tokens,
            }
        proof = lab.session.prove(item.claim, list(document.sentences), verdict=True)
        return {
            "verdict": str(getattr(proof.verdict, "value", proof.verdict)),
            "cited": list(proof.indexes),
            "tokens": proof.usage.tokens,
        }
