"""The policy in the user's cache, in the engine's form: made once, whole or not at all, checked at each load.

The folder's name holds the shipped files' content and the number of the conversion, so that another version
of either makes a folder of its own.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from pathlib import Path

from filelock import FileLock

from probative.errors import WeightsError
from probative.models.embedded.convert import CONVERSION, convert_encoder
from probative.models.embedded.fetch import sha256_of
from probative.models.embedded.policy_weights import FILES, SHIPPED, checked, restored
from probative.models.embedded.progress import showing_progress
from probative.models.embedded.store import MANIFEST, Manifest, Report, Weights, put_whole, scratch_beside

TITLE = "the evidence policy"
HEAD = "head.npy"
# Raised whenever what is done here changes; the encoder's own conversion has its number besides.
FORM = 1


def place(folder: Path, shipped: Path = SHIPPED) -> Path:
    """Where the converted policy is, or would be."""
    digest = hashlib.sha256("".join(checked(shipped).values()).encode()).hexdigest()
    return folder / f"policy-{CONVERSION}.{FORM}-{digest[:12]}"


def find(at: Path) -> Weights | None:
    """The converted policy, if it is there and every byte of it is as it was written."""
    try:
        manifest = Manifest.from_dict(json.loads((at / MANIFEST).read_text(encoding="utf-8")))
        whole = all(
            (at / name).stat().st_size == size and sha256_of(at / name) == sha256
            for name, (size, sha256) in manifest.files.items()
        )
    except (OSError, ValueError):
        return None
    return Weights(folder=at, manifest=manifest) if whole and HEAD in manifest.files else None


def ensure(folder: Path, shipped: Path = SHIPPED) -> Weights:
    """The policy, converted if that was not done yet or is damaged; another process waits for the first."""
    at = place(folder, shipped)
    if (found := find(at)) is not None:
        return found
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / "policy.lock"):
            if (found := find(at)) is None:
                print(f"probative: preparing {TITLE} in {folder}", file=sys.stderr)
                with showing_progress() as report:
                    _build(at, shipped, report)
                found = find(at)
    except OSError as error:
        raise WeightsError(
            f"{TITLE} cannot be written to {folder}: {error}",
            hint="free some space (about 200 MB while converting), or set PROBATIVE_HOME to another folder",
        ) from error
    if found is None:
        raise WeightsError(f"{TITLE} was converted, but is damaged", hint="check the disk")
    return found


def _build(at: Path, shipped: Path, report: Report) -> None:
    with scratch_beside(at, "policy") as (read, made):
        _convert(shipped, read, made, report)
        put_whole(made, at, name="policy", source_sha256=sha256_of(shipped / FILES[0]))


def _convert(shipped: Path, read: Path, made: Path, report: Report) -> None:
    """The shipped weights as the encoder's conversion reads them, that conversion, and the head."""
    import numpy as np
    from safetensors.numpy import load_file, save_file

    try:
        weights = restored(load_file(shipped / FILES[0]))
        body = {name.removeprefix("encoder."): value for name, value in weights.items()}
        head = np.concatenate([body.pop("head.weight").ravel(), body.pop("head.bias").ravel()])
        save_file(body, read / FILES[0])
        for name in FILES[1:]:
            shutil.copyfile(shipped / name, read / name)
        convert_encoder(read, made, lambda part: report(f"convert {TITLE}", part))
        np.save(made / HEAD, head.astype(np.float32))
    except (ValueError, KeyError, RuntimeError) as error:
        raise WeightsError(
            f"{TITLE} could not be converted: {error!r}",
            hint="check the installed versions with 'probative doctor', and report this",
        ) from error
