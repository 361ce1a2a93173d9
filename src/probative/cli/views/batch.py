"""The end of a batch: what was written, and the first failures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from probative.batch.manifest import BatchManifest, Failure
from probative.cli.views.terminal import print_note, print_text
from probative.text.labels import counted
from probative.views.terminal import plain


def show_batch(manifest: BatchManifest, target: Path) -> None:
    """Print how many lines are done, their verdicts, their levels and their cost."""
    usage = manifest.usage
    print_text(
        f"{plain(str(target))}: {manifest.done:,} of {manifest.lines:,} done, {manifest.failed:,} failed; "
        f"{usage.calls:,} calls, {usage.tokens:,} tokens, {counted(usage.cached, 'result')} from the cache"
    )
    if manifest.verdicts:
        print_text(_counts(manifest.verdicts))
    if manifest.levels:
        print_text(f"levels: {_counts(manifest.levels)}")
    if manifest.extra_fields:
        names = ", ".join(plain(name) for name in manifest.extra_fields)
        print_note(f"fields that {manifest.verb} does not read, copied to the output: {names}")


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {plain(name.replace('_', ' '))}" for name, count in counts.items())


def show_failures(manifest: BatchManifest) -> None:
    """Print the first failures on standard error, each with its hint."""
    for failure in manifest.failures:
        print_note(_failure(failure))
    if manifest.failed > len(manifest.failures):
        print_note(f"… and {manifest.failed - len(manifest.failures):,} more")
    if manifest.failed:
        print_note(
            "Each failed line has an error in the output. The same command tries them again; with --no-cache "
            "it also asks anew for replies that could not be used."
        )


def _failure(failure: Failure) -> str:
    name = f"line {failure.line}" if failure.id is None else f"line {failure.line}, id {failure.id!r}"
    hint = f"\n  → {plain(failure.hint)}" if failure.hint else ""
    return f"failed: {plain(name)}: {failure.type}: {plain(failure.what)}{hint}"
