"""`judge` of a session: one claim, many, awaited, dry, with each kind of verdict model."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from verdicts import ruled

import probative
from probative import InputError, JudgeCase, Judgement, ProbativeError, Session, Verdict, load_settings
from probative.batch.verb_files import verb_file
from probative.testing import ScriptedModel

TEXT = "Ada owns a mill. The mill burnt down in 1890.  Herons eat fish."


def test_a_text_is_split_and_the_deciding_sentence_keeps_its_place() -> None:
    with Session(verdict=ruled()) as session:
        judgement = session.judge("The mill burnt down.", TEXT)
    assert judgement.verdict is Verdict.SUPPORTED
    assert judgement.probabilities.of(Verdict.SUPPORTED) == pytest.approx(0.7)
    assert judgement.deciding == (1,)
    (sentence,) = (judgement.evidence[index] for index in judgement.deciding)
    assert TEXT[sentence.start : sentence.end] == "The mill burnt down in 1890."
    assert judgement.verdict_model == "ruled"
    assert Judgement.from_dict(judgement.to_dict()) == judgement


def test_a_list_is_taken_as_it_is() -> None:
    evidence = ["Well. The mill stands.", "It did not burn."]
    judgement = probative.judge("The mill burnt.", evidence, verdict=ruled())
    assert (judgement.verdict, judgement.deciding_texts) == (Verdict.CONTRADICTED, (evidence[1],))
    assert judgement.evidence[0].start is None


def test_the_call_is_traced_counted_and_cached() -> None:
    model = ruled()
    with Session(verdict=model) as session:
        first = session.judge("The mill burnt down.", TEXT)
        second = session.judge("The mill burnt down.", TEXT)
        assert session.usage.calls == first.usage.calls == 1
        assert session.weights["verdict"] == model.fingerprint
    assert (second.usage.calls, second.usage.cached) == (0, 1)
    assert first.trace is not None
    step = first.trace.find("verdict")
    assert step is not None
    (call,) = step.calls
    assert (call.verb, call.model, call.request["claim"]) == ("judge", "ruled", "The mill burnt down.")
    assert call.result is not None
    assert call.result["supported"] == pytest.approx(0.7)
    assert first.trace.usage.calls == 1


def test_without_evidence_the_verdict_is_insufficient_and_says_why() -> None:
    model = ruled()
    for evidence in ("", [], ["  "]):
        judgement = probative.judge("The mill burnt.", evidence, verdict=model)
        assert judgement.verdict is Verdict.INSUFFICIENT
        assert judgement.deciding == ()
        assert judgement.notes
    assert model.asked == []


@pytest.mark.parametrize("claim", ["", "  ", 3, "\ud800"])
def test_a_claim_that_is_none_is_refused(claim: str) -> None:
    with pytest.raises(InputError):
        probative.judge(claim, TEXT, verdict=ruled())


def test_many_claims_run_side_by_side_and_fail_alone() -> None:
    cases = [
        JudgeCase(claim="The mill burnt down.", evidence=TEXT),
        {"claim": "It rained."},
        {"claim": "It snowed.", "evidence": ["It did not snow."]},
    ]
    results = dict(probative.judge_all(cases, verdict=ruled()))
    verdicts = [result.verdict for result in results.values() if isinstance(result, Judgement)]
    assert sorted(verdicts) == [Verdict.CONTRADICTED, Verdict.SUPPORTED]
    assert isinstance(results[1], ProbativeError)


def test_judge_can_be_awaited() -> None:
    with Session(verdict=ruled()) as session:
        judgement = asyncio.run(session.judge_async("The mill burnt down.", TEXT))
    assert judgement.verdict is Verdict.SUPPORTED


def test_a_dry_run_counts_and_opens_nothing() -> None:
    judgement = probative.judge("The mill burnt down.", TEXT, dry_run=True)
    assert judgement.usage.calls == 1
    assert judgement.usage.prompt_tokens > 20


def test_the_language_model_gives_the_verdict_if_the_setting_says_so() -> None:
    model = ScriptedModel(choose=lambda prompt, options: (0.1, 0.1, 0.8))
    judge = ScriptedModel(choose=lambda prompt, options: (0.8, 0.1, 0.1), name="judge")
    settings = load_settings({"verdict": "model"})
    judgement = probative.judge("The mill burnt down.", TEXT, model=model, settings=settings)
    assert (judgement.verdict, judgement.verdict_model) == (Verdict.INSUFFICIENT, "scripted")
    assert judgement.usage.calls == 1
    judged = probative.judge("The mill burnt down.", TEXT, model=model, judge_model=judge, verdict="model")
    assert (judged.verdict, judged.verdict_model) == (Verdict.SUPPORTED, "judge")
    assert len(model.asked) == len(judge.asked) == 1
    assert judged.notes == ()
    unused = probative.judge("The mill burnt down.", TEXT, judge_model=judge, verdict=ruled())
    assert any("the judge judge was not used" in note for note in unused.notes)


def test_a_wrong_verdict_model_is_refused_at_once() -> None:
    with pytest.raises(InputError, match="no verdict model called 'openai'"):
        Session(verdict="openai")
    with pytest.raises(InputError, match="must be a VerdictModel or a name, got int"):
        Session(verdict=3)  # type: ignore[arg-type]
    with pytest.raises(ProbativeError, match="verdict"):
        load_settings({"verdict": "openai"})


def test_a_file_of_claims(tmp_path: Path) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(
        '{"id": 1, "claim": "The mill burnt.", "evidence": ["The mill burnt."]}\n'
        '{"id": 2, "claim": "The mill burnt.", "evidence": "Herons eat fish. The mill did not burn."}\n'
        '{"id": 3, "claim": "The mill burnt."}\n',
        encoding="utf-8",
    )
    with Session(verdict=ruled()) as session:
        manifest = verb_file("judge", source, target, session=session)
    assert (manifest.done, manifest.failed) == (2, 1)
    assert manifest.verdicts == {"contradicted": 1, "supported": 1}
    lines = [probative.Judgement.__name__, *target.read_text(encoding="utf-8").splitlines()]
    assert '"deciding":[1]' in lines[2].replace(" ", "")
