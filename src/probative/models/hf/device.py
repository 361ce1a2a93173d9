"""What every model in transformers needs: a device that torch can use, and a mark of the weights."""

from __future__ import annotations

import hashlib
from typing import Any

from probative.errors import InputError


def usable_device(torch: Any, device: str | None) -> Any:
    """Return the device, by default a GPU if there is one; raises `InputError` if torch cannot use it."""
    name = device or ("cuda" if torch.cuda.is_available() else "cpu")
    try:
        usable = torch.device(name)
        torch.zeros(1, device=usable)
    except (RuntimeError, AssertionError) as error:
        raise InputError(
            f"torch cannot use the device {name!r}: {str(error).strip().splitlines()[0]}",
            hint="use cpu, cuda, cuda:1 or mps, if this machine and this torch have it",
        ) from error
    return usable


def number_type(torch: Any, name: str) -> Any:
    """Return the number type of torch called `name`; raises `InputError` if there is none."""
    dtype = getattr(torch, name, None)
    if not isinstance(dtype, torch.dtype):
        raise InputError(f"{name!r} is not a number type of torch", hint="use float32, bfloat16 or float16")
    return dtype


def weights_mark(model: Any) -> str:
    """Return a hash of 256 numbers of each tensor: another training gives another hash."""
    mark = hashlib.sha256()
    for name, tensor in model.named_parameters():
        flat = tensor.detach().flatten()
        sample = flat[:: max(1, flat.numel() // 256)][:257].float().cpu().numpy()
        mark.update(f"{name}{tuple(tensor.shape)}".encode() + sample.tobytes())
    return mark.hexdigest()[:16]
