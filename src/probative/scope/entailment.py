"""Whether the chain entails the answer, by the verdict model."""

from __future__ import annotations

from collections.abc import Sequence

from probative.engine.search import Search
from probative.errors import WeightsError
from probative.scope.run import Run
from probative.scope.sentences import PassageSentence
from probative.text.language import detect_language
from probative.verdict.judge import judge_claim
from probative.verdict.judgement import Judgement
from probative.verdict.statement import statement


def judge_answer(run: Run, answer: str, sentences: Sequence[PassageSentence]) -> Search[Judgement | None]:
    """Return what the sentences of the chain say about the answer to the question."""
    return (yield from judge_statement(run, run.question.text, answer, sentences))


def judge_statement(
    run: Run, question: str, answer: str, sentences: Sequence[PassageSentence]
) -> Search[Judgement | None]:
    """Return what sentences say about a question and its answer, put as a statement; None, with a note, if
    the verdict model cannot be opened.
    """
    claim = statement(question, answer)
    evidence = [sentence.whole for sentence in sentences]
    try:
        judgement = yield from judge_claim(claim, evidence, run.tools, language=detect_language(question))
    except WeightsError as error:
        run.note(f"the verdict model was not asked: {error.what}")
        return None
    for note in judgement.notes:
        run.note(note)
    return judgement
