"""A server on which every view of the page has something to show, and the way to each state of each view."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from browsing import FERRIES, Site, judge_by_birth, scripted_reader, scripted_session, serve, weigh_by_names
from kept_runs import keep, reasoning
from layouts import Pdf
from report_runs import keep_report
from small_corpus import write
from verified import PASSAGES, TEXT
from verifying import by_words

from probative import Session
from probative.bench.reports import ReportIndex
from probative.calibration.kept import keep as keep_with_index
from probative.corpus.corpus import Corpus
from probative.corpus.index.index_folder import SUGGESTIONS
from probative.models.evidence_policy import PolicyScores, PolicyState
from probative.models.verdict import VerdictItem, VerdictScores
from probative.server.base.options import Limits
from probative.server.runs.run import RunState
from probative.server.state.suggestions import Suggestions
from probative.settings import Settings
from probative.testing import ScriptedPolicy, ScriptedVerdict

QUESTION = "In which town was the engineer born who designed the Grey Heron?"
PASTED = [
    {"title": "Grey Heron", "text": "The Grey Heron was designed by Marit Solberg and carried the mail."},
    {"text": "It rained for a week."},
    {"title": "Marit Solberg", "text": "Marit Solberg was born in Vindal in 1868. She learned engineering."},
]
BRIDGE = "The bridge at Karsund was opened in {} and has three arches."
PROOF = "Gulls nest here. The lens was made in Paris. Ida Brandt studied in Paris. Tickets cost four pounds."
GAINS = {"The lens was": 4.0, "Ida Brandt": 2.0, "Gulls": 0.0, "Tickets": -1.0}
SLOWLY = "slowly"


@dataclass
class WholeSite(Site):
    """A site with its runs by name, and the gate for which what has the word "slowly" waits."""

    gate: threading.Event
    runs: dict[str, str] = field(default_factory=dict)

    def start(self, verb: str, **request: Any) -> str:
        """Start a run and return its id."""
        headers = {"Prefer": "respond-async"}
        reply = httpx.post(f"{self.url}api/{verb}", json=request, headers=headers, timeout=60)
        return str(reply.raise_for_status().json()["id"])

    def finish(self, verb: str, **request: Any) -> str:
        """Return the id of a run that is done."""
        reply = httpx.post(f"{self.url}api/{verb}", json=request, timeout=60)
        return str(reply.raise_for_status().headers["Probative-Run"])

    def thread(self, run: str, **request: Any) -> str:
        """Return the id of a thread that begins with a run and goes on with a question, and mark both."""
        begun = httpx.post(f"{self.url}api/threads", json={"run": run}, timeout=60).raise_for_status().json()
        path = f"{self.url}api/threads/{begun['id']}/ask"
        asked = httpx.post(path, json=request, timeout=60).raise_for_status().json()["id"]
        httpx.get(f"{self.url}api/runs/{asked}/events", timeout=60).raise_for_status()  # until it has ended
        for marked, right in ((run, True), (asked, False)):
            path = f"{self.url}api/runs/{marked}/marks"
            httpx.put(path, json={"right": right}, timeout=60).raise_for_status()
        return str(begun["id"])


def whole_session(gate: threading.Event) -> Session:
    """Return a session for all verbs; what has the word "slowly" waits for the gate."""

    def weigh(state: PolicyState) -> PolicyScores:
        if SLOWLY in state.query and "?" in state.query:
            gate.wait(120)
        return weigh_by_names(state)

    def judge(item: VerdictItem) -> VerdictScores:
        if SLOWLY in item.claim:
            gate.wait(120)
        ours = "Grey Heron" in item.claim or "bridge" in item.claim
        return judge_by_birth(item) if ours else by_words(item)

    def believe(prompt: str, _: str) -> float:
        return -20.0 + sum(gain for words, gain in GAINS.items() if words in prompt)

    model = scripted_reader(score=believe)
    return scripted_session(model=model, policy=ScriptedPolicy(weigh), verdict=ScriptedVerdict(judge))


def whole_site(folders: pytest.TempPathFactory) -> Iterator[WholeSite]:
    """Yield such a server with a home of its own, for a fixture of a whole file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROBATIVE_HOME", str(folders.mktemp("home")))
        with serve_whole(folders.mktemp("whole")) as opened:
            yield opened


@contextmanager
def serve_whole(folder: Path) -> Iterator[WholeSite]:
    """Yield a server that has a corpus, a graph, reports, and runs of every kind."""
    gate = threading.Event()
    reports = folder / "reports"
    reports.mkdir()
    keep_report(reports, "large", 66.6)
    keep_report(reports, "small", 62.3)
    (reports / "broken.json").write_text("{", encoding="utf-8")
    documents = write(folder / "ferries", FERRIES)
    with (
        Corpus.open(documents, vectors=False, settings=Settings(cache=False)) as corpus,
        serve(
            folder / "data",
            session=whole_session(gate),
            corpora={"ferries": corpus},
            reports=ReportIndex([reports]),
            limits=Limits(runs_at_once=4),
        ) as site,
    ):
        whole = WholeSite(site.url, site.app, gate)
        offered = Suggestions(questions=(QUESTION,), version=corpus.version, model="scripted")
        keep_with_index(corpus.path, SUGGESTIONS, offered)
        try:
            _make_corpora(whole.url)
            _draw(whole.url)
            whole.runs = _runs(whole)
            yield whole
        finally:
            gate.set()


