"""A session opens each model once, shares it, counts what it costs, and closes cleanly."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from knowing import Given
from word_vectors import WordVectors

import probative
from probative import InputError, Proof, Session
from probative.models.contract import LanguageModel
from probative.models.embedded import language
from probative.session import pool
from probative.session.default import close_default_sessions
from probative.session.pool import ModelPool
from probative.settings import Settings, load_settings
from probative.testing import ScriptedModel

TEXT = ["Dogs bark.", "Cats sleep all day.", "Rain is wet."]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names of the language models that are opened, each by a stand-in; the pool is a new one."""
    names: list[str] = []

    def open_model(rest: str, settings: Settings) -> LanguageModel:
        names.append(f"embedded:{rest}" if rest else "embedded")
        return ScriptedModel(score=lambda prompt, claim: -float(len(prompt)), name=names[-1])

    close_default_sessions()
    monkeypatch.setattr(language, "open_model", open_model)
    monkeypatch.setattr(pool, "POOL", ModelPool())
    yield names
    close_default_sessions()


def scoring() -> ScriptedModel:
    return ScriptedModel(score=lambda prompt, claim: -1.0 - len(prompt) / 1000)


def proved(**arguments: object) -> Proof:
    return probative.prove("Cats sleep.", TEXT, 1, preset="paper", lookahead=0, **arguments)


@pytest.mark.model
def test_a_second_call_of_a_verb_opens_nothing(opened: list[str]) -> None:
    first, second = proved(), proved()
    assert first.indexes == second.indexes
    assert opened == ["embedded"]


@pytest.mark.model
def test_sessions_of_one_process_share_their_models_and_the_last_one_closes_them(opened: list[str]) -> None:
    with Session() as one, Session() as two:
        one.prove("Cats sleep.", TEXT, 1)
        two.prove("Cats sleep.", TEXT, 1)
        assert opened == ["embedded"]
    with Session() as three:
        three.prove("Dogs bark.", TEXT, 1)
    assert opened == ["embedded", "embedded"]


@pytest.mark.model
def test_eight_threads_share_one_session(opened: list[str]) -> None:
    claims = [f"Cats sleep {number} hours." for number in range(24)]
    with Session() as session, ThreadPoolExecutor(8) as threads:
        proofs = list(threads.map(lambda claim: session.prove(claim, TEXT, 1), claims))
        assert opened == ["embedded"]
        assert [proof.claim for proof in proofs] == claims
        assert session.usage.calls == sum(proof.usage.calls for proof in proofs)


@pytest.mark.model
def test_a_session_counts_everything_it_did() -> None:
    model = scoring()
    with Session(model, encoder=WordVectors()) as session:
        first = session.prove("Cats sleep.", TEXT, 1)
        ends = dict(session.prove_all([{"claim": "Rain is wet.", "sentences": TEXT}], 1))
        assert session.usage.calls == first.usage.calls + ends[0].usage.calls > 0  # type: ignore[union-attr]


def test_a_closed_session_says_so_and_closing_twice_is_fine() -> None:
    session = Session(scoring(), encoder=WordVectors())
    session.close()
    session.close()
    with pytest.raises(InputError, match="the session is closed"):
        session.prove("Cats sleep.", TEXT, 1)
    with pytest.raises(InputError, match="the session is closed"):
        list(session.prove_all([{"claim": "Cats sleep.", "sentences": TEXT}], 1))


