"""What follows a converted layer as a part of its product, in graphs of torch.compile.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import copy

import pytest
from conftest import need

need("torch", "transformers")

import torch  # noqa: E402
from sparse_models import SEED, get_output, make, make_layer  # noqa: E402
from torch._dynamo.backends.common import aot_autograd  # noqa: E402
from torch._inductor.decomposition import select_decomp_table  # noqa: E402
from torch.nn import functional as F  # noqa: E402
from transformers.activations import NewGELUActivation  # noqa: E402

import nm  # noqa: E402
from nm.nn import fusion  # noqa: E402
from nm.nn.products import LinearProduct  # noqa: E402

ACTIVATIONS = {
    "": lambda y: y,
    "relu": F.relu,
    "gelu_erf": F.gelu,
    "gelu_tanh": lambda y: F.gelu(y, approximate="tanh"),
    "silu": F.silu,
    "gelu_new": NewGELUActivation(),
}
COMBINED = {
    "": lambda y, r: y,
    "add": lambda y, r: y + r,
    "add first": lambda y, r: r + y,
    "mul": lambda y, r: y * r,
    "mul first": lambda y, r: r * y,
}


@pytest.fixture(params=[False, True], ids=["pytorch", "kernels"])
def layer(request, monkeypatch):
    """A layer of bf16, computed by PyTorch or by kernels, and its dense one."""
    monkeypatch.setenv("NM_EMULATE", str(int(request.param)))
    model = make_layer(dtype=torch.bfloat16)
    dense = copy.deepcopy(model)
    nm.convert(model)
    return model[0], dense[0]


def compile_fused(function, calls, dynamic=False):
    """A function as Inductor sees it, with what its products are appended to `calls`."""

    def compiler(graph, _):
        fusion.fuse(graph.graph)
        graph.recompile()
        calls.extend(
            LinearProduct.parse(node.args[-1])
            for node in graph.graph.nodes
            if node.target in (fusion.linear, fusion.packed_linear)
        )
        calls.append(sum(node.op == "call_function" for node in graph.graph.nodes))
        return graph.forward

    torch._dynamo.reset()
    backend = aot_autograd(fw_compiler=compiler, decompositions=select_decomp_table())
    return torch.compile(function, fullgraph=True, backend=backend, dynamic=dynamic)


def is_close(got, expected):
    """Fused results are rounded to bf16 once, unfused ones after each op."""
    return torch.allclose(got.float(), expected.float(), rtol=0.02, atol=0.02)


def expect(function, of, dense, inputs, *, epilogue="", combine="", ops=1):
    calls = []
    with torch.no_grad():
        got = compile_fused(lambda *given: function(of, *given), calls)(*inputs)
        assert is_close(got, function(dense, *inputs))
    product, count = calls
    assert (product.epilogue, product.combine, count) == (epilogue, combine, ops)
    return product


@pytest.mark.parametrize("combined", COMBINED)
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_what_follows_is_fused(layer, activation, combined):
    torch.manual_seed(SEED)
    x, r = torch.randn(2, 3, 64).bfloat16(), torch.randn(2, 3, 96).bfloat16()

    def function(of, x, r):
        return COMBINED[combined](ACTIVATIONS[activation](of(x)), r)

    expect(
        function, *layer, (x, r),
        epilogue={"gelu_new": "gelu_tanh"}.get(activation, activation),
        combine=combined.partition(" ")[0],
    )


@pytest.mark.parametrize("kernels", [False, True])
def test_a_bias_is_fused(monkeypatch, kernels):
    monkeypatch.setenv("NM_EMULATE", str(int(kernels)))
    model = make_layer(dtype=torch.bfloat16, bias=False)
    dense = copy.deepcopy(model)
    nm.convert(model)
    inputs = torch.randn(3, 64).bfloat16(), torch.randn(96).bfloat16()
    product = expect(
        lambda of, x, b: F.silu(b + of(x)), model, dense, inputs, epilogue="silu"
    )
    assert product.has_bias


def scale_sigmoid(y):
    return y * torch.sigmoid(1.702 * y)


@pytest.mark.parametrize(
    "function, operands, ops",
    [
        # What another op reads has to be there.
        (lambda of, x: (lambda y: F.silu(y) + y)(of(x)), 0, 8),
        (lambda of, x: (lambda y: y * y)(of(x)), 0, 2),
        # Others than the activations that kernels have.
        (lambda of, x: scale_sigmoid(of(x)), 0, None),
        (lambda of, x: F.leaky_relu(of(x)), 0, None),
        (lambda of, x: of(x) + 1.0, 0, 2),
        # Residuals of another shape or type, and added otherwise.
        (lambda of, x, r: of(x) * r[:1], 1, 3),
        (lambda of, x, r: of(x) + r.float(), 1, None),
        (lambda of, x, r: torch.add(of(x), r, alpha=2), 1, 2),
        # A layer has a bias already.
        (lambda of, x, r: of(x) + r[0], 1, 3),
    ],
)
def test_what_stays(layer, function, operands, ops):
    torch.manual_seed(SEED)
    inputs = [torch.randn(3, n).bfloat16() for n in (64, 96)[: 1 + operands]]
    calls = []
    with torch.no_grad():
        got = compile_fused(lambda *given: function(layer[0], *given), calls)(*inputs)
        assert is_close(got, function(layer[1], *inputs))
    assert (calls[0].epilogue, calls[0].combine) == ("", "")
    assert ops is None or calls[1] == ops


def test_one_activation_and_one_residual(layer):
    inputs = [torch.randn(3, n).bfloat16() for n in (64, 96, 96)]
    product = expect(
        lambda of, x, r, s: F.relu(F.silu(of(x)) + r) * s, *layer, inputs,
        epilogue="silu", combine="add", ops=3,
    )
    assert product.has_bias


def test_any_number_of_rows(layer):
    of, dense = layer
    calls = []
    compiled = compile_fused(lambda x, r: F.silu(of(x)) * r, calls, dynamic=True)
    with torch.no_grad():
        for rows in (3, 5, 9):
            x, r = torch.randn(rows, 64).bfloat16(), torch.randn(rows, 96).bfloat16()
            assert is_close(compiled(x, r), F.silu(dense(x)) * r)
    assert [one.combine for one in calls[::2]] in (["mul"], ["mul", "mul"])


def test_residuals_may_have_any_strides(layer):
    x, r = torch.randn(3, 64).bfloat16(), torch.randn(96, 4).bfloat16()
    expect(
        lambda of, x, r: of(x) + r.t()[1:], *layer, (x, r), combine="add", ops=3
    )


#
# In Inductor
#


@pytest.fixture
def inductor():
    """Inductor's options, without passes before and after."""
    from torch._inductor import config

    with config.patch(post_grad_custom_pre_pass=None, force_disable_caches=True):
        yield config


