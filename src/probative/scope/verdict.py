"""The last step: whether the evidence supports the answer, and if not, why.

An answer is supported only if the chain is complete, no passage gives another value, the answer stands in a
cited sentence (or was computed), the verdict model agrees that the chain entails it, and it is certain
enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from probative.engine.search import Search
from probative.scope.answer.compare.shares import is_only_share
from probative.scope.checks import AnswerCheck, first_failed, model_checks
from probative.scope.contradictions.by_words import Contradiction
from probative.scope.contradictions.confirmed import confirmed
from probative.scope.contradictions.of_answer import contradictions_of_answer
from probative.scope.finding import Finding, serious_contradictions
from probative.scope.run import Run
from probative.scope.sentences import PassageSentence, contains_span, passage_sentences, rows_with
from probative.scope.support import find_support, model_for
from probative.text import english
from probative.text.labels import passage_label
from probative.text.language import detect_language
from probative.types import Verdict


def conclude(run: Run, finding: Finding) -> Search[Finding]:
    """Return the finding with its verdict and, for an answer, with what supports it and what was checked.

    What costs nothing is looked at first; with `answer_anyway`, everything is.
    """
    contradictions = yield from confirmed(run, finding)
    finding = replace(finding, contradictions=contradictions)
    answer = finding.answer.text
    if answer is None:
        return _without_answer(run, finding)
    if not finding.indexes:
        return _concluded(finding, [_completeness(replace(finding, complete=False))])
    finding = with_blocking(run, finding, answer)
    by_rules = [*_unsupported_language(run, finding), *_evidence_checks(run, finding)]
    by_rules += _grounding(run, finding, answer)
    if first_failed(by_rules) is not None and not run.options.answer_anyway:
        return _concluded(finding, by_rules)
    support = yield from find_support(run, finding, answer)
    finding = replace(finding, support=support)
    rivals = yield from contradictions_of_answer(run, finding, answer)
    finding = replace(finding, contradictions=_merged(finding.contradictions, rivals))
    by_models = model_checks(model_for(run, support.signals), support.signals, run.options.min_certainty)
    by_rules = [_consistency(run, finding) if check.name == "consistent" else check for check in by_rules]
    known = {check.name for check in by_rules}
    return _concluded(finding, [*by_rules, *(check for check in by_models if check.name not in known)])


def with_blocking(run: Run, finding: Finding, answer: str) -> Finding:
    """Return the finding with each contradiction marked that touches the asked value."""
    serious = serious_contradictions(run, finding)
    return replace(
        finding,
        contradictions=tuple(
            replace(entry, blocking=entry in serious and touches(run, finding, answer, entry))
            for entry in finding.contradictions
        ),
    )


def touches(run: Run, finding: Finding, answer: str, contradiction: Contradiction) -> bool:
    """Return whether a contradiction is about the answer, about a value that the question names, or about a
    name that leads from the question to the answer. A computed answer rests on the sentences of its values.
    Of a yes or no and a choice it is not known what they rest on: every contradiction touches them.
    """
    if finding.computed and finding.computation is not None:
        cited = {value.sentence for value in finding.computation.values}
        return not cited.isdisjoint({contradiction.text, contradiction.other_text})
    if run.question.kind in ("yes-no", "choice"):
        return True
    if contradiction.kind == "negation":
        return _overlap(run, contradiction.text, answer)
    leading = [node.text for node in finding.chain.judgements.features.nodes if node.inferred]
    # The pair is listed once: if both passages are in the chain, the answer may come from either.
    sides = [contradiction.says]
    if contradiction.other in finding.indexes:
        sides.append(contradiction.instead)
    values = [value.strip() for side in sides for value in side.split(",")]
    return any(
        _overlap(run, value, target)
        for value in values
        for target in (answer, *leading, *run.question.parsed.names)
    ) or any(value in run.question.text for value in (contradiction.says, contradiction.instead))


def _overlap(run: Run, first: str, second: str) -> bool:
    one, other = english.normal_form(first), english.normal_form(second)
    return contains_span(one, other) or contains_span(other, one)


def _without_answer(run: Run, finding: Finding) -> Finding:
    """Return the finding without an answer: contradicted if a contradiction may be why, else insufficient."""
    serious = serious_contradictions(run, finding)
    if serious and finding.reading is None:
        marked = tuple(replace(entry, blocking=entry in serious) for entry in finding.contradictions)
        finding = replace(finding, contradictions=marked)
    checks = _evidence_checks(run, finding)
    if finding.complete and finding.indexes and first_failed(checks) is None:
        run.note("the chain seems complete, but the model finds no answer in it")
        checks.append(_no_answer(finding))
    return _concluded(finding, checks)


def _no_answer(finding: Finding) -> AnswerCheck:
    """Return the check of a chain in which the model finds no answer."""
    if finding.reading is None or not finding.reading.declined:
        return AnswerCheck(name="answerable", passed=False, text="the model finds no answer in the chain")
    text = "to the reader, “unknown” is more probable than any answer"
    return AnswerCheck(name="answerable", passed=False, text=text, value=finding.answerable)


def _concluded(finding: Finding, checks: Sequence[AnswerCheck]) -> Finding:
    """Return the finding as supported if it passes every check; otherwise as contradicted if a contradiction
    blocks it, or as insufficient.
    """
    finding = replace(finding, checks=tuple(checks))
    if first_failed(checks) is None:
        return replace(finding, verdict=Verdict.SUPPORTED, complete=True)
    if any(contradiction.blocking for contradiction in finding.contradictions):
        return replace(finding, verdict=Verdict.CONTRADICTED)
    return replace(finding, verdict=Verdict.INSUFFICIENT, complete=False)


def _evidence_checks(run: Run, finding: Finding) -> list[AnswerCheck]:
    """Return whether the passages agree, if that was looked at, and whether the chain is complete."""
    checks = [_consistency(run, finding)] if run.options.conflicts else []
    return [*checks, _completeness(finding)]


def _consistency(run: Run, finding: Finding) -> AnswerCheck:
    """Return whether no contradiction touches the answer; both sides of the first that does."""
    contradiction = _contradiction(run, finding)
    text = contradiction or "no passage contradicts what is asked"
    return AnswerCheck(name="consistent", passed=contradiction is None, text=text)


def _completeness(finding: Finding) -> AnswerCheck:
    """Return whether the chain is complete, with the evidence policy's probability if it was asked."""
    complete = finding.complete and bool(finding.indexes)
    by_policy = finding.completeness is not None and finding.computation is None
    text = "the chain is enough" if by_policy else "every part of the question is carried by a passage"
    return AnswerCheck(
        name="complete",
        passed=complete,
        text=text if complete else _gap(finding),
        value=finding.completeness if by_policy else None,
        needed=finding.chain.min_completeness if by_policy else None,
    )


