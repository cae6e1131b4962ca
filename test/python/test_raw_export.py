"""Files that torch-mlir writes by itself, without nm.export.

Its views that merge two dynamic sizes are wrong for all sizes but 1 (see
nm-correct-views): the compiler takes them as they were meant.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import re

import nm
import pytest
from conftest import need

need("torch", "torch_mlir", "transformers", "ml_dtypes")

import torch  # noqa: E402
import torch_mlir.fx  # noqa: E402
from torch import nn  # noqa: E402
from zoo.case import dim, ids  # noqa: E402
from zoo.text import decoder, encoder  # noqa: E402

SIZES = ((2, 16), (3, 5))


class Function(nn.Module):
    def __init__(self, body, *layers):
        super().__init__()
        self.body = body
        self.layers = nn.ModuleList(layers)

    def forward(self, x):
        return self.body(x, *self.layers)


def on_tokens(body, *layers):
    """`body` of [batch, tokens, 64], both dynamic."""
    shapes = ({0: dim("batch"), 1: dim("tokens", 4, 64)},)
    return Function(body, *layers), (torch.randn(2, 16, 64),), shapes


MODELS = {
    "mlp": lambda: on_tokens(
        lambda x, up, down: x + down(nn.functional.silu(up(x))),
        nn.Linear(64, 32),
        nn.Linear(32, 64),
    ),
    "einsum": lambda: on_tokens(
        lambda x, w: torch.einsum("bsk,nk->bsn", x, w.weight), nn.Linear(64, 32)
    ),
    "encoder_layer": lambda: on_tokens(
        lambda x, layer: layer(x),
        nn.TransformerEncoderLayer(64, 4, 128, batch_first=True),
    ),
    "bert": lambda: encoder("Bert", "eager", mask=True, dynamic="bs", pooling=True),
    "llama": lambda: decoder("Llama", dynamic="bs", head=True),
}


def written(model, args, shapes):
    """The file that torch-mlir writes."""
    for module in model.modules():
        module._non_persistent_buffers_set.clear()  # or the importer misses them
    module = torch_mlir.fx.export_and_import(
        model,
        *args,
        dynamic_shapes=shapes,
        output_type="linalg-on-tensors",
        func_name="forward",
    )
    return nm.Module(module.operation.get_asm(), "forward")


def resized(x, batch, tokens):
    if x.is_floating_point():
        return torch.randn(batch, tokens, *x.shape[2:])
    return ids(batch, tokens) if x.max() > 1 else torch.ones(batch, tokens, dtype=x.dtype)


@pytest.mark.parametrize("name", MODELS)
def test_two_dynamic_sizes(name):
    torch.manual_seed(7)
    model, args, shapes = MODELS[name]()
    model = model.eval()
    nm.prune(model, 2, 4)
    module = written(model, args, shapes)
    # The fault is still there.
    assert re.search(r"tensor<(\?x1|1x\?)x64x", module.text)
    for batch, tokens in SIZES:
        sized = [resized(x, batch, tokens) for x in args]
        with torch.no_grad():
            expected = model(*sized)
        for device in ("cpu", "emulator"):
            (actual,) = nm.run(module, *sized, device=device)
            error = (actual - expected).norm() / expected.norm()
            assert error < 1e-5, f"{device}, {batch} x {tokens}"


def test_what_cannot_be_corrected_says_so():
    torch.manual_seed(7)
    # The positions of OPT come from a mask whose size has been folded to 1.
    model, args, shapes = decoder("OPT", dynamic="bs", ffn_dim=128, word_embed_proj_dim=64)
    module = written(model.eval(), args, shapes)
    with pytest.raises(nm.ToolError) as raised:
        nm.run(module, *args, device="cpu")
    assert "warning: a dynamic size is taken for 1" in raised.value.diagnostics
    assert "is not as large as" in raised.value.diagnostics
