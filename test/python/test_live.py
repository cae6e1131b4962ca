"""Models exported by the installed torch-mlir give PyTorch's outputs.

Each case of the zoo is made, pruned, exported, compiled and run on the CPU path
and in the emulator; nothing is recorded.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import nm
import pytest
from conftest import need

need("torch", "torch_mlir", "transformers", "ml_dtypes")

import torch  # noqa: E402
from zoo import CASES  # noqa: E402
from zoo.case import prepare  # noqa: E402

torch.set_num_threads(1)  # the test runner has a process a core

# Largest relative Frobenius error by the model's type.
TOLERANCE = {
    torch.float64: 1e-13,
    torch.float32: 1e-5,
    torch.float16: 3e-3,
    torch.bfloat16: 2e-2,
}


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


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_live(case):
    model, args, dynamic, raises = prepare(case)
    expected = results_of(model, args)
    module = nm.export(model, args, dynamic_shapes=dynamic)
    program = nm.compile(module)
    assert sum(one["raised"] for one in program.report["products"]) == raises
    for device in ("cpu", "emulator"):
        results = program(*args) if device == "emulator" else nm.run(module, *args, device=device)
        assert len(results) == len(expected)
        for index, (actual, wanted) in enumerate(zip(results, expected)):
            assert actual.shape == wanted.shape and actual.dtype == wanted.dtype
            error = relative_error(actual, wanted)
            assert error < TOLERANCE[case.dtype], f"{device}, result #{index}"


@pytest.mark.parametrize(
    "name", ["wav2vec2_dynbatch_f32_2of4", "unet_batch_transposed_dynbatch_f32_2of4"]
)
def test_batches_of_other_sizes(name):
    model, args, dynamic, _ = prepare(CASES[name])
    module = nm.export(model, args, dynamic_shapes=dynamic)
    for batch in (1, 3, 8):
        x = torch.randn(batch, *args[0].shape[1:])
        (expected,) = results_of(model, (x,))
        for device in ("cpu", "emulator"):
            (actual,) = nm.run(module, x, device=device)
            assert actual.shape == expected.shape
            assert relative_error(actual, expected) < TOLERANCE[torch.float32]


def test_experts_that_are_gathered_are_named():
    model, args, _, _ = prepare(CASES["gathered_experts_f32_2of4"])
    with pytest.warns(nm.DenseWarning, match="known only at run time"):
        done = nm.compile(nm.export(model, args))
    gathered = [one for one in done.report["products"] if one.get("pattern")]
    assert [one["raised"] for one in gathered] == [False, False]
    for one in gathered:
        assert one["pattern"] == "#nm.pattern<2:4>"
        assert "which of 4 weights is taken" in one["reason"]


@pytest.mark.parametrize("device", ["cpu", "emulator"])
def test_weights_that_are_not_finite_are_kept(device):
    model = torch.nn.Linear(32, 16)
    model.weight.data[3, 5] = float("nan")
    model.weight.data[7, 9] = float("inf")
    model.weight.data[8, 8:10] = -float("inf")
    nm.prune(model, 2, 4)
    x = torch.rand(4, 32) + 1
    module = nm.export(model, (x,))
    (product,) = nm.compile(module).report["products"]
    assert product["raised"] and "2:4" in product["pattern"]
    with torch.no_grad():
        expected = model(x)
    assert expected.isnan().sum() == 4 and expected.isinf().sum() == 8
    (actual,) = nm.run(module, x, device=device)
    torch.testing.assert_close(actual, expected, equal_nan=True)