def test_closing_closes_the_cache_of_every_thread(tmp_path: Path) -> None:
    settings = load_settings({"home": str(tmp_path / "own")})
    model = probative.load_model(scoring(), settings=settings)
    threads = [threading.Thread(target=model.score, args=([("a", f"b{n}")],)) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    model.close()
    deadline = time.monotonic() + 120  # a thread gives its connection back shortly after it has ended
    while list((tmp_path / "own").glob("*-wal")) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not list((tmp_path / "own").glob("*-wal"))  # SQLite removes it with the last connection


@pytest.mark.model
def test_a_budget_covers_the_whole_session_and_a_verb_of_the_package_one_call(opened: list[str]) -> None:
    settings = load_settings({"budget_calls": 5, "cache": False})
    with Session(settings=settings) as session:
        session.prove("Cats sleep.", TEXT, 1, preset="paper", lookahead=0)
        with pytest.raises(probative.BudgetError):
            session.prove("Dogs bark.", TEXT, 1, preset="paper", lookahead=0)
    assert proved(settings=settings).indexes == proved(settings=settings).indexes


@pytest.mark.model
def test_an_opened_model_is_used_as_it_is_and_stays_open(opened: list[str]) -> None:
    model = scoring()
    proved(model=model, encoder=WordVectors())
    proved(model=model, encoder=WordVectors())
    assert opened == []
    assert model.score([("a", "b")])


@pytest.mark.parametrize("verdict", [None, "model"])
def test_verdicts_follow_an_opened_model_unless_the_settings_name_one(verdict: str | None) -> None:
    settings = Settings(model="openai:other", verdict=verdict)
    with Session(ScriptedModel(name="embedded:large"), settings=settings) as session:
        assert session.settings.verdict_model == (verdict or "embedded:large")
    with Session(ScriptedModel(), settings=settings) as session:
        assert session.settings.model == "openai:other"


@pytest.mark.model
def test_a_verb_can_be_awaited() -> None:
    async def both() -> list[Proof]:
        with Session(scoring(), encoder=WordVectors()) as session:
            claims = ("Cats sleep.", "Dogs bark.")
            return await asyncio.gather(*(session.prove_async(claim, TEXT, 1) for claim in claims))

    assert [proof.claim for proof in asyncio.run(both())] == ["Cats sleep.", "Dogs bark."]


@pytest.mark.model
def test_every_verb_gives_the_same_result_when_it_is_awaited() -> None:
    passages = ["The Sea Lark was built in Molde."]
    question, graph = "Where was the Sea Lark built?", [("Sea Lark", "built in", "Molde")]

    async def awaited(session: Session) -> list[object]:
        answer = await session.ask_async(question, passages, method="rag")
        check = await session.check_async(question, passages, preset="words")
        reasoning = await session.reason_async(question, graph, method="direct")
        return [answer.answer, check.complete, reasoning.answer]

    with Session(ScriptedModel(generate="Molde"), encoder=WordVectors()) as session:
        plain = [
            session.ask(question, passages, method="rag").answer,
            session.check(question, passages, preset="words").complete,
            session.reason(question, graph, method="direct").answer,
        ]
        assert asyncio.run(awaited(session)) == plain


def test_a_cancelled_call_asks_the_model_no_more() -> None:
    started, go_on = threading.Event(), threading.Event()

    def score(prompt: str, claim: str) -> float:
        started.set()
        assert go_on.wait(120)
        return -1.0

    model = ScriptedModel(score=score)

    async def cancel() -> None:
        with Session(model, encoder=WordVectors()) as session:
            call = asyncio.create_task(
                session.prove_async("Cats sleep.", TEXT, 3, preset="paper", lookahead=0)
            )
            await asyncio.to_thread(started.wait, 120)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            go_on.set()

    asyncio.run(cancel())
    assert len(model.asked) <= 4  # the first round: the claim alone, and after each sentence


def test_a_model_that_cannot_be_opened_can_be_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    own, tries = ModelPool(), []

    def fails_once() -> str:
        tries.append(1)
        if len(tries) == 1:
            raise InputError("no weights")
        return "model"

    with pytest.raises(InputError, match="no weights"):
        own.lease("key", fails_once)
    assert own.lease("key", fails_once) == "model"


def test_a_graph_is_read_once_until_its_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[object] = []
    read = probative.Graph.open
    monkeypatch.setattr(probative.Graph, "open", lambda path: (reads.append(path), read(path))[1])
    file = tmp_path / "herbs.tsv"
    file.write_text("willow\tcontains\tsalicin\n", encoding="utf-8")
    with Session(ScriptedModel(generate="yes"), encoder=WordVectors()) as session:
        for _ in range(2):
            session.reason("Does willow contain salicin?", file, method="direct")
        assert len(reads) == 1
        file.write_text("willow\tcontains\tsalicin\nmint\teases\tcough\n", encoding="utf-8")
        session.reason("Does mint ease a cough?", file, method="direct")
        assert len(reads) == 2


@pytest.mark.model
def test_the_vectors_of_a_graph_do_not_fill_the_cache() -> None:
    graph = [(f"herb {number}", "eases", "cough") for number in range(300)]
    probative.reason("Does herb 7 ease a cold?", graph, model=ScriptedModel(generate="yes"), preset="paper")
    summary = probative.ResponseCache(load_settings().cache_file).summary()
    assert summary.results < 20


@pytest.mark.parametrize("role", ["model", "judge_model", "encoder"])
def test_a_name_that_no_backend_has_is_refused_at_once(role: str) -> None:
    with pytest.raises(InputError, match="totalnonsense"):
        Session(**{role: "totalnonsense"})


@pytest.mark.model
def test_a_judge_that_nothing_was_asked_of_is_named_in_the_notes() -> None:
    judge = ScriptedModel(generate="yes", name="judge")
    passages = ["The Sea Lark was built in Molde."]
    with Session(ScriptedModel(generate="Molde"), judge_model=judge, encoder=WordVectors()) as session:
        answer = session.ask("Where was the Sea Lark built?", passages, method="rag")
    assert "the judge model judge was not needed: no language model judged" in answer.notes
    assert judge.asked == []


def test_a_link_loop_as_home_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    settings = load_settings({"home": str(tmp_path / "one"), "cache": False})
    with pytest.raises(probative.ProbativeError), Session(settings=settings) as session:
        session.prove("Cats sleep.", TEXT, 1, method="embedding")


def test_the_error_of_a_case_has_the_cost_of_that_case() -> None:
    down = probative.ServerError("the server is down")
    model = ScriptedModel(generate=lambda request: down if "second" in str(request) else "x")
    cases = [{"question": f"Where is the {n} ship?", "passages": ["A ship."]} for n in ("first", "second")]
    with Session(model, encoder=WordVectors()) as session:
        ends = dict(session.ask_all(cases, preset="calls"))
    first, second = (ends[n] for n in range(2))
    assert isinstance(first, probative.OutputError)
    assert first.usage.calls == 2  # the request and its repair
    assert isinstance(second, probative.ServerError)
    assert down.usage is None


def test_a_session_with_another_encoder_shares_model_and_budget() -> None:
    vectors = {"tar": [1.0, 0.0], "salt": [0.9, 0.1], "rot": [0.0, 1.0]}
    first, second = Given(vectors), Given({**vectors, "salt": [0.1, 0.9]})
    model = ScriptedModel(generate="yes")
    with Session(model, encoder=first) as session:
        other = session.with_encoder(second)
        assert other.language_model.name == session.language_model.name
        assert other.budget is session.budget
        assert other.fingerprint("encoder") != session.fingerprint("encoder")
        other.reason("Does tar stop rot?", [("tar", "stops", "rot")], method="rag")
        assert second.encoded
        assert not first.encoded
        other.close()
        session.reason("Does tar stop rot?", [("tar", "stops", "rot")], method="rag")
        assert first.encoded
