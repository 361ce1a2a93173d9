"""Examine an installation. Each finding is ok, a note, or a problem with its hint."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Literal

from probative import __version__
from probative.errors import DISTRIBUTION, ProbativeError, install_command
from probative.models.contract import Capability, LanguageModel
from probative.models.loading import load_models
from probative.models.response_cache import ResponseCache
from probative.models.types import Request
from probative.session.session import Session
from probative.settings import CONFIG_VARIABLE, TUNED_MODELS, Settings, models_in, settings_files, user_file
from probative.types import Value

ENGINE = ("ctranslate2", "tokenizers", "numpy", "gguf", "safetensors", "aiohttp", "pydantic")
# Extra → the modules that it installs, and the feature that needs them.
EXTRAS = {
    "hf": (("torch", "transformers", "accelerate"), "hf: models"),
    "graph": (("duckdb", "pyoxigraph"), "graphs in Parquet and RDF"),
    "graphrag": (("networkx",), "--method graphrag"),
    "eval": (("matplotlib", "scipy"), "plots and tests of significance in bench"),
    "ray": (("ray",), "bench and batches on a cluster"),
    "serve": (("fastapi", "uvicorn"), "probative serve"),
    "mcp": (("mcp",), "probative mcp"),
    "milvus": (("pymilvus",), "--store milvus:URI"),
    "docx": (("docx",), "verify --docx"),
    "ocr": (("rapidocr", "onnxruntime"), "text of scans and pictures"),
    "otel": (("opentelemetry",), "OpenTelemetry spans"),
    "langchain": (("langchain_core",), "probative.integrations.langchain"),
    "llamaindex": (("llama_index",), "probative.integrations.llamaindex"),
    "haystack": (("haystack",), "probative.integrations.haystack"),
    "dspy": (("dspy",), "probative.integrations.dspy"),
    "deepeval": (("deepeval",), "probative.integrations.deepeval"),
}
NEEDED_BYTES = 500_000_000
QUESTION = "In which town was the engineer born who designed the Grey Heron?"
PASSAGES = (
    "The Grey Heron is a paddle steamer on the sound. She was designed by Marta Lindqvist in 1907.",
    "Marta Lindqvist, an engineer, was born in Halden in 1871 and died there in 1940.",
    "The Sund Line ran three steamers until the bridge was opened in 1938.",
    "Halden lies on the border. Its harbour freezes in hard winters.",
)
"""A question of two steps over four short documents, by which the embedded models are measured."""


class Finding(Value):
    """One line of the report."""

    state: Literal["ok", "note", "problem"]
    what: str
    hint: str = ""


class Report(Value):
    """The findings; `healthy` if none of them is a problem."""

    healthy: bool
    findings: tuple[Finding, ...]


def examine(settings: Settings) -> Report:
    """Check Python, the libraries, the folders, the weights, the cache and the configured models."""
    findings: list[Finding] = []
    for check in (
        _python,
        _distribution,
        _libraries,
        _extras,
        _home,
        _weights,
        _policy,
        _processor,
        _cache,
        _readers,
        _files,
        _models,
        _speed,
    ):
        try:
            findings.extend(check(settings))
        except ProbativeError as error:
            findings.append(Finding(state="problem", what=error.what, hint=error.hint))
    healthy = all(finding.state != "problem" for finding in findings)
    return Report(healthy=healthy, findings=tuple(findings))


def _python(_: Settings) -> Iterator[Finding]:
    yield Finding(
        state="ok",
        what=f"probative {__version__} on Python {platform.python_version()}, "
        f"{platform.system()} {platform.machine()}",
    )


def _distribution(_: Settings) -> Iterator[Finding]:
    """Name other distributions that provide the import `probative`, or have its name."""
    providers = set(importlib.metadata.packages_distributions().get("probative", ()))
    named = {distribution.name for distribution in importlib.metadata.distributions(name="probative")}
    for name in sorted(providers | named):
        if re.sub(r"[-_.]+", "-", name).lower() == DISTRIBUTION:
            continue
        yield Finding(
            state="problem" if name in providers else "note",
            what=f"the distribution {name} {importlib.metadata.version(name)} is installed, which also "
            f"provides the import 'probative'; this is {DISTRIBUTION}",
            hint=f"{sys.executable} -m pip uninstall {name}, and install {DISTRIBUTION} again",
        )


def _libraries(_: Settings) -> Iterator[Finding]:
    versions = []
    for name in ENGINE:
        try:
            __import__(name)
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except Exception as error:  # a broken native library can raise anything
            yield Finding(
                state="problem",
                what=f"{name} cannot be imported: {error}",
                hint=f"{sys.executable} -m pip install --force-reinstall {name}",
            )
    yield Finding(state="ok", what=", ".join(versions))


def _extras(_: Settings) -> Iterator[Finding]:
    for extra, (modules, users) in EXTRAS.items():
        if all(importlib.util.find_spec(module) is not None for module in modules):
            yield Finding(state="ok", what=f"extra '{extra}' is installed")
        else:
            yield Finding(
                state="note",
                what=f"extra '{extra}' is not installed (needed only for {users})",
                hint=install_command(extra),
            )


def _home(settings: Settings) -> Iterator[Finding]:
    home = settings.home_folder
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            pass
        free = shutil.disk_usage(home).free
    except OSError as error:
        yield Finding(
            state="problem",
            what=f"{home} cannot be written: {error}",
            hint="set PROBATIVE_HOME to a folder that you can write to",
        )
        return
    if free < NEEDED_BYTES:
        yield Finding(
            state="problem",
            what=f"only {free / 1e6:,.0f} MB are free in {home}",
            hint="free some space, or set PROBATIVE_HOME to a folder on another disk",
        )
    else:
        yield Finding(state="ok", what=f"{home} can be written, {free / 1e9:.0f} GB free")


def _weights(settings: Settings) -> Iterator[Finding]:
    from probative.models.embedded.catalog import ENCODER, STATIC, Source
    from probative.models.embedded.shipped import (
        TUNED,
        known_names,
        language_model,
        pull_command,
    )
    from probative.models.embedded.store import Store

    store = Store(settings.weights_folder)
    configured = {settings.model, settings.judge_model, *models_in(settings.verdict_model)}
    sources: dict[str, tuple[Source, bool, str]] = {}
    # The others are checked only if they are configured: few users need them.
    for name in known_names():
        if name in {TUNED} | configured and (source := language_model(name)) is not None:
            sources[source.name] = (source, name in configured, pull_command(name))
    sources[ENCODER.name] = (ENCODER, settings.encoder == "embedded", pull_command(TUNED))
    sources[STATIC.name] = (STATIC, False, pull_command(TUNED))
    for source, needed, hint in sources.values():
        weights, problem = store.inspect(source)
        if weights is not None and store.differs_from_package(source, weights):
            yield Finding(
                state="problem",
                what=f"{weights.folder / 'model.bin'} is not what the package makes of the published weights "
                f"of {source.title}",
                hint=f"remove {weights.folder}, and fetch it again: {hint}",
            )
        elif weights is not None:
            yield Finding(state="ok", what=f"{source.title} is complete, {weights.bytes / 1e6:.0f} MB")
        else:
            state: Literal["problem", "note"] = "problem" if needed else "note"
            yield Finding(state=state, what=f"{source.title} is {problem}", hint=hint)


def _policy(_: Settings) -> Iterator[Finding]:
    """Check the evidence policy, which is part of the package."""
    from probative.models.embedded.shipped import POLICY, checked

    size = sum((POLICY / name).stat().st_size for name in checked(POLICY))
    yield Finding(state="ok", what=f"the evidence policy is complete, {size / 1e6:.0f} MB in the package")


def _processor(_: Settings) -> Iterator[Finding]:
    """Say in which numbers the embedded models compute."""
    from probative.models.embedded.processor import sums_fit

    if sums_fit():
        yield Finding(state="ok", what="the embedded models compute in 8 bits")
    else:
        yield Finding(
            state="note",
            what="the small embedded models compute in 32 bits: this processor has no VNNI instructions, "
            "without which their sums of 8 bits overflow. They take about 1.2 times as long and more memory",
        )


def _cache(settings: Settings) -> Iterator[Finding]:
    if not settings.cache:
        yield Finding(
            state="note", what="the cache is off", hint="set cache = true to pay for a call only once"
        )
        return
    summary = ResponseCache(settings.cache_file).summary()
    yield Finding(state="ok", what=f"cache: {summary.results:,} results, {summary.bytes / 1e6:.1f} MB")


def _readers(_: Settings) -> Iterator[Finding]:
    """Check the processes that read documents."""
    from probative.corpus.reading import limited

    if limited.limits_memory():
        yield Finding(state="ok", what="documents are read with limits of time and memory")
    else:
        yield Finding(
            state="note",
            what="this system cannot limit the memory that reading a document takes; its time is limited",
            hint="read documents of strangers on Linux or in a container",
        )


def _files(_: Settings) -> Iterator[Finding]:
    for file in settings_files():
        yield Finding(state="ok", what=f"settings from {file.path}")
        if file.ignored:
            yield Finding(
                state="note",
                what=f"{file.path} sets {', '.join(file.ignored)}: ignored, because the file was only found "
                "in a folder",
                hint=f"set {CONFIG_VARIABLE}={file.path}, or move these settings to {user_file()}",
            )


def _models(settings: Settings) -> Iterator[Finding]:
    """Send a short request to the model and to the judge, without the cache."""
    from probative.models.embedded.shipped import language_model
    from probative.models.embedded.store import Store

    store = Store(settings.weights_folder)
    sources = map(language_model, (settings.model, settings.judge_model))
    if any(source is not None and store.find(source) is None for source in sources):
        yield Finding(
            state="note", what="the embedded model was not tried, because it is incomplete", hint="see above"
        )
        return
    models = load_models(settings=settings.model_copy(update={"cache": False}))
    roles = {"model": models.model} | ({"judge": models.judge} if settings.judge_model else {})
    for role, model in roles.items():
        yield from _tried(role, model)
        model.close()


def _tried(role: str, model: LanguageModel) -> Iterator[Finding]:
    tries: dict[Capability, Callable[[], object]] = {
        Capability.GENERATE: lambda: model.generate([Request.user("Reply with the word yes.", max_tokens=8)]),
        Capability.SCORE: lambda: model.score([("Two and two make", " four.")]),
        Capability.CHOOSE: lambda: model.choose(["Is snow white? Answer yes or no."], ["yes", "no"]),
    }
    for verb, attempt in tries.items():
        try:
            attempt()
            yield Finding(state="ok", what=f"{role} {model.name} can {verb.value}")
        except ProbativeError as error:
            # A model that cannot score or choose is still useful; one that cannot generate is not.
            state: Literal["note", "problem"] = "problem" if verb is Capability.GENERATE else "note"
            yield Finding(
                state=state, what=f"{role} {model.name} did not {verb.value}: {error.what}", hint=error.hint
            )
            if state == "problem":
                return


def _speed(settings: Settings) -> Iterator[Finding]:
    """Measure a question with each tuned model that is here, if an embedded model answers."""
    from probative.models.embedded.catalog import ENCODER
    from probative.models.embedded.shipped import TUNED, known_names, language_model, pull_command
    from probative.models.embedded.store import Store

    store, names = Store(settings.weights_folder), [name for name in TUNED_MODELS if name in known_names()]
    seconds: dict[str, float] = {}
    for name in names if settings.model.partition(":")[0] == TUNED else ():
        sources = [language_model(name), ENCODER]
        if all(source is not None and store.find(source) for source in sources):
            seconds[name] = question_seconds(name, settings)
    if not seconds:
        return
    what = ", ".join(
        f"{name} {took:.{0 if took >= 10 else 1}f} s{' (in use)' if name == settings.model else ''}"
        for name, took in seconds.items()
    )
    missing = [name for name in names if name not in seconds]
    if missing:
        hint = f"{missing[0]} is not here: {pull_command(missing[0])}"
        hint += "   (a download of 1.1 GB)" if missing[0] != TUNED else ""
    else:
        hint = "choose large where answers must be right and can wait, small for tries and batches: "
        hint += "probative models use large, or small"
    yield Finding(state="ok", what=f"a question takes: {what}", hint=hint)


def question_seconds(name: str, settings: Settings) -> float:
    """Return how long a typical question takes with a tuned model and its verdicts, which are open by then,
    without the cache.
    """
    kept = {key: getattr(settings, key) for key in ("home", "wheels", "threads", "device")}
    with Session(settings=Settings(model=name, cache=False, **kept)) as session:
        session.ask("Where was Marta Lindqvist born?", PASSAGES[1:2])  # opens them
        started = time.perf_counter()
        session.ask(QUESTION, PASSAGES)
        return time.perf_counter() - started
