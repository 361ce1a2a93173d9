"""What every model in transformers needs: the libraries, a device that torch can use, and its weights."""

from __future__ import annotations

import hashlib
from typing import Any

from probative.errors import InputError, MissingExtraError, ModelError
from probative.settings import Settings

# Code that lies with the weights is never run, and nobody is asked whether to.
NO_CODE = {"trust_remote_code": False}


class Runtime:
    """torch and transformers with the device and the number type of a model called `name`.

    The default device is a GPU if there is one, the default number type float32, or `gpu_dtype` on a GPU.
    """

    def __init__(
        self, name: str, device: str | None, dtype: str | None, *, gpu_dtype: str = "float32"
    ) -> None:
        try:
            import torch
            import transformers
        except ImportError as error:
            raise MissingExtraError("hf", f"hf:{name}") from error
        transformers.utils.logging.disable_progress_bar()
        self.torch: Any = torch
        self.transformers: Any = transformers
        self.device = usable_device(torch, device)
        self.dtype = dtype or ("float32" if self.device.type == "cpu" else gpu_dtype)
        self.numbers = getattr(torch, self.dtype, None)
        if not isinstance(self.numbers, torch.dtype):
            raise InputError(
                f"{self.dtype!r} is not a number type of torch", hint="use float32, bfloat16 or float16"
            )


def checked_name(name: str) -> str:
    """Return the name or the path of a model; raises `InputError` if it is empty."""
    if not name:
        raise InputError("hf: needs a model", hint="write hf:NAME or hf:/path/to/model")
    return name


def options_of(settings: Settings) -> dict[str, Any]:
    """Return the device and the number type of the settings."""
    return {"device": settings.device, "dtype": settings.dtype}


def not_loaded(name: str, error: Exception, what: str = "loaded") -> ModelError:
    """Return the error of weights that transformers cannot load."""
    return ModelError(
        f"{name} cannot be {what}: {str(error).strip().splitlines()[0]}",
        hint="check the name or path; a model from the hub must be downloaded first if there is no network",
    )


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


def weights_mark(model: Any) -> str:
    """Return a hash of 256 numbers of each tensor: another training gives another hash."""
    mark = hashlib.sha256()
    for name, tensor in model.named_parameters():
        flat = tensor.detach().flatten()
        sample = flat[:: max(1, flat.numel() // 256)][:257].float().cpu().numpy()
        mark.update(f"{name}{tuple(tensor.shape)}".encode() + sample.tobytes())
    return mark.hexdigest()[:16]