def test_passes_are_chained(inductor):
    seen = []

    class Other(torch._inductor.custom_graph_pass.CustomGraphPass):
        def __call__(self, graph):
            seen.append(graph)

        def uuid(self):
            return "other"

    other = Other()
    inductor.post_grad_custom_pre_pass = other
    nm.nn.fuse_epilogues()
    nm.nn.fuse_epilogues()
    ours = inductor.post_grad_custom_pre_pass
    graph = torch.fx.Graph()
    ours(graph)
    assert seen == [graph]
    assert "other" in ours.uuid()
    assert ours.uuid() == fusion.FuseEpilogues(other).uuid()
    assert ours.uuid() != fusion.FuseEpilogues(None).uuid()
    # A function without a name for what it does: Inductor must not keep its graphs.
    assert fusion.FuseEpilogues(seen.append).uuid() is None
    nm.nn.fuse_epilogues(False)
    assert inductor.post_grad_custom_pre_pass is other


def test_a_compiled_model(inductor, monkeypatch):
    model, inputs = make("gpt2")
    expected = get_output(model, inputs)
    nm.convert(model)
    nm.nn.fuse_epilogues()
    products = []
    fuse = fusion.fuse

    def spy(graph):
        fuse(graph)
        products.extend(
            LinearProduct.parse(node.args[-1])
            for node in graph.nodes
            if node.target in (fusion.linear, fusion.packed_linear)
        )

    monkeypatch.setattr(fusion, "fuse", spy)
    torch._dynamo.reset()
    compiled = torch.compile(model, fullgraph=True)
    assert torch.allclose(get_output(compiled, inputs), expected, atol=1e-5)
    # Of each block: QKV, the attention's output, and the two of the MLP.
    assert [one.epilogue for one in products] == ["", "", "gelu_tanh", ""] * 2
    assert [one.combine for one in products] == ["", "add", "", "add"] * 2