def _gap(finding: Finding) -> str:
    if finding.missing:
        return f"no passage of the chain carries {'; '.join(finding.missing)}"
    if finding.computation is not None:
        return finding.computation.rule
    if not finding.indexes:
        return "no passage helps to answer"
    return "the chain is not enough"


def _grounding(run: Run, finding: Finding, answer: str) -> list[AnswerCheck]:
    """Return whether the answer stands in the chain, as far as no model is needed to see it."""
    if finding.reading is not None and finding.reading.forced:
        text = "the reader finds no answer in the chain"
        return [AnswerCheck(name="answerable", passed=False, text=text, value=finding.answerable)]
    if finding.computed:
        text = "the answer was computed from values in the chain"
        return [AnswerCheck(name="grounded", passed=True, text=text)]
    if _is_polar(answer):
        return []
    sentences = passage_sentences(run, finding.indexes)
    if is_only_share(run, answer, sentences):
        text = f"the answer is not of the kind that the question asks for: {answer} is a percentage there"
        return [AnswerCheck(name="kind", passed=False, text=text)]
    problem = _ungrounded(run, answer, sentences)
    text = problem or "the answer stands in a sentence of the chain"
    return [AnswerCheck(name="grounded", passed=problem is None, text=text)]


def _ungrounded(run: Run, answer: str, sentences: Sequence[PassageSentence]) -> str | None:
    """Return why the sentences with the answer cannot ground it."""
    question = run.question.text
    holding = rows_with(run, answer, sentences)
    if not holding:
        return f"no sentence of the chain contains {answer!r}"
    if english.says_nothing(answer):
        return f"{answer!r} says nothing by itself"
    if english.asks_difference(question):
        return "the question asks for a difference, and no rule computed it from the chain"
    cited = [sentences[row].text for row in holding]
    if all(map(english.is_dateline, cited)):
        return f"{answer} stands there only as a date of writing"
    if english.asks_total(question) and all(map(english.states_rate, cited)):
        return f"the question asks for a total, and {answer} is for each of several"
    others = [sentence.text for row, sentence in enumerate(sentences) if row not in holding]
    other = english.other_of_its_kind(question, cited, others)
    if other is not None:
        return f"the question is about the {other[0]}, and the sentence about the {other[1]}"
    return None


def _contradiction(run: Run, finding: Finding) -> str | None:
    """Return both sides of the first contradiction that blocks the answer."""
    for contradiction in finding.contradictions:
        if contradiction.blocking:
            first, second = (
                passage_label(run.pool.origins[index]) for index in (contradiction.index, contradiction.other)
            )
            return (
                f"the passages contradict one another: {first} says {contradiction.says}, "
                f"{second} says {contradiction.instead}"
            )
    return None


def _merged(
    contradictions: Sequence[Contradiction], rivals: Sequence[Contradiction]
) -> tuple[Contradiction, ...]:
    """Return the contradictions with those of the verdict model, one for each pair of passages."""
    blocking = {(entry.index, entry.other) for entry in contradictions if entry.blocking}
    new = [replace(rival, blocking=True) for rival in rivals if (rival.index, rival.other) not in blocking]
    pairs = {(rival.index, rival.other) for rival in new}
    return (*(entry for entry in contradictions if (entry.index, entry.other) not in pairs), *new)


def _unsupported_language(run: Run, finding: Finding) -> list[AnswerCheck]:
    """Return that the reader does not know the language of the question or of the chain, if so."""
    if not run.has_reader:
        return []
    asked = detect_language(run.question.text, english.LANGUAGE)
    chain = " ".join(passage.text for passage in run.passages_at(finding.indexes))
    for what, language in {"question": asked, "chain": detect_language(chain, asked)}.items():
        if language != english.LANGUAGE:
            run.note(f"the language of the {what} ({language}) is not supported by {run.tools.model.name}")
            reason = f"the reader knows English only, and the {what} is in another language ({language})"
            return [AnswerCheck(name="language", passed=False, text=reason)]
    return []


def _is_polar(answer: str) -> bool:
    return answer.strip().lower() in ("yes", "no")
