"""Models exported by the installed torch-mlir give PyTorch's outputs.

Each case of the zoo is made, pruned, exported, compiled and run on the CPU path
and in the emulator; nothing is recorded.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import zlib

import nm
import pytest
from conftest import need

need("torch", "torch_mlir", "transformers", "ml_dtypes")

import torch  # noqa: E402
from zoo import CASES  # noqa: E402
from zoo.case import count_products  # noqa: E402

torch.set_num_threads(1)  # the test runner has a process a core

# Largest relative Frobenius error by the model's type.
TOLERANCE = {torch.float32: 1e-5, torch.float16: 3e-3, torch.bfloat16: 2e-2}

# Cases that wait for a part of the compiler.
NOT_YET = set("""
    bert_masked_dyn2_f32_1of4 bert_pooler_bf16_2of4 roberta_f32_2of4
    roberta_dynseq_f32_8of32v16 gpt2_f32_2of4 gpt_neo_f32_2of4
    opt_f32_4of8 llama_f32_2of4 llama_dynseq_f32_8of32v64
    llama_dyn2_f16_2of4 llama_head_bf16_8of32v32 mistral_f32_1of4
    qwen2_bf16_2of4 qwen2_dynseq_embeds_f32_3of10 qwen3_f16_2of4
    gemma_bf16_16of32v32 gemma2_f32_2of4 phi_f32_2of4
    phi3_f16_8of32 gptneox_f32_2of4 mixtral_f32_2of4
    qwen2_moe_f32_2of4 qwen3_moe_bf16_2of4 t5_gated_bf16_2of4
    whisper_f32_2of4 decode_llama_static_f32_2of4 decode_qwen3_static_bf16_2of4
    decode_kv_put_f32_8of32 deit_bf16_8of32v32 resnet_f32_2of4
    pointwise_f32_2of4 mlp_dyn2_f16_8of32v16 swiglu_bf16_2of4
    mha_cross_bf16_2of4 int8_weights_f32_2of4 int8_weights_bf16_2of4
    int8_product_f32_2of4 experts_f32_2of4 experts_f16_8of32v32
    gpt2_head_f16_4of8 gpt2_dynbatch_f32_8of32v32 gemma3_f32_2of8
    marian_bf16_2of4 mha_self_dyn_f32_2of4
    """.split())


def flatten(output):
    """All tensors of what a model returned, in order, as torch.export has them."""
    if isinstance(output, torch.Tensor):
        return [output]
    values = output.values() if isinstance(output, dict) else output
    return [tensor for value in values for tensor in flatten(value)]


def results_of(model, args):
    """What the exported function gives: arguments written in place, and results."""
    copies = [x.clone() for x in args]
    with torch.no_grad():
        returned = flatten(model(*copies))
    written = [new for new, old in zip(copies, args) if not torch.equal(new, old)]
    return written + returned


def relative_error(actual, expected):
    actual, expected = actual.double(), expected.double()
    return float((actual - expected).norm() / expected.norm().clamp(min=1e-30))


def make(case):
    """The pruned model, its inputs, what is dynamic, and the expected raises."""
    torch.manual_seed(zlib.crc32(case.name.encode()))
    model, args, dynamic = case.build()
    model = model.eval().to(case.dtype)
    args = tuple(x.to(case.dtype) if x.is_floating_point() else x for x in args)
    raises = case.raises
    if case.pattern:
        report = nm.prune(model, *case.pattern, skip=case.skip)
        if raises is None:
            names = {layer.name for layer in report.pruned}
            raises = count_products(model, args, names)
    return model, args, dynamic, raises


def parameters():
    for name, case in CASES.items():
        marks = [pytest.mark.xfail(reason="not yet")] if name in NOT_YET else []
        yield pytest.param(case, id=name, marks=marks)


@pytest.mark.parametrize("case", parameters())
def test_live(case):
    model, args, dynamic, raises = make(case)
    expected = results_of(model, args)
    module = nm.export(model, args, dynamic_shapes=dynamic)
    done = nm.compile(module, emit="mlir", options={"last-stage": "import"})
    assert sum(one["raised"] for one in done.report["products"]) == raises
    for device in ("cpu", "emulator"):
        results = nm.run(module, *args, device=device)
        assert len(results) == len(expected)
        for index, (actual, wanted) in enumerate(zip(results, expected)):
            assert actual.shape == wanted.shape and actual.dtype == wanted.dtype
            error = relative_error(actual, wanted)
            assert error < TOLERANCE[case.dtype], f"{device}, result #{index}"
