"""Table 4: does the evidence that McsE chooses entail the claim more often than a written chain of thought?

The verdict model judges entailment (the paper: TRUE), and the judge model, if there is one (GPT-3.5-turbo).
"""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiment import Case, Lab, Settings
from probative.bench.experiments.mcse_study.claims import Claim
from probative.bench.experiments.mcse_study.figures import MCSE, failure_notes
from probative.bench.experiments.mcse_study.study import ONLY_MCSE, OWN_FAULTS, McseStudy, chosen_methods
from probative.bench.findings import counted, difference_finding, joined
from probative.bench.judging import judged_cell, read_yes_no, undecided_note
from probative.bench.published import MCSE as PUBLISHED
from probative.bench.report import Cell, Report, Table, TableRow
from probative.bench.rows import Row, finished_rows
from probative.bench.statistics import paired_table
from probative.models.types import Request
from probative.text.prompts import fenced, fill, read_prompt
from probative.types import Verdict

PACKAGE = "probative.bench.experiments.mcse_study"
THOUGHT, GOLD = "chain of thought", "gold evidence"
MAX_TOKENS, ANSWER_TOKENS = 200, 16


class ChainOfThought(McseStudy):
    """Chosen sentences against written reasoning as evidence."""

    name = "mcse-cot"
    title = "McsE against chain of thought: how often the evidence entails the claim"
    paper_reference = "table 4"
    data = ("hover",)
    calls_per_case = 110_000.0
    options = ("titles",)
    compared = ONLY_MCSE

    def run(self, case: Case, lab: Lab) -> Row:
        """Get the evidence of each method, and judge whether it entails the claim."""
        claim: Claim = case.content
        failed: dict[str, str] = {}
        evidence: dict[str, list[str]] = {}
        for name, find in ((THOUGHT, write_steps), (MCSE, choose_sentences), (GOLD, gold_sentences)):
            try:
                evidence[name] = find(claim, lab)
            except OWN_FAULTS as error:
                evidence[name], failed[name] = [], f"{type(error).__name__}: {error.what}"
        verdicts = {name: entailed_by_verdict(claim, texts, lab) for name, texts in evidence.items()}
        judged = {name: entailed_by_judge(claim, texts, lab) for name, texts in evidence.items()}
        return {
            "id": claim.id,
            "kind": claim.kind,
            "evidence": evidence,
            "verdict": verdicts,
            "judge": judged if lab.judge is not None else None,
            "failed": failed,
        }

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        """Return the share of claims that the evidence of each method entails, by both judges."""
        good = finished_rows(rows)
        by_judge = [row for row in good if row["judge"] is not None]
        lines = []
        for name in (THOUGHT, MCSE, GOLD):
            nli, gpt = PUBLISHED.chain_of_thought.get(name, (None, None))
            judge = judged_cell([row["judge"][name] for row in by_judge], gpt)
            cells = (
                judged_cell([row["verdict"][name] for row in good], nli),
                judge if by_judge else Cell(value=None, published=gpt),
            )
            lines.append(TableRow(name=name, cells=cells))
        table = Table(
            title="Claims that the evidence entails, in percent",
            corner="evidence",
            columns=("verdict model", "judge model"),
            rows=tuple(lines),
            note="Published: Gemma-2b-it, judged by TRUE and GPT-3.5-turbo; chain of thought by GPT-3.5-"
            "turbo has 47.0 and 69.5, by Gemma-7b-it 43.5 and 70.5.",
        )
        undecided = undecided_note([verdict for row in by_judge for verdict in row["judge"].values()])
        without_judge = "" if by_judge else "There is no judge model: only the verdict model judged."
        tests = paired_table(
            "Paired tests, claims entailed",
            [(MCSE, THOUGHT), (MCSE, GOLD)],
            {"verdict model": _hits(good, "verdict"), "judge model": _hits(by_judge, "judge")},
        )
        finding = difference_finding(tests, "share of claims entailed", "claim")
        notes = filter(None, (undecided, without_judge))
        return Report(
            tables=(table, *tests), findings=(*_entailed(good), finding, *notes, *failure_notes(rows))
        )


def _entailed(rows: Sequence[Row]) -> list[str]:
    """Return how many claims each kind of evidence entails, by the verdict model."""
    if not rows:
        return []
    counts = {name: sum(row["verdict"][name] is True for row in rows) for name in (THOUGHT, MCSE, GOLD)}
    said = joined(f"{name} entails {n}" for name, n in counts.items())
    return [f"By the verdict model, of {counted(len(rows), 'claim')} {said}."]


def _hits(rows: Sequence[Row], judge: str) -> dict[str, dict[str, float]]:
    """Return by kind of evidence whether it entails each claim; an undecided reply counts as no."""
    return {
        name: {str(row["id"]): float(row[judge][name] is True) for row in rows}
        for name in (THOUGHT, MCSE, GOLD)
    }


def write_steps(claim: Claim, lab: Lab) -> list[str]:
    """Return the steps that the model writes after two examples, as one text."""
    prompt = fill(
        read_prompt(PACKAGE, "chain_of_thought"), text=fenced(" ".join(claim.sentences)), claim=claim.text
    )
    (reply,) = lab.model.generate([Request.user(prompt, max_tokens=MAX_TOKENS, temperature=0.0)])
    return [own_steps(reply.text, claim.text)]


def own_steps(text: str, claim: str) -> str:
    """Return the steps without a next example, and without the claim repeated as the last step.

    A step that only repeats the claim would entail it whatever the other steps say.

    >>> own_steps("Ada owns it. So the mill is old. Text: The", "The mill is old.")
    'Ada owns it.'
    """
    from probative.text.sentences import split_sentences

    steps = text.split("Text:")[0].split("Claim:")[0]
    kept = [sentence.text for sentence in split_sentences(steps) if not _repeats(sentence.text, claim)]
    return " ".join(kept)


def _repeats(step: str, claim: str) -> bool:
    words = [
        word for word in step.lower().rstrip(".!").replace(",", "").split() if word not in ("so", "thus")
    ]
    return words == claim.lower().rstrip(".!").replace(",", "").split()


def choose_sentences(claim: Claim, lab: Lab) -> list[str]:
    """Return the sentences that McsE chooses, as many as are gold, in the order of the text."""
    arguments = chosen_methods(lab.settings, ONLY_MCSE)[MCSE]
    proof = lab.session.prove(claim.text, claim.sentences, k=claim.gold_size, verdict=False, **arguments)
    return [claim.sentences[index] for index in sorted(proof.indexes)]


def gold_sentences(claim: Claim, lab: Lab) -> list[str]:
    """Return the gold sentences: what the best choice would get."""
    return [claim.sentences[index] for index in claim.gold[0]]


def entailed_by_verdict(claim: Claim, evidence: Sequence[str], lab: Lab) -> bool:
    """Return whether the verdict model says that the evidence supports the claim."""
    texts = [text for text in evidence if text.strip()]
    return bool(texts) and lab.session.judge(claim.text, texts).verdict == Verdict.SUPPORTED


def entailed_by_judge(claim: Claim, evidence: Sequence[str], lab: Lab) -> bool | None:
    """Return whether the judge model says so; None if its reply is neither yes nor no, or there is none."""
    if lab.judge_model is None:
        return None
    text = fenced(" ".join(evidence))
    if not text:
        return False
    prompt = fill(read_prompt(PACKAGE, "entails"), evidence=text, claim=claim.text)
    (reply,) = lab.judge_model.generate([Request.user(prompt, max_tokens=ANSWER_TOKENS, temperature=0.0)])
    return read_yes_no(reply.text)
