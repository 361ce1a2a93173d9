"""A server on loopback and the official client of OpenAI for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from openai import OpenAI


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server whose answers are scripted by the question."""
    from openai_server import listening

    with listening(tmp_path_factory.mktemp("server")) as address:
        yield address


@pytest.fixture
def client(url: str) -> Iterator[OpenAI]:
    """A client of this server."""
    from openai import OpenAI

    with OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as made:
        yield made
