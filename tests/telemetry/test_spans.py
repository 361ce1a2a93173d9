"""Runs, steps and calls are spans of the configured provider, and nothing without one."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF
from opentelemetry.trace import SpanKind, StatusCode

import probative
from probative.engine.search import generate
from probative.models.contract import LanguageModel
from probative.models.wrappers import traced
from probative.telemetry.attributes import CAPTURE, call_attributes, call_name, is_remote
from probative.testing import ScriptedModel
from probative.trace import Call, Observer, observing

CASE: dict[str, Any] = {"claim": "The mill burnt down.", "sentences": ["The mill burnt.", "Herons eat."]}


@pytest.fixture(autouse=True)
def _no_content(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CAPTURE, raising=False)


@pytest.fixture
def exporter(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """The spans of a provider that is configured for one test."""
    memory = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(memory))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    yield memory
    provider.shutdown()


def scoring(name: str = "openai:small") -> probative.Session:
    return probative.Session(traced(ScriptedModel(score=lambda prompt, text: -1.0, name=name)))


def prove(session: probative.Session) -> probative.Proof:
    return session.prove(**CASE, k=1, preset="paper", verdict=False)


def by_name(exporter: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    return {span.name: span for span in exporter.get_finished_spans()}


def parent_of(span: ReadableSpan, exporter: InMemorySpanExporter) -> str | None:
    ids = {each.context.span_id: each.name for each in exporter.get_finished_spans()}
    return None if span.parent is None else ids[span.parent.span_id]


def test_a_run_has_a_span_with_its_steps_and_calls_below(exporter: InMemorySpanExporter) -> None:
    with scoring() as session:
        proof = prove(session)
    assert proof.trace is not None
    spans = by_name(exporter)
    run, call = spans["probative.prove"], spans["score small"]
    assert run.parent is None
    assert run.kind is SpanKind.INTERNAL
    assert run.attributes is not None
    assert run.attributes["probative.usage.calls"] == proof.usage.calls > 0
    steps = [span for span in exporter.get_finished_spans() if span.name.startswith("probative.step ")]
    names = [step.name for step in proof.trace.steps]
    assert [span.attributes["probative.step"] for span in steps if span.attributes] == names
    assert {parent_of(span, exporter) for span in steps} == {"probative.prove"}
    assert (parent_of(call, exporter) or "").startswith("probative.step ")
    calls = [span for span in exporter.get_finished_spans() if span.name == "score small"]
    assert len(calls) == sum(len(step.calls) for step in proof.trace.steps)


def test_runs_are_below_the_span_of_the_caller(exporter: InMemorySpanExporter) -> None:
    with scoring() as session, trace.get_tracer_provider().get_tracer("app").start_as_current_span("request"):
        prove(session)
    assert parent_of(by_name(exporter)["probative.prove"], exporter) == "request"


def test_a_call_has_the_attributes_of_the_conventions() -> None:
    call = Call(
        verb="generate",
        model="openai:gpt-4o-mini",
        request=probative.Request.user("Where?", max_tokens=8, stop=("\n",)).to_dict(),
        result={"text": "Molde", "finish_reason": "filter"},
        usage=probative.Usage(calls=1, prompt_tokens=5, completion_tokens=2),
    )
    assert call_name(call) == "chat gpt-4o-mini"
    assert is_remote(call)
    assert call_attributes(call, content=False) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "gpt-4o-mini",
        "gen_ai.request.max_tokens": 8,
        "gen_ai.request.temperature": 0.0,
        "gen_ai.request.top_p": 1.0,
        "gen_ai.request.stop_sequences": ["\n"],
        "gen_ai.response.finish_reasons": ["content_filter"],
        "gen_ai.usage.input_tokens": 5,
        "gen_ai.usage.output_tokens": 2,
        "probative.cached": False,
    }


def test_an_embedded_model_is_a_call_inside_the_process() -> None:
    call = Call(verb="judge", model="embedded", request={})
    assert not is_remote(call)
    assert call_attributes(call, content=False)["gen_ai.provider.name"] == "probative"


def asked(model: LanguageModel) -> str:
    with probative.Session(traced(model)) as session:
        (completion,) = session.run_search(generate(["A secret question"], step="answer"))
        return str(completion.text)


def everything(exporter: InMemorySpanExporter) -> str:
    return "".join(span.to_json() for span in exporter.get_finished_spans())


def test_texts_are_left_out_by_default(exporter: InMemorySpanExporter) -> None:
    asked(ScriptedModel(generate="A secret answer"))
    assert "secret" not in everything(exporter)
    assert set(by_name(exporter)) == {"probative.search", "probative.step answer", "chat scripted"}


@pytest.mark.parametrize(("value", "kept"), [("true", True), ("span_only", True), ("EVENT_ONLY", False)])
def test_texts_are_kept_if_the_user_asks(
    exporter: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch, value: str, kept: bool
) -> None:
    monkeypatch.setenv(CAPTURE, value)
    asked(ScriptedModel(generate="A secret answer"))
    attributes = by_name(exporter)["chat scripted"].attributes or {}
    assert ("gen_ai.input.messages" in attributes) is kept
    if kept:
        (message,) = json.loads(str(attributes["gen_ai.output.messages"]))
        assert message["parts"] == [{"type": "text", "content": "A secret answer"}]
        assert "A secret question" in str(attributes["gen_ai.input.messages"])


@pytest.mark.parametrize("content", [False, True])
def test_errors_are_noted_and_their_messages_only_if_the_user_asks(
    exporter: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch, content: bool
) -> None:
    monkeypatch.setenv(CAPTURE, str(content))
    refused = probative.RateLimitError("too many secrets")
    with pytest.raises(probative.RateLimitError):
        asked(ScriptedModel(generate=lambda request: refused))
    spans = by_name(exporter)
    for name in ("probative.search", "chat scripted"):
        assert spans[name].status.status_code is StatusCode.ERROR
        assert (spans[name].attributes or {})["error.type"] == "RateLimitError"
    assert spans["probative.search"].events[0].name == "exception"
    assert ("too many secrets" in everything(exporter)) is content


def test_a_verb_that_fails_has_an_error(exporter: InMemorySpanExporter) -> None:
    with scoring() as session, pytest.raises(probative.InputError):
        session.prove("", ["The mill burnt."])
    run = by_name(exporter)["probative.prove"]
    assert run.status.status_code is StatusCode.ERROR
    assert (run.attributes or {})["error.type"] == "InputError"


def test_a_batch_is_one_span(exporter: InMemorySpanExporter) -> None:
    with scoring() as session:
        results = session.prove_all([CASE, CASE], k=1, preset="paper", verdict=False)
        next(results)
        assert trace.get_current_span() is trace.INVALID_SPAN
        list(results)
    spans = exporter.get_finished_spans()
    assert [span.name for span in spans if span.parent is None] == ["probative.prove_all"]
    assert {parent_of(span, exporter) for span in spans if span.name.startswith("probative.step")} == {
        "probative.prove_all"
    }


def test_a_batch_that_is_left_ends_its_span(exporter: InMemorySpanExporter) -> None:
    with scoring() as session:
        results: Any = session.prove_all([CASE] * 3, k=1, preset="paper", verdict=False, max_active=1)
        next(results)
        results.close()
    run = by_name(exporter)["probative.prove_all"]
    assert run.status.status_code is StatusCode.UNSET


def test_a_run_inside_another_makes_each_span_once(exporter: InMemorySpanExporter) -> None:
    class Inner(Observer):
        calls = 0

        def step_started(self, name: str) -> None:
            if name == "strength" and not Inner.calls:
                Inner.calls += 1
                asked(ScriptedModel(generate="Molde"))

    with scoring() as session, observing(Inner()):
        prove(session)
    names = [span.name for span in exporter.get_finished_spans()]
    assert names.count("probative.search") == names.count("probative.step answer") == 1
    assert names.count("probative.prove") == 1


def test_nothing_is_told_below_a_span_that_is_not_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    memory, provider = InMemorySpanExporter(), TracerProvider(sampler=ALWAYS_OFF)
    provider.add_span_processor(SimpleSpanProcessor(memory))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    told: list[object] = []
    monkeypatch.setattr("probative.telemetry.spans._Steps.called", lambda self, call: told.append(call))
    with scoring() as session:
        assert prove(session).evidence
    assert (memory.get_finished_spans(), told) == ((), [])


def test_without_a_provider_nothing_is_imported() -> None:
    code = (
        "import sys, probative\n"
        "from probative.testing import ScriptedModel\n"
        "from probative.engine.search import generate\n"
        "with probative.Session(ScriptedModel(generate='Molde')) as session:\n"
        "    session.run_search(generate(['Where?'], step='answer'))\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry')])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
