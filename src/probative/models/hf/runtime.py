"""What every model in transformers needs: the libraries, a device that torch can use, a mark of its weights,
its special tokens, and draws of tokens with a seed for each row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from probative.errors import InputError, MissingExtraError, ModelError
from probative.settings import Settings

# Code that lies with the weights is never run, and nobody is asked whether to.
NO_CODE = {"trust_remote_code": False}
# A tokenizer without a limit says a number such as 10^30.
_NO_LIMIT = 1_000_000


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

    def load(self, kind: str, name: str, **options: Any) -> tuple[Any, Any]:
        """Return a model, read by a class of transformers ("AutoModel"), and its tokenizer.

        `name` is that of a model of the hub or its cache, or a folder. Raises `ModelError`.
        """
        tokenizer = self.read("AutoTokenizer", name, **options)
        model = self.read(kind, name, dtype=self.numbers, **options)
        return model.to(self.device).eval(), tokenizer

    def read(self, kind: str, name: str, **options: Any) -> Any:
        """Return what a class of transformers reads of a model. Raises `ModelError`."""
        folder = Path(name).expanduser()
        source = str(folder) if folder.is_dir() else name
        try:
            return getattr(self.transformers, kind).from_pretrained(source, **NO_CODE, **options)
        except Exception as error:  # every format has its own errors
            raise not_loaded(f"hf:{name}", error) from error


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
    """Return the device, by default a graphics card if there is one, with `auto` also that of a Mac; raises
    `InputError` if torch cannot use it.
    """
    name = device or "cpu"
    if device in (None, "auto"):
        has_mps = device == "auto" and torch.backends.mps.is_available()
        name = "cuda" if torch.cuda.is_available() else "mps" if has_mps else "cpu"
    try:
        usable = torch.device(name)
        torch.zeros(1, device=usable)
    except (RuntimeError, AssertionError) as error:
        raise InputError(
            f"torch cannot use the device {name!r}: {str(error).strip().splitlines()[0]}",
            hint="use auto, cpu, cuda, cuda:1 or mps, if this machine and this torch have it",
        ) from error
    return usable


def free_memory(torch: Any, device: Any) -> int:
    """Return the bytes of a graphics card that this process may use, which others may share; 0 for another
    device.
    """
    if device.type != "cuda":
        return 0
    unused = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
    return int(torch.cuda.mem_get_info(device)[0] + unused)


def readable_tokens(model: Any, tokenizer: Any, *limits: int | None) -> int | None:
    """Return how many tokens a model reads: the smallest of these limits, that of its tokenizer and that of
    its positions; None if none of them is known.

    The positions of RoBERTa and its kin start behind the number of the padding token.
    """
    positions = getattr(model.config, "max_position_embeddings", None)
    for module in model.modules():
        padding = getattr(getattr(module, "position_embeddings", None), "padding_idx", None)
        if padding is not None and positions is not None:
            positions = module.position_embeddings.num_embeddings - padding - 1
    candidates = (*limits, tokenizer.model_max_length, positions)
    return min(
        (limit for limit in candidates if isinstance(limit, int) and 0 < limit < _NO_LIMIT), default=None
    )


def weights_mark(model: Any) -> str:
    """Return a hash of 256 numbers of each tensor: another training gives another hash."""
    mark = hashlib.sha256()
    for name, tensor in model.named_parameters():
        flat = tensor.detach().flatten()
        sample = flat[:: max(1, flat.numel() // 256)][:257].float().cpu().numpy()
        mark.update(f"{name}{tuple(tensor.shape)}".encode() + sample.tobytes())
    return mark.hexdigest()[:16]


def before_text(tokenizer: Any) -> list[int]:
    """Return the special tokens that a tokenizer puts before every text (as Llama and Gemma do)."""
    whole, plain = tokenizer("a")["input_ids"], tokenizer("a", add_special_tokens=False)["input_ids"]
    return list(whole[: whole.index(plain[0])]) if plain and plain[0] in whole else []


def end_tokens(tokenizer: Any, model: Any) -> list[int]:
    """Return every token that ends an answer: that of the tokenizer, and those of the model's generation
    settings (a model may end its messages with another token than its texts).
    """
    named = getattr(model.generation_config, "eos_token_id", None)
    ends = {tokenizer.eos_token_id, *(named if isinstance(named, list | tuple) else [named])}
    return sorted(int(token) for token in ends if token is not None)


def document_start(tokenizer: Any) -> int | None:
    """Return the token before the first token of a text: the separator of documents in training, otherwise
    the start or end token.
    """
    candidates = (tokenizer.bos_token_id, tokenizer.eos_token_id)
    separator = tokenizer.get_vocab().get("<|endoftext|>")
    return next((int(token) for token in (separator, *candidates) if token is not None), None)


def gguf_tokenizer(path: Path, transformers: Any) -> Any:
    """Return the tokenizer of a GGUF file of a known kind; None leaves it to transformers, whose conversion
    takes half a minute.
    """
    from gguf import GGUFReader

    from probative.models.embedded.convert import language_tokenizer

    field = {key: value for key, value in GGUFReader(path).fields.items() if key.startswith("tokenizer")}
    pre = field.get("tokenizer.ggml.pre")
    if pre is None or pre.contents() != "smollm":
        return None
    facts = {key: value.contents() for key, value in field.items()}
    vocabulary = facts["tokenizer.ggml.tokens"]
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=language_tokenizer(facts),
        bos_token=vocabulary[facts["tokenizer.ggml.bos_token_id"]],
        eos_token=vocabulary[facts["tokenizer.ggml.eos_token_id"]],
        pad_token=vocabulary[facts["tokenizer.ggml.padding_token_id"]],
        chat_template=facts.get("tokenizer.chat_template"),
    )


class Draws:
    """Changes the logits of a batch so that only a draw is left in each row: at the temperature, among the
    most probable tokens that together have the probability `top_p`. Transformers calls it at every step.

    torch has one source of random numbers for a whole batch, so a draw would depend on its neighbours. Here
    each row has its own, which gives one number between 0 and 1 at each step: the drawn token is the one at
    which the sum of the probabilities passes it.
    """

    def __init__(self, torch: Any, seeds: Sequence[int], temperature: float, top_p: float) -> None:
        self._torch = torch
        self._temperature, self._top_p = temperature, top_p
        # On the CPU: the same numbers on every device.
        self._sources = [torch.Generator().manual_seed(seed) for seed in seeds]

    def __call__(self, _: Any, logits: Any) -> Any:
        """Return the logits of this step, in which every token but the drawn one is impossible."""
        torch = self._torch
        probabilities = torch.softmax(logits.float() / self._temperature, dim=-1)
        if self._top_p < 1:
            probabilities = self._nucleus(probabilities)
        sums = probabilities.cumsum(dim=-1)
        numbers = torch.stack([torch.rand(1, generator=source) for source in self._sources]).to(sums.device)
        # The last sum is 1 but for rounding, or no number if the model computed none.
        drawn = torch.searchsorted(sums, (1 - numbers) * sums[:, -1:]).clamp_max(sums.shape[-1] - 1)
        return torch.full_like(logits, float("-inf")).scatter(-1, drawn, 0.0)

    def _nucleus(self, probabilities: Any) -> Any:
        """Leave out every token before which the more probable ones already reach `top_p`."""
        values, order = probabilities.sort(dim=-1, descending=True)
        outside = values.cumsum(dim=-1) - values >= self._top_p
        return probabilities.masked_fill(outside.scatter(-1, order, outside), 0.0)
