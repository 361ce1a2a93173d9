"""The converted policy in the user's cache: written once, completely or not at all, checked at each load.

The name of the folder contains a hash of the shipped files and the number of the conversion, so another
version of either gets its own folder.
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
from probative.models.embedded.store import (
    MANIFEST,
    Manifest,
    Report,
    Weights,
    install_model,
    scratch_folders,
    showing_progress,
)
from probative.settings import mark_cache

TITLE = "the evidence policy"
HEAD = "head.npy"
# Increased whenever the conversion in this file changes; that of the encoder has its own number.
FORM = 1


def policy_folder(folder: Path, shipped: Path = SHIPPED) -> Path:
    """Return the folder of the converted policy, which may not exist."""
    digest = hashlib.sha256("".join(checked(shipped).values()).encode()).hexdigest()
    return folder / f"policy-{CONVERSION}.{FORM}-{digest[:12]}"


def find(folder: Path) -> Weights | None:
    """Return the converted policy in `folder` if it exists and every file matches its hash."""
    try:
        manifest = Manifest.from_dict(json.loads((folder / MANIFEST).read_text(encoding="utf-8")))
        intact = all(
            (folder / name).stat().st_size == size and sha256_of(folder / name) == sha256
            for name, (size, sha256) in manifest.files.items()
        )
    except (OSError, ValueError):
        return None
    return Weights(folder=folder, manifest=manifest) if intact and HEAD in manifest.files else None


def ensure(folder: Path, shipped: Path = SHIPPED) -> Weights:
    """Return the policy; convert it if it is missing or damaged. A second process waits for the first."""
    target = policy_folder(folder, shipped)
    if (weights := find(target)) is not None:
        return weights
    try:
        folder.mkdir(parents=True, exist_ok=True)
        mark_cache(folder)
        with FileLock(folder / "policy.lock"):
            if (weights := find(target)) is None:
                print(f"probative: preparing {TITLE} in {folder}", file=sys.stderr)
                with showing_progress() as report:
                    _build(target, shipped, report)
                weights = find(target)
    except OSError as error:
        raise WeightsError(
            f"{TITLE} cannot be written to {folder}: {error}",
            hint="free some space (about 200 MB while converting), or set PROBATIVE_HOME to another folder",
        ) from error
    if weights is None:
        raise WeightsError(f"{TITLE} was converted, but is damaged", hint="check the disk")
    return weights


def _build(target: Path, shipped: Path, report: Report) -> None:
    with scratch_folders(target, "policy") as (read, made):
        _convert(shipped, read, made, report)
        install_model(made, target, name="policy", source_sha256=sha256_of(shipped / FILES[0]))


def _convert(shipped: Path, read: Path, made: Path, report: Report) -> None:
    """Write the shipped weights in the form that `convert_encoder` reads, convert them, and add the head."""
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
