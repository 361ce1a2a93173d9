"""No text of others steers the terminal: model output, server errors, file names, ids, names in a graph."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command import run_here as run

from probative import Answer, Check, ModelError, ProbativeError, Proof, Reasoning
from probative.batch.manifest import BatchManifest
from probative.cli.views.batch import show_batch, show_failures
from probative.cli.views.installation import (
    ModelList,
    Trial,
    show_cache,
    show_models,
    show_report,
    show_trial,
)
from probative.cli.views.terminal import print_json
from probative.doctor import Report
from probative.graph.summary import EntityLookup, GraphInfo
from probative.models.response_cache import CacheSummary
from probative.testing import LoopbackServer
from probative.types import Value
from probative.views.graph import Imported
from probative.views.terminal import plain, show_result

# A colour, the clipboard (OSC 52), a title, C1 forms of both, a device string, a bell, directions of writing.
EVIL = (
    "\x1b[31m\x1b]52;c;c2VjcmV0\x07\x1b]0;title\x1b\\\x9b2J\x9d0;title\x9c\x1bPq\x1b\\\x07\x08"
    "\u202e\u2066\u200f\u061c\x85\x7f"
)
STEERING = {chr(code) for code in (*range(32), *range(0x7F, 0xA0))} - {"\n"} | set(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


def poison(value: Any) -> Any:
    """Add the evil text to every string that is not one of a fixed set."""
    if isinstance(value, str):
        return value + EVIL
    if isinstance(value, list):
        return [poison(part) for part in value]
    if isinstance(value, dict):
        fixed = ("verdict", "form", "state", "k", "path", "folder", "kind", "backends")
        return {
            name: part if name in fixed and isinstance(part, str) else poison(part)
            for name, part in value.items()
        }
    return value


FEATURES = {"intent": "year", "nodes": [{"text": "mill"}], "relations": []}
TRIPLE = {"head": "sail", "relation": "catches", "tail": "wind"}
REPORT = {
    "source": "a.tsv", "format": "tsv", "lines": 9, "edges": 3, "entities": 3, "relations": 1,
    "duplicates": 1, "self_loops": 1, "merged": 1, "named": 1, "malformed": 2, "seconds": 1.0,
    "notes": ["a header"], "examples": [{"line": 2, "why": "has 1 cell"}],
}  # fmt: skip
PASSAGE = {"text": "The mill burnt.", "title": "Mill", "carries": ["node: mill"]}
CASES: list[tuple[type[Value], Callable[[Any], None], dict[str, Any]]] = [
    (
        Answer,
        show_result,
        {
            "question": "When?", "answer": "1842", "verdict": "contradicted", "citations": [0], "model": "m",
            "chain": [{**PASSAGE, "index": 0, "source": "a.txt"}, {**PASSAGE, "index": 1, "source": "b.txt"}],
            "features": FEATURES, "missing": ["node: mill"], "notes": ["long"],
            "conflicts": [
                {"index": 0, "other": 1, "says": "a", "instead": "b", "text": "c", "other_text": "d"}
            ],
        },
    ),
    (Answer, show_result, {"question": "When?", "answer": None, "verdict": "insufficient", "missing": ["x"]}),
    (
        Check,
        show_result,
        {
            "question": "When?", "complete": False, "features": FEATURES, "missing": ["intent: year"],
            "judgements": [{"index": 0, "text": "The mill.", "carries": ["node: mill"]}], "notes": ["long"],
        },
    ),
    (
        Proof,
        lambda proof: show_result(proof, text=[f"One.{EVIL}", f"Two.{EVIL}"]),
        {
            "claim": "c", "method": "mcse", "k": 1, "notes": ["long"],
            "evidence": [
                {"index": 0, "text": "One.", "score": 1.0, "gain": 1.0,
                 "runners_up": [{"index": 1, "text": "Two.", "score": 0.5, "gain": 2.0}]}
            ],
        },
    ),
    (
        Reasoning,
        show_result,
        {
            "question": "q", "form": "text", "answer": "wind", "rationale": "so", "notes": ["long"],
            "answers": {"a": "x", "ac": "y"}, "knowledge": {"expert": [TRIPLE] * 9, "affirmative": [TRIPLE]},
            "groups": [{"members": [{"name": "sail"}, {"name": "kite", "cosine": 0.5}]}],
            "path": {"first": TRIPLE, "second": TRIPLE},
        },
    ),
    (
        GraphInfo,
        show_result,
        {
            "entities": 3, "relations": 1, "edges": 3, "self_loops": 1, "median_degree": 1, "mean_degree": 1,
            "largest_degree": 2, "top_relations": [{"name": "catches", "edges": 3, "share": 1.0}],
            "hubs": [{"name": "sail", "edges": 2}], "embedded": [], "fingerprint": "f", "report": REPORT,
        },
    ),
    (
        EntityLookup,
        show_result,
        {
            "query": "sail", "name": "sail", "out_count": 3, "in_count": 0, "edges": [TRIPLE],
            "near": [{"name": "kite", "cosine": 0.5}],
        },
    ),
    (
        EntityLookup,
        show_result,
        {"query": "sail", "name": None, "out_count": 0, "in_count": 0, "edges": [], "near": []},
    ),
    (Imported, show_result, {"folder": f"g{EVIL}", "report": REPORT, "vectors": None}),
    (CacheSummary, show_cache, {"path": f"c{EVIL}", "results": 1, "bytes": 1, "by_model": {f"m{EVIL}": 1}}),
    (Report, show_report, {"healthy": False, "findings": [{"state": "problem", "what": "x", "hint": "y"}]}),
    (
        ModelList,
        show_models,
        {
            "backends": {}, "model": "openai:x", "judge_model": "openai:y", "verdict": "hf:z",
            "embedded": [
                {"model": "m", "name": "n", "title": "t", "licence": "l", "state": "ready", "folder": "f"}
            ],
        },
    ),
    (
        Trial,
        show_trial,
        {"model": "openai:x", "capabilities": [], "text": "hello\nyou", "usage": {}, "dry_run": False},
    ),
    (
        BatchManifest,
        lambda manifest: (show_batch(manifest, Path(f"out{EVIL}.jsonl")), show_failures(manifest))[0],
        {
            "version": "1", "verb": "ask", "settings": {}, "input": "in", "input_sha256": "", "started": "",
            "failed": 1, "failures": [{"id": "a", "line": 1, "type": "ModelError", "what": "x", "hint": "y"}],
        },
    ),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "show", "data"), CASES, ids=[kind.__name__ for kind, _, _ in CASES])
def test_no_view_prints_what_could_steer_the_terminal(
    kind: type[Value], show: Callable[[Any], None], data: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    value = kind.model_validate(poison(data))
    show(value)
    print_json(value)
    captured = capsys.readouterr()
    shown = captured.out + captured.err
    assert not STEERING & set(shown)
    last = captured.out.splitlines()[-1]
    assert kind.model_validate_json(last) == value  # the JSON has every character, escaped


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[1;31mb\x1b[0m", "ab"),
        ("a\x1b]52;c;c2VjcmV0\x07b", "ab"),
        ("a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\b", "alinkb"),
        ("a\x9b31mb\x9d0;t\x9cc", "abc"),
        ("a\x1b]0;no end of this string", "a0;no end of this string"),
        ("a\x1bPq#0\x1b\\b", "ab"),
        ("a\rb\x08c\td\n e", "a b c d e"),
        ("\u202eevil\u2069", "evil"),
        ("half \ud800 a pair", "half ? a pair"),
        ("Zürich, 東京, עברית, 👩‍🚀", "Zürich, 東京, עברית, 👩‍🚀"),
    ],
)
def test_escape_sequences_go_and_text_stays(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_a_server_and_its_errors_cannot_steer_the_terminal() -> None:
    with LoopbackServer(answer=lambda prompt: f"hello{EVIL}") as server:
        words = ("models", "try", "hi", "--model", f"openai:x{EVIL}", "--base-url", server.base_url)
        done = run(*words)
    assert done.stdout == "hello\n"
    assert not STEERING & set(done.stdout + done.stderr)


def test_names_of_files_and_options_cannot_steer_the_terminal(tmp_path: Path) -> None:
    for words in (
        ("ask", "q", "--passages", str(tmp_path / f"no{EVIL}.txt")),
        ("graph", "info", str(tmp_path / f"no{EVIL}.tsv")),
        ("ask", "--in", f"no{EVIL}.jsonl", "--out", "out.jsonl"),
        (f"ask{EVIL}",),
        ("ask", f"--{EVIL}"),
        ("ask", "q", "--option", f"x{EVIL}=1"),
        ("ask", "q", "--fail-on", EVIL),
    ):
        done = run(*words, stdin="Text.")
        assert done.returncode in (1, 2)
        assert not STEERING & set(done.stdout + done.stderr), words


def test_ids_and_errors_of_a_batch_cannot_steer_the_terminal(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    line = {"id": f"a{EVIL}", "claim": "c", "sentences": 3, f"x{EVIL}": 1}
    source.write_text(json.dumps(line) + "\n", encoding="utf-8")
    out = tmp_path / f"out{EVIL.replace('/', '')}.jsonl"
    done = run("prove", "--in", str(source), "--out", str(out), "--method", "bm25")
    assert done.returncode == 4
    assert "failed: line 1, id 'a" in done.stderr
    assert not STEERING & set(done.stdout + done.stderr)


def test_an_error_keeps_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> ProbativeError:
        raise ModelError(f"the server says{EVIL} no", hint=f"ask{EVIL} again")

    monkeypatch.setattr("probative.cli.framework.verb_inputs.read_passages", fail)
    done = run("ask", "q", "--dry-run", stdin="Text.")
    assert done.stderr.splitlines()[0].startswith("probative: the server says")
    assert done.stderr.splitlines()[1].startswith("  → ask")
    assert not STEERING & set(done.stderr)