def _make_corpora(url: str) -> None:
    """Make the corpus "harbour", of which one file cannot be read, one is an older version and one has pages,
    and "old", which is deleted.
    """
    pdf = Pdf()
    pdf.page().paragraph(60, 780, ["The mast was struck by lightning.", "It was made of pine."])
    pdf.page().paragraph(60, 780, ["The second page begins with the harbour dues."])
    lease = " ".join(f"Clause {number} binds the tenant of the tea room." for number in range(40))
    files = {
        "2023/lease.txt": f"Date: 2023-01-05\n\n{lease}".encode(),
        "2025/lease.txt": f"Date: 2025-02-01\n\n{lease}".encode(),
        "mast.pdf": pdf.bytes(),
        "scan.png": b"GIF89a" + bytes(100),
    }
    with httpx.Client(base_url=f"{url}api", timeout=60) as client:
        for name in ("harbour", "old"):
            client.post("/corpora", json={"name": name}).raise_for_status()
        for source, data in files.items():
            client.post(
                "/corpora/harbour/documents", params={"source": source}, content=data
            ).raise_for_status()
        client.delete("/corpora/old").raise_for_status()
        end = time.monotonic() + 120
        while client.get("/corpora/harbour").json()["indexing"]:
            assert time.monotonic() < end
            time.sleep(0.05)


def _draw(url: str) -> None:
    """Draw a question for the labels of "ferries"; one right answer is enough for a guarantee."""
    chosen = {"source": "given", "questions": [QUESTION], "alpha": 0.5, "delta": 0.5}
    with httpx.Client(base_url=f"{url}api", timeout=60) as client:
        run = client.post("/corpora/ferries/calibration", json=chosen).raise_for_status().json()["id"]
        client.get(f"/runs/{run}/events").raise_for_status()  # until it has ended


def _runs(site: WholeSite) -> dict[str, str]:
    bridges = [{"text": BRIDGE.format(year)} for year in (1938, 1953)]
    checked = {"passages": [_passage(block) for block in PASSAGES.split("\n\n")]}
    unanswered = {"question": QUESTION, "passages": PASTED}
    result = reasoning()
    asked = {"question": result.question, "graph": "herbs"}
    rag = httpx.get(f"{site.url}api/info").json()["rag"]
    runs = {
        "answered": site.finish("ask", question=QUESTION, passages=PASTED),
        "from corpus": site.finish("ask", question=QUESTION, corpus="ferries"),
        "plain": site.finish("ask", question=QUESTION, passages=PASTED, method=rag["method"]),
        "refused": site.finish("ask", question="Who painted the portrait of Ida?", passages=PASTED[:1]),
        "contradicted": site.finish(
            "ask", question="When was the bridge at Karsund opened?", passages=bridges
        ),
        "verified": site.finish("verify", text=TEXT, **checked),
        "proved": site.finish("prove", claim="The lens was made in Paris.", text=PROOF, k=2),
        "reasoned": keep(site, "reason", result.question, asked, result),
        "failed": keep(site, "ask", QUESTION, unanswered, state=RunState.FAILED),
        "cancelled": keep(site, "ask", QUESTION, unanswered, state=RunState.CANCELLED),
    }
    runs["probable"] = _probable(site, runs["from corpus"])
    runs["thread"] = site.thread(runs["from corpus"], question="And who drew ships?", corpus="ferries")
    # These go on until the gate opens.
    runs["verifying"] = site.start("verify", text="The mill burnt down in 1890. It burnt slowly.", **checked)
    runs["asking"] = site.start("ask", question="Who designed the Grey Heron slowly?", corpus="ferries")
    return runs


def _probable(site: WholeSite, run: str) -> str:
    """Keep the answer of a run as a probable one to a follow-up, from documents that were read by OCR."""
    found = httpx.get(f"{site.url}api/runs/{run}/result").raise_for_status().json()
    change = {"answer": None, "verdict": "insufficient", "level": "probable", "candidate": found["answer"]}
    chain = [{**piece, "read_by": "OCR"} for piece in found["chain"]]
    result = {**found, **change, "certainty": 0.62, "read_as": QUESTION, "chain": chain}
    return keep(
        site, "ask", "And in which town?", {"question": "And in which town?", "corpus": "ferries"}, result
    )


def _passage(block: str) -> dict[str, str]:
    title, text = block.removeprefix("# ").split("\n")
    return {"title": title, "text": text}
