"""Table 4: does the evidence that McsE chooses entail the claim more often than a written chain of thought?

The verdict model judges entailment (the paper: TRUE), and the judge model, if there is one (GPT-3.5-turbo).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probative.bench.families import mcse
from probative.bench.families.claims import Claim
from probative.bench.findings import compared, counted, joined
from probative.bench.judging import judged_cell, read_yes_no, undecided_note
from probative.bench.published import MCSE as PUBLISHED
from probative.bench.report import Cell
from probative.bench.rows import Row, Rows, groups_by
from probative.bench.study import Case, Lab
from probative.bench.tables import PairedSpec, Results, TableSpec
from probative.models.types import Request
from probative.text.prompts import fenced, fill, read_prompt
from probative.text.sentences import split_sentences
from probative.types import Verdict

MAX_TOKENS, ANSWER_TOKENS = 200, 16
THOUGHT, MCSE, GOLD = KINDS = ("chain of thought", mcse.MCSE, "gold evidence")


def _write_steps(claim: Claim, lab: Lab) -> list[str]:
    """Return the steps that the model writes after two examples, as one text."""
    prompt = fill(
        read_prompt("probative.bench", "chain_of_thought"),
        text=fenced(" ".join(claim.sentences)),
        claim=claim.text,
    )
    (reply,) = lab.model.generate([Request.user(prompt, max_tokens=MAX_TOKENS, temperature=0.0)])
    return [without_claim(reply.text, claim.text)]


def without_claim(text: str, claim: str) -> str:
    """Return the steps without a next example, and without the claim repeated as the last step.

    A step that only repeats the claim would entail it whatever the other steps say.

    >>> without_claim("Ada owns it. So the mill is old. Text: The", "The mill is old.")
    'Ada owns it.'
    """
    steps = text.split("Text:")[0].split("Claim:")[0]
    repeated = _words(claim)
    written = (sentence.text for sentence in split_sentences(steps))
    return " ".join(
        step for step in written if [word for word in _words(step) if word not in ("so", "thus")] != repeated
    )


def _words(text: str) -> list[str]:
    return text.lower().rstrip(".!").replace(",", "").split()


def _entailed_by_verdict(claim: Claim, evidence: Sequence[str], lab: Lab) -> bool:
    """Return whether the verdict model says that the evidence supports the claim."""
    texts = [text for text in evidence if text.strip()]
    return bool(texts) and lab.session.judge(claim.text, texts).verdict == Verdict.SUPPORTED


def _entailed_by_judge(claim: Claim, evidence: Sequence[str], lab: Lab) -> bool | None:
    """Return whether the judge model says so; None if its reply is neither yes nor no, or there is none."""
    if lab.judge_model is None:
        return None
    text = fenced(" ".join(evidence))
    if not text:
        return False
    prompt = fill(read_prompt("probative.bench", "entails"), evidence=text, claim=claim.text)
    (reply,) = lab.judge_model.generate([Request.user(prompt, max_tokens=ANSWER_TOKENS, temperature=0.0)])
    return read_yes_no(reply.text)


def _by_verdict(rows: Rows) -> Cell:
    """Return the share that our verdict model finds entailed; the paper's TRUE is another judge."""
    return judged_cell([row["verdict"] for row in rows]).model_copy(update={"comparable": False})


def _by_judge(rows: Rows) -> Cell:
    judged = [row["judge"] for row in rows if row["has_judge"]]
    return judged_cell(judged) if judged else Cell(value=None)


def _entailed(results: Results) -> Iterator[str]:
    """Yield how many claims each kind of evidence entails, by the verdict model."""
    groups = groups_by(results.rows, "method")
    by_kind = {kind: [row["verdict"] is True for row in rows] for kind, rows in groups}
    if by_kind:
        entailed = joined(f"{kind} entails {sum(hits)}" for kind, hits in by_kind.items())
        yield f"By the verdict model, of {counted(len(by_kind[GOLD]), 'claim')} {entailed}."


def _judge_notes(results: Results) -> Iterator[str]:
    judged = [row["judge"] for row in results.rows if row["has_judge"]]
    if note := undecided_note(judged):
        yield note
    if not judged:
        yield "There is no judge model: only the verdict model judged."


class McseCot(mcse.McseStudy):
    """Chosen sentences against written reasoning as evidence."""

    name = "mcse-cot"
    title = "McsE against chain of thought: how often the evidence entails the claim"
    paper_reference = "table 4"
    calls_per_case = 30_000.0
    options = ("titles",)
    arguments = mcse.ONLY_MCSE
    tables = (
        TableSpec(
            "Claims that the evidence entails, in percent",
            "evidence",
            {
                "verdict model": _by_verdict,
                "judge model": _by_judge,
            },
            lambda rows: [(kind, [row for row in rows if row["method"] == kind]) for kind in KINDS],
            note="Published: Gemma-2b-it, judged by TRUE and GPT-3.5-turbo; chain of thought by GPT-3.5-"
            "turbo has 47.0 and 69.5, by Gemma-7b-it 43.5 and 70.5. The verdict model is another judge than "
            "TRUE: its column is not comparable with the published one.",
            published=PUBLISHED.chain_of_thought,
        ),
    )
    tests = (
        PairedSpec(
            "Paired tests, claims entailed",
            {
                "verdict model": lambda row: row["verdict"] is True,
                "judge model": lambda row: row["judge"] is True if row["has_judge"] else None,
            },
            [(MCSE, THOUGHT), (MCSE, GOLD)],
            by=None,
            case="id",
        ),
    )
    findings = (_entailed, compared("share of claims entailed", "claim"), _judge_notes, mcse.failures)

    def run(self, case: Case, lab: Lab) -> Row:
        """Get the evidence of each kind, and judge whether it entails the claim."""
        claim: Claim = case.content
        failed: dict[str, str] = {}
        evidence = {GOLD: [claim.sentences[index] for index in claim.gold[0]]}
        for name, find in ((THOUGHT, _write_steps), (MCSE, self._choose)):
            try:
                evidence[name] = find(claim, lab)
            except mcse.OWN_FAULTS as error:
                evidence[name], failed[name] = [], mcse.fault_text(error)
        judged = {kind: _entailed_by_judge(claim, evidence[kind], lab) for kind in KINDS}
        return {
            "id": claim.id,
            "kind": claim.kind,
            "evidence": {kind: evidence[kind] for kind in KINDS},
            "verdict": {kind: _entailed_by_verdict(claim, evidence[kind], lab) for kind in KINDS},
            "judge": judged if lab.judge is not None else None,
            "failed": failed,
        }

    def _choose(self, claim: Claim, lab: Lab) -> list[str]:
        """Return the sentences that McsE chooses, as many as are gold, in the order of the text."""
        arguments = self.chosen(lab.settings)[MCSE]
        proof = lab.session.prove(claim.text, claim.sentences, k=claim.gold_size, verdict=False, **arguments)
        return [claim.sentences[index] for index in sorted(proof.indexes)]

    def observations(self, rows: Sequence[Row]) -> list[Row]:
        """Return a row for each kind of evidence."""
        return [
            {
                "id": row["id"],
                "method": kind,
                "verdict": row["verdict"][kind],
                "has_judge": row["judge"] is not None,
                "judge": None if row["judge"] is None else row["judge"][kind],
            }
            for row in rows
            for kind in KINDS
        ]
