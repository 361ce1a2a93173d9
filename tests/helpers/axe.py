"""axe-core on a page: its script comes from a package of the tests and is evaluated by the debugger, so that
the content-security policy of the page stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Page

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_RUN = """async (runOnly) => {
  const rules = runOnly.type === "tag" ? { "target-size": { enabled: true } } : {};
  const { violations } = await axe.run(document, { runOnly, rules, resultTypes: ["violations"] });
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id} (${help}): ${html}`));
}"""


def load_axe(page: Page) -> None:
    """Make axe known in a page; a page that is loaded anew has forgotten it."""
    package = pytest.importorskip("axe_playwright_python")
    page.evaluate((Path(package.__path__[0]) / "axe.min.js").read_text(encoding="utf-8"))


def run_axe(page: Page, kind: str = "tag", values: Sequence[str] = TAGS) -> list[str]:
    """Return what axe finds, by rules with these tags or names ("rule")."""
    found: list[str] = page.evaluate(_RUN, {"type": kind, "values": list(values)})
    return found
