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
from probative.scope.certainty import OTHER_KIND, REASONS
from probative.scope.conflicts import Contradiction
from probative.scope.finding import Finding, serious_contradictions
from probative.scope.rivals import find_rivals
from probative.scope.run import Run
from probative.scope.sentences import PassageSentence, contains_span, passage_sentences, rows_with
from probative.scope.support import find_support, model_for
from probative.text.labels import passage_label
from probative.text.language import detect_language
from probative.types import Verdict


def conclude(run: Run, finding: Finding) -> Search[Finding]:
    """Return the finding with its verdict and, for an answer, with what supports it or the reason against it.

    What costs nothing is looked at first; with `answer_anyway`, everything is.
    """
    answer = finding.answer.text
    if answer is None:
        return _without_answer(run, finding)
    if not finding.indexes:
        return _refused(finding, _gap(finding))
    finding = with_blocking(run, finding, answer)
    reason = _reason_by_rules(run, finding, answer)
    if reason is not None and not run.options.answer_anyway:
        return _refused(finding, reason)
    support = yield from find_support(run, finding, answer)
    finding = replace(finding, support=support)
    rivals = yield from find_rivals(run, finding, answer)
    finding = replace(finding, contradictions=_merged(finding.contradictions, rivals))
    reason = reason or _contradiction(run, finding)
    reason = reason or model_for(run, support.signals).refusal(support.signals, run.options.min_certainty)
    if reason is not None:
        return _refused(finding, reason)
    return replace(finding, verdict=Verdict.SUPPORTED, complete=True)


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
    one, other = run.analyzer.normal_form(first), run.analyzer.normal_form(second)
    return contains_span(one, other) or contains_span(other, one)


def _without_answer(run: Run, finding: Finding) -> Finding:
    """Return the finding without an answer: contradicted if a contradiction may be why, else insufficient."""
    serious = serious_contradictions(run, finding)
    if serious and finding.reading is None:
        marked = tuple(
            replace(contradiction, blocking=contradiction in serious)
            for contradiction in finding.contradictions
        )
        finding = replace(finding, contradictions=marked)
        return _refused(finding, _contradiction(run, finding) or "")
    if finding.complete and finding.indexes:
        run.note("the chain seems complete, but the model finds no answer in it")
        return _refused(finding, "the model finds no answer in the chain")
    return _refused(finding, _gap(finding))


def _refused(finding: Finding, reason: str) -> Finding:
    """Return the finding as contradicted if a contradiction blocks it, otherwise as insufficient."""
    blocked = any(contradiction.blocking for contradiction in finding.contradictions)
    if blocked:
        return replace(finding, verdict=Verdict.CONTRADICTED, reason=reason)
    return replace(finding, verdict=Verdict.INSUFFICIENT, complete=False, reason=reason)


def _gap(finding: Finding) -> str:
    if finding.missing:
        return f"no passage of the chain carries {'; '.join(finding.missing)}"
    if finding.computation is not None:
        return finding.computation.rule
    if not finding.indexes:
        return "no passage helps to answer"
    if finding.completeness is not None:
        return f"the evidence policy misses something: the chain is complete with {finding.completeness:.0%}"
    return "the chain is incomplete"


def _reason_by_rules(run: Run, finding: Finding, answer: str) -> str | None:
    """Return why the answer is not supported, as far as no model is needed to see it."""
    if (language := _unsupported_language(run, finding)) is not None:
        return language
    if (contradiction := _contradiction(run, finding)) is not None:
        return contradiction
    if not finding.complete:
        return _gap(finding)
    if finding.reading is not None and finding.reading.forced:
        return "the reader finds no answer in the chain"
    if not finding.computed and not _is_polar(answer):
        sentences = passage_sentences(run, finding.indexes)
        if not rows_with(run, answer, sentences):
            return f"no sentence of the chain contains {answer!r}"
        if is_only_share(run, answer, sentences):
            return f"{OTHER_KIND}: {answer} is a percentage there"
        return _ungrounded(run, answer, sentences)
    return None


def _ungrounded(run: Run, answer: str, sentences: Sequence[PassageSentence]) -> str | None:
    """Return why the sentences with the answer cannot ground it."""
    question = run.question.text
    if run.analyzer.says_nothing(answer):
        return f"{answer!r} says nothing by itself"
    if run.analyzer.asks_difference(question):
        return "the question asks for a difference, and no rule computed it from the chain"
    holding = rows_with(run, answer, sentences)
    cited = [sentences[row].text for row in holding]
    if all(map(run.analyzer.is_dateline, cited)):
        return f"{answer} stands there only as a date of writing"
    if run.analyzer.asks_total(question) and all(map(run.analyzer.states_rate, cited)):
        return f"the question asks for a total, and {answer} is for each of several"
    others = [sentence.text for row, sentence in enumerate(sentences) if row not in holding]
    other = run.analyzer.other_of_its_kind(question, cited, others)
    if other is not None:
        return f"the question is about the {other[0]}, and the sentence about the {other[1]}"
    return None


def is_model_reason(reason: str | None) -> bool:
    """Return whether an answer was refused only by what the models say about it."""
    return reason is not None and reason.startswith(REASONS)


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


def _unsupported_language(run: Run, finding: Finding) -> str | None:
    """Return that the reader does not know the language of the question or of the chain."""
    if not run.has_reader:
        return None
    texts = {"question": run.question.text}
    texts["chain"] = " ".join(passage.text for passage in run.passages_at(finding.indexes))
    for what, text in texts.items():
        if (language := detect_language(text)) != run.analyzer.language:
            run.note(f"the language of the {what} ({language}) is not supported by {run.tools.model.name}")
            return f"the reader knows English only, and the {what} is in another language ({language})"
    return None


def _is_polar(answer: str) -> bool:
    return answer.strip().lower() in ("yes", "no")
