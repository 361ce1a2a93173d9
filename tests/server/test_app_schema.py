"""schemathesis over the OpenAPI description: no server error, and every reply as it is described."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, seed, settings
from served_app import served_app
from server_app import HERBS, scripted_session

from probative import Corpus
from probative.server.app import create_app
from probative.server.base.options import Limits, ServerOptions
from probative.server.state.catalog import Catalog
from probative.testing import ScriptedModel

schemathesis = pytest.importorskip("schemathesis")
# A longer run by hand: SCHEMA_EXAMPLES=300 pytest tests/server/test_app_schema.py
EXAMPLES = int(os.environ.get("SCHEMA_EXAMPLES", "12"))
DOCUMENT = "The Heron was built in Molde. Pines grow slowly."


@pytest.fixture(scope="module")
def description(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Yield the description of a server that listens, with a run, an upload, a corpus and a graph."""
    folder = tmp_path_factory.mktemp("schema")
    (folder / "documents").mkdir()
    (folder / "documents" / "heron.txt").write_text(DOCUMENT, encoding="utf-8")
    session = scripted_session(model=ScriptedModel(generate=lambda _: "1. yes [1]", score=lambda *_: -1.0))
    options = ServerOptions(data=folder / "data", limits=Limits(run_seconds=60))
    corpus = Corpus.open(folder / "documents")
    with (
        session,
        Catalog({"docs": corpus}, {"herbs": HERBS}) as catalog,
        served_app(create_app(session, catalog, options)) as url,
    ):
        yield schemathesis.openapi.from_url(f"{url}/openapi.json")


def known_parameters(base: str, path: str, method: str) -> dict[str, str]:
    """Return parameters of a path that name something: a run, an upload, a corpus or a graph of now."""
    if path.startswith("/api/corpora/") and method != "get":
        made = httpx.post(f"{base}/api/corpora", json={"name": "made"}, timeout=120)
        return {"name": "made", "identity": made.json().get("id", "0" * 16)}
    if path.startswith("/api/uploads/"):
        reply = httpx.post(f"{base}/api/uploads?name=a.txt", content=DOCUMENT.encode(), timeout=120)
        return {"identity": reply.json()["id"]}
    if path.startswith("/api/threads/"):
        body = {"question": "Where was the Heron built?", "passages": [DOCUMENT]}
        run = httpx.post(f"{base}/api/ask", json=body, timeout=120).headers["probative-run"]
        begun = httpx.post(f"{base}/api/threads", json={"run": run}, timeout=120)
        return {"identity": begun.raise_for_status().json()["id"]}
    if path.startswith("/api/runs/"):
        body = {"text": DOCUMENT, "passages": [DOCUMENT]}
        return {"identity": httpx.post(f"{base}/api/verify", json=body, timeout=120).headers["probative-run"]}
    return {"name": "docs" if path.startswith("/api/corpora/") else "herbs"}


def failure_of(operation: Any, known: dict[str, str] | None = None) -> str | None:
    """Return what is wrong with the replies of an operation to generated requests, or None.

    `known` takes the place of parameters of the path.
    """
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_headers_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

    checks = [
        status_code_conformance,
        content_type_conformance,
        response_headers_conformance,
        response_schema_conformance,
    ]

    @seed(19)
    @settings(max_examples=EXAMPLES, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy())
    def check(case: Any) -> None:
        if known is not None:
            given_path = case.path_parameters or {}
            case.path_parameters = {name: known.get(name, value) for name, value in {**given_path}.items()}
        reply = case.call_and_validate(timeout=120, checks=checks)
        # 502 says that the scripted model gave no JSON where an option asks for some.
        assert reply.status_code < 500 or reply.status_code == 502, reply.text

    try:
        check()
    except BaseExceptionGroup as group:  # all operations are tried before the test fails
        return f"{operation.label}: {[str(error) for error in group.exceptions]}"
    except Exception as error:
        return f"{operation.label}: {error}"
    return None


@pytest.mark.slow
def test_every_operation_keeps_to_its_description(description: Any) -> None:
    operations = [result.ok() for result in description.get_all_operations()]
    assert {"/api/ask", "/api/runs/{identity}/events", "/v1/models"} <= {each.path for each in operations}
    failures = [failure for operation in operations if (failure := failure_of(operation))]
    base = description.location.removesuffix("/openapi.json")
    for operation in operations:
        named = ("/api/uploads/", "/api/runs/", "/api/threads/", "/api/corpora/", "/api/graphs/")
        if operation.path.startswith(named):
            failure = failure_of(operation, known_parameters(base, operation.path, operation.method))
            failures += [] if failure is None else [f"of what there is: {failure}"]
    assert not failures, "\n\n".join(failures)
