"""Script attempts in questions, passages, names and graphs stay text in every export."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from server_app import scripted_session, serving

from probative.server.state.catalog import Catalog
from probative.testing import ScriptedModel

ATTEMPT = (
    "<script>alert(1)</script><img src=x onerror=alert(2)>\"'`</title></style></pre>]]><svg/onload=alert(3)>"
)
REQUESTS = {
    "verify": {
        "text": f"The Heron {ATTEMPT} was built in Molde.",
        "name": f"{ATTEMPT[:150]}",
        "passages": [
            {"text": f"{ATTEMPT} The Heron was built.", "title": ATTEMPT, "source": "javascript:alert(4)"}
        ],
    },
    "judge": {"claim": f"The Heron {ATTEMPT}", "evidence": [f"It is {ATTEMPT}"]},
    "prove": {"claim": ATTEMPT, "sentences": [ATTEMPT, "Pines grow."], "k": 1, "method": "bm25"},
    "ask": {
        "question": f"Where {ATTEMPT}?",
        "method": "rag",
        "passages": [
            {"text": f"{ATTEMPT} Molde.", "title": ATTEMPT, "source": "data:text/html,<script>x</script>"}
        ],
    },
    "reason": {"question": f"Does {ATTEMPT} ease pain?", "graph": "herbs"},
    "annotate": {"claim": ATTEMPT, "text": f"{ATTEMPT} Pines grow."},
}


class Elements(HTMLParser):
    """The elements and attributes that a page really has."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def assert_harmless(page: str) -> None:
    elements = Elements()
    elements.feed(page)
    assert elements.found
    for tag, attributes in elements.found:
        assert tag not in ("script", "iframe", "object", "embed", "base", "form", "link"), tag
        assert not [name for name in attributes if name.startswith("on")], (tag, attributes)
        address = attributes.get("href") or attributes.get("src") or ""
        assert not re.match(r"\s*(javascript|data:text|https?:|//)", address, re.I), address
    assert "onerror=alert" not in re.sub(r"&lt;.*?&gt;", "", page)


@pytest.mark.model
@pytest.mark.parametrize("verb", REQUESTS)
def test_a_page_of_hostile_texts_runs_nothing(verb: str, tmp_path: Path) -> None:
    graph = [(ATTEMPT[:40], "eases", "pain"), ("<b>willow</b>", "contains", ATTEMPT)]
    session = scripted_session(model=ScriptedModel(generate="1. yes" if verb == "reason" else "[1]"))
    with serving(tmp_path, session=session, catalog=Catalog({}, {"herbs": graph})) as client:
        reply = client.post(f"/api/{verb}", json=REQUESTS[verb])
        assert reply.status_code == 200, reply.text
        identity = reply.headers["probative-run"]
        page = client.get(f"/api/runs/{identity}/export.html")
        assert page.headers["content-disposition"].startswith("attachment")
        assert "sandbox" in page.headers["content-security-policy"]
        assert "script-src" not in page.headers["content-security-policy"]
        assert_harmless(page.text)
        kept = client.get(f"/api/runs/{identity}/export.json")
        assert json.loads(kept.text)["result"] == reply.json()
        assert client.get(f"/api/runs/{identity}/export.exe").status_code == 404


def test_reports_of_hostile_texts_are_well_formed(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        reply = client.post("/api/verify", json=REQUESTS["verify"])
        identity = reply.headers["probative-run"]
        xml = client.get(f"/api/runs/{identity}/export.junit.xml")
        sarif = client.get(f"/api/runs/{identity}/export.sarif")
    assert ElementTree.fromstring(xml.text).tag == "testsuite"
    assert not ElementTree.fromstring(xml.text).findall(".//script")
    assert json.loads(sarif.text)["version"] == "2.1.0"
    for report in (xml, sarif):
        assert report.headers["content-disposition"].startswith("attachment")
        assert report.headers["x-content-type-options"] == "nosniff"
