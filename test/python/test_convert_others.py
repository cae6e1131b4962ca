"""nm.convert of modules that read weights themselves, or have them in other forms.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import copy

import pytest
from conftest import need

need("torch", "transformers")

import torch  # noqa: E402
import transformers as tf  # noqa: E402
from sparse_models import SEED, TOKENS, make_layer  # noqa: E402

import nm  # noqa: E402


@pytest.mark.parametrize("is_padded", [False, True])
@pytest.mark.parametrize("grad", [False, True])
def test_an_encoder_whose_fast_path_reads_weights(grad, is_padded):
    torch.manual_seed(SEED)
    layer = torch.nn.TransformerEncoderLayer(64, 4, 128, batch_first=True)
    model = torch.nn.TransformerEncoder(layer, 2).eval()
    nm.prune(model, 8, 32, unit=(1, 16), skip=["*self_attn*"])
    dense = copy.deepcopy(model)
    report = nm.convert(model)
    assert len(report.layers) == 4
    assert all("MultiheadAttention reads" in one for one in report.dense.values())
    x = torch.randn(2, 5, 64)
    mask = torch.zeros(2, 5, dtype=torch.bool)
    mask[0, 3:] = is_padded
    with torch.set_grad_enabled(grad):
        got, expected = (one(x, src_key_padding_mask=mask) for one in (model, dense))
    assert torch.allclose(got[~mask], expected[~mask], atol=1e-5)


def test_experts_stay_dense():
    torch.manual_seed(SEED)
    config = tf.MixtralConfig(
        hidden_size=64, intermediate_size=128, num_hidden_layers=1, num_attention_heads=4,
        num_key_value_heads=2, vocab_size=TOKENS, num_local_experts=4,
    )
    model = tf.MixtralForCausalLM(config).eval()
    nm.prune(model, 8, 32, unit=(1, 16), skip=["lm_head"], misfits="skip")
    report = nm.convert(model)
    assert len(report.layers) == 4
    for name in ("gate_up_proj", "down_proj"):
        reason = report.dense[f"model.layers.0.mlp.experts.{name}"]
        assert reason.startswith("MixtralExperts computes more than a Linear")


def test_weights_of_a_tensor_parallel_plan_stay(tmp_path):
    from torch import distributed
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import Shard, distribute_tensor

    store = f"file://{tmp_path / 'store'}"
    distributed.init_process_group("gloo", init_method=store, rank=0, world_size=1)
    try:
        model = torch.nn.Sequential(make_layer()[0], make_layer()[0])
        mesh = init_device_mesh("cpu", (1,))
        shards = distribute_tensor(model[0].weight.data, mesh, [Shard(0)])
        model[0].weight = torch.nn.Parameter(shards)
        report = nm.convert(model)
    finally:
        distributed.destroy_process_group()
    assert [one.name for one in report.layers] == ["1"]
    assert "is a DTensor, no plain tensor" in report.dense["0.weight"]
