"""Carry out a run: turn a request into a call of the session, and publish what happens meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from probative.errors import InputError
from probative.server.base.errors import TooLargeError
from probative.server.base.options import Limits
from probative.server.runs.live import LiveRun
from probative.server.state.catalog import Catalog
from probative.server.state.models import ModelChoices
from probative.server.state.uploads import Uploads
from probative.trace import Found, Observer, RunStoppedError, observing
from probative.types import Passage, Usage, Value
from probative.verbs.requests import Sized, VerbRequest
from probative.verbs.spec import VerbSpec
from probative.verbs.table import VERBS


class Verbs:
    """The verbs of the sessions on the registered corpora and graphs, and on uploads."""

    def __init__(self, models: ModelChoices, catalog: Catalog, uploads: Uploads, limits: Limits) -> None:
        self._models = models
        self._uploads = uploads
        self._limits = limits
        self.corpus = catalog.corpus
        self.graph = catalog.graph
        self.document = uploads.document

    def check(self, spec: VerbSpec, request: VerbRequest) -> None:
        """Raise the error of a request that cannot succeed, before it is queued."""
        request.check(self)
        self._check_option_names(spec, request)
        fields = set(spec.arguments) - request.source_fields
        given = request.model_dump(include=fields, exclude_none=True)
        spec.bind(self._models.session(request.chosen_model), **given, **request.method_options)

    def _check_option_names(self, spec: VerbSpec, request: VerbRequest) -> None:
        """Raise `InputError` if an option has the name of an argument of the verb.

        Such a name would take the place of what the server gives, a corpus by its path for example.
        """
        for name in request.method_options:
            if name in spec.signature.parameters or name.startswith("_"):
                raise InputError(
                    f"{name!r} is not an option of the method",
                    hint="give it as a field of the request, if the verb has such a field",
                )

    def execute(self, live: LiveRun) -> Value:
        """Carry out a run and return its result."""
        spec = VERBS.load(live.run.verb)
        request = spec.request.model_validate(live.request)
        reporting: dict[str, Callable[..., None]] = {
            argument: _counting(live, step) for argument, step in spec.counters.items()
        }
        if spec.parts is not None:
            reporting[spec.parts.argument] = _part_done(live, spec.parts.name)
        try:
            with observing(StepReporter(live)):
                call = getattr(self._models.session(request.chosen_model), spec.name)
                result: Value = call(progress=_progress(live), **request.arguments(self), **reporting)
                return result
        except RunStoppedError:
            live.check()  # says why
            raise

    def passages(self, uploads: Sequence[str]) -> list[Passage]:
        """Return the passages of uploaded files."""
        passages: list[Passage] = list(self._uploads.passages(tuple(uploads)))
        self.check_size("passages", len(passages))
        return passages

    def count_passages(self, uploads: Sequence[str]) -> int:
        """Return how many passages uploaded files have; they were counted when the files were read."""
        return sum(self._uploads.get(upload).passages for upload in dict.fromkeys(uploads))

    def count_characters(self, upload: str) -> int:
        """Return how many characters the text of an uploaded file has."""
        return self._uploads.get(upload).characters

    def check_size(self, what: Sized, size: int) -> None:
        """Raise `TooLargeError` if a request brings more of something than the server takes."""
        limits = self._limits
        limit, there, hint = {
            "passages": (
                limits.passages,
                "there are",
                "register a corpus when the server is started: --corpus NAME=FOLDER",
            ),
            "triples": (
                limits.triples,
                "there are",
                "register the graph when the server is started: --graph NAME=FILE",
            ),
            "characters": (limits.text_characters, "the text has", "verify it in parts"),
        }[what]
        if size > limit:
            raise TooLargeError(f"{there} {size:,} {what}, more than {limit:,}", hint=hint)


def _progress(live: LiveRun) -> Callable[[Usage], None]:
    def progress(usage: Usage) -> None:
        live.check()
        live.publish("progress", {"calls": usage.calls, "tokens": usage.tokens, "seconds": usage.seconds})

    return progress


def _part_done(live: LiveRun, name: str) -> Callable[[int, Value, int], None]:
    done = 0

    def publish(index: int, part: Value, parts: int) -> None:
        nonlocal done
        live.check()
        done += 1
        live.publish(name, {"index": index, "total": parts, name: part.to_dict()})
        live.publish("progress", {"done": done, "total": parts})

    return publish


class StepReporter(Observer):
    """Tells the clients of a run which step it is at, and stops a run that is not wanted any more."""

    def __init__(self, live: LiveRun) -> None:
        self._live = live
        self._last = ""

    def step_started(self, name: str) -> None:
        if self._live.stop_error() is not None:
            raise RunStoppedError
        if name != self._last:
            self._last = name
            self._live.publish("step", {"name": name})

    def found(self, found: Found) -> None:
        self._live.publish("found", found.to_dict())


def _counting(live: LiveRun, step: str) -> Callable[[int, int], None]:
    def progress(done: int, count: int) -> None:
        live.check()
        live.publish("progress", {"step": step, "done": done, "total": count})

    return progress
