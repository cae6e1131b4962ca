"""nm.prune on weights that are no plain parameters: what is left dense, and what is
refused."""

import nm
import pytest
from conftest import need
from test_pruning import kept_units

need("torch")

import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch._subclasses.fake_tensor import FakeTensorMode  # noqa: E402
from torch.nn.utils import prune as torch_prune  # noqa: E402

PATTERN = nm.Pattern(2, 4)


class Wrapped(torch.Tensor):
    """Codes and a scale behind the face of a float tensor, as torchao has them."""

    @staticmethod
    def __new__(cls, codes, scale):
        return torch.Tensor._make_wrapper_subclass(cls, codes.shape, dtype=torch.float32)

    def __init__(self, codes, scale):
        self.codes, self.scale = codes, scale

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        if function is torch.ops.aten.detach.default:
            return cls(args[0].codes, args[0].scale)

        def dequantize(one):
            return one.codes.float() * one.scale if isinstance(one, cls) else one

        args, kwargs = torch.utils._pytree.tree_map(dequantize, (args, kwargs or {}))
        return function(*args, **kwargs)


class Codes(nn.Parameter):
    """As bitsandbytes' Params4bit: a subclass of Parameter with plain data."""


def linear_of(tensor, kind=nn.Parameter):
    layer = nn.Linear(16, 8)
    layer._parameters["weight"] = kind(tensor, requires_grad=False)
    return layer


def random(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(3))


OTHER_FORMS = {
    "subclass": (
        lambda: Wrapped(torch.ones(8, 16, dtype=torch.int8), torch.ones(8, 1)),
        "is a Wrapped, no plain tensor: .*dequantize",
    ),
    "uint8": (
        lambda: torch.ones(8, 8, dtype=torch.uint8),
        "holds uint8 codes, not numbers: dequantize it before pruning",
    ),
    "packed": (lambda: torch.ones(64, 1, dtype=torch.uint8), "holds uint8 codes"),
    "int8": (lambda: torch.ones(8, 16, dtype=torch.int8), "holds int8 codes"),
    "qint8": (
        lambda: torch.quantize_per_tensor(random(8, 16), 0.1, 0, torch.qint8),
        "holds qint8 codes",
    ),
    "complex": (
        lambda: random(8, 16).to(torch.complex64),
        "holds complex64 numbers: .* real and imaginary",
    ),
    "coo": (lambda: random(8, 16).to_sparse(), "is of layout torch.sparse_coo: .*to_dense"),
    "csr": (lambda: random(8, 16).to_sparse_csr(), "is of layout torch.sparse_csr"),
    "nested": (
        lambda: torch.nested.nested_tensor([random(8, 16)]),
        "is of layout nested: .*to_dense",
    ),
    "flat": (lambda: random(128), "is of shape 128, not as Linear multiplies it"),
} | {
    str(dtype): (
        lambda dtype=dtype: random(8, 16).to(dtype),
        f"holds {str(dtype)[6:]}, .*prune it before it is quantized",
    )
    for dtype in (torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz)
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("make, reason", OTHER_FORMS.values(), ids=OTHER_FORMS)
def test_another_form_is_left_dense_with_the_reason(make, reason):
    held = linear_of(make(), Codes if reason.startswith("holds uint8") else nn.Parameter)
    report = nm.prune(nn.Sequential(nn.Linear(16, 16), held), 2, 4)
    assert [layer.name for layer in report.pruned] == ["0.weight"]
    assert not report.layers[1].pruned
    with pytest.raises(nm.PatternError, match=f"nothing is left to prune: 0.weight: {reason}"):
        nm.prune(nn.Sequential(held), 2, 4)
    line = str(report).splitlines()[2].split()
    assert line[0] == "1.weight" and line[3] in ("-", "0.0%")


def test_what_is_left_dense_is_not_changed():
    codes = torch.randint(1, 256, (8, 16), dtype=torch.uint8)
    wrapped = Wrapped(codes.to(torch.int8), torch.ones(8, 1))
    model = nn.Sequential(nn.Linear(16, 16), linear_of(codes.clone()), linear_of(wrapped))
    nm.prune(model, 2, 4)
    assert torch.equal(model[1].weight, codes)
    assert torch.equal(model[2].weight.codes, codes.to(torch.int8))


def with_freed_storage():
    weight = random(8, 16)
    weight.untyped_storage().resize_(0)
    return linear_of(weight)


def with_fake_weights():
    with FakeTensorMode():
        return nn.Linear(16, 8)


NO_DATA = {
    "meta": (
        lambda: nn.Linear(16, 8, device="meta"),
        r"\(Linear\) is on the meta device, .*to_empty.*load_state_dict",
    ),
    "lazy": (lambda: nn.LazyLinear(8), r"\(LazyLinear\) .*run one forward pass"),
    "lazy 1x1": (lambda: nn.LazyConv2d(8, 1), r"\(LazyConv2d\) .*run one forward pass"),
    "fake": (with_fake_weights, r"\(Linear\) is a FakeTensor, .*FakeTensorMode"),
    "sharded": (lambda: linear_of(torch.empty(0)), "no elements in this process.*gather"),
    "freed": (with_freed_storage, "storage was freed: gather"),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("make, reason", NO_DATA.values(), ids=NO_DATA)
def test_what_has_no_data_is_refused_by_name(make, reason):
    model = nn.Sequential(nn.Linear(16, 16), make())
    before = model[0].weight.detach().clone()
    with pytest.raises(nm.PatternError, match=rf'1\.weight .*{reason}.*skip=\["1\.weight"\]'):
        nm.prune(model, 2, 4)
    assert torch.equal(model[0].weight, before)
    report = nm.prune(model, 2, 4, skip=["1"])
    assert [layer.name for layer in report.pruned] == ["0.weight"]
    assert "left dense: skipped" in str(report)


def test_a_lazy_layer_is_pruned_after_a_pass():
    model = nn.Sequential(nn.LazyLinear(8))
    model(random(2, 16))
    nm.prune(model, 2, 4)
    assert kept_units(model[0].weight.detach(), PATTERN) == [2] * 32


def test_lazy_modules_of_other_kinds_are_listed():
    model = nn.Sequential(nn.LazyConv2d(8, 3), nn.LazyBatchNorm2d(), nn.Linear(8, 8))
    report = nm.prune(model, 2, 4)
    assert [other.name for other in report.others] == ["0.weight"]
    assert "0.weight  LazyConv2d  ?  a convolution of 3x3 taps" in str(report)


def quantized_by_torch():
    model = nn.Sequential(nn.Linear(16, 8), nn.LSTM(8, 8))
    kinds = {nn.Linear, nn.LSTM}
    quantize = torch.ao.quantization.quantize_dynamic
    return quantize(model, kinds, dtype=torch.qint8)


def packed_as(parameters, buffers=()):
    def make():
        layer = nn.Linear(16, 8)
        del layer.weight
        for name, shape in parameters:
            codes = torch.zeros(shape, dtype=torch.int32)
            layer.register_parameter(name, nn.Parameter(codes, requires_grad=False))
        for name, shape in buffers:
            layer.register_buffer(name, torch.zeros(shape, dtype=torch.int32))
        return nn.Sequential(layer)

    return make


def pruned_by_torch():
    layer = nn.Linear(16, 8)
    torch_prune.l1_unstructured(layer, "weight", 0.5)
    return nn.Sequential(layer)


def pruned_recurrent():
    layer = nn.LSTM(8, 8, bias=False)
    for name in ("weight_ih_l0", "weight_hh_l0"):
        torch_prune.l1_unstructured(layer, name, 0.5)
    return nn.Sequential(layer)


CONVERTIBLE = {
    "torch.ao": (quantized_by_torch, ["0.weight", "1.weight"], "prune before it is quant"),
    "torch.nn.utils.prune": (
        pruned_by_torch,
        ["0.weight_orig"],
        r'torch\.nn\.utils\.prune\.remove\(module, "weight"\)',
    ),
    "of an LSTM": (
        pruned_recurrent,
        ["0.weight_ih_l0_orig", "0.weight_hh_l0_orig"],
        r'prune\.remove\(module, "weight_ih_l0"\)',
    ),
    "spectral norm": (
        lambda: nn.Sequential(nn.utils.spectral_norm(nn.Linear(16, 8))),
        ["0.weight_orig"],
        r'remove_spectral_norm\(module, "weight"\)',
    ),
    "weight norm": (
        lambda: nn.Sequential(nn.utils.weight_norm(nn.Linear(16, 8))),
        ["0.weight_g", "0.weight_v"],
        r'remove_weight_norm\(module, "weight"\)',
    ),
    "parametrized": (
        lambda: nn.Sequential(nn.utils.parametrizations.orthogonal(nn.Linear(16, 8))),
        ["0.parametrizations.weight.original"],
        "parametrized: .*remove_parametrizations",
    ),
    "compressed-tensors": (
        packed_as([("weight_packed", (8, 2)), ("weight_scale", (8, 1))]),
        ["0.weight_packed", "0.weight_scale"],
        "compressed-tensors: decompress it first",
    ),
    "GPTQ": (packed_as([], [("qweight", (2, 8))]), ["0.qweight"], "GPTQ .*dequantize"),
    "HQQ": (packed_as([("W_q", (8, 8))]), ["0.W_q"], "HQQ: dequantize"),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("make, names, reason", CONVERTIBLE.values(), ids=CONVERTIBLE)
def test_weights_in_another_form_are_named(make, names, reason):
    model = make()
    with pytest.raises(nm.PatternError, match=f"nothing is left to prune: .*{reason}"):
        nm.prune(model, 2, 4)
    model.append(nn.Linear(8, 8))
    report = nm.prune(model, 2, 4)
    assert [layer.name for layer in report.layers] == [f"{len(model) - 1}.weight"]
    assert [other.name for other in report.others] == names
    assert report.others[0].convertible


def test_reference_modules_of_torch_have_plain_weights():
    report = nm.prune(nn.Sequential(torch.ao.nn.quantized.reference.Linear(16, 8)), 2, 4)
    assert [layer.name for layer in report.pruned] == ["0.weight"] and not report.others


def test_a_mask_of_torch_survives_its_removal():
    torch.manual_seed(5)
    layer = nn.Linear(16, 8)
    mask = torch.tensor([0.0, 1, 1, 0]).repeat(8, 4)
    torch_prune.custom_from_mask(layer, "weight", mask)
    torch_prune.remove(layer, "weight")
    before = layer.weight.detach().clone()
    nm.prune(layer, 2, 4)
    assert torch.equal(layer.weight, before)
    assert torch.equal(layer.weight != 0, mask.bool())


class Low(nn.Module):
    """peft's names: the base layer, and adapters by name, with DoRA's magnitudes."""

    def __init__(self):
        super().__init__()
        self.base_layer = nn.Linear(16, 16)
        self.lora_A = nn.ModuleDict({"default": nn.Linear(16, 8, bias=False)})
        self.lora_B = nn.ModuleDict({"default": nn.Linear(8, 16, bias=False)})
        self.lora_embedding_A = nn.ParameterDict({"default": torch.ones(8, 16)})
        magnitude = nn.Module()
        magnitude.weight = nn.Parameter(torch.ones(1, 16, 1, 1))
        self.lora_magnitude_vector = nn.ModuleDict({"default": magnitude})


class Plain(nn.Module):
    """torchtune's, kohya's and loralib's names."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(16, 16))
        self.lora_a, self.lora_down = nn.Linear(16, 8), nn.Linear(16, 8)
        self.lora_B = nn.Parameter(torch.ones(16, 8))
        self.lora = nn.Sequential(nn.Linear(16, 8))


def test_lora_adapters_stay_dense():
    model = nn.ModuleDict({"low": Low(), "plain": Plain(), "head": nn.Linear(16, 8)})
    report = nm.prune(model, 2, 4)
    assert [layer.name for layer in report.pruned] == ["low.base_layer.weight", "head.weight"]
    dense = {layer.name: layer.reason for layer in report.layers if not layer.pruned}
    assert set(dense) == {
        "low.lora_A.default.weight",
        "low.lora_B.default.weight",
        "plain.lora_a.weight",
        "plain.lora_down.weight",
        "plain.lora.0.weight",
    }
    assert set(dense.values()) == {"a LoRA adapter: merge it to prune it with its layer"}
    others = {other.name: other.reason for other in report.others}
    assert others == {
        "low.lora_embedding_A.default": "a LoRA adapter",
        "low.lora_magnitude_vector.default.weight": "a LoRA adapter",
        "plain.weight": "a parameter of Plain, which may use it in any way",
        "plain.lora_B": "a LoRA adapter",
    }
    assert bool((model["low"].lora_A["default"].weight != 0).all())
    pruned = nm.prune(model, 2, 4, adapters="prune").pruned
    assert "low.lora_A.default.weight" in [layer.name for layer in pruned]
    with pytest.raises(nm.PatternError, match='adapters: expected "prune" or "skip"'):
        nm.prune(model, 2, 4, adapters=True)


def test_a_model_within_a_module_called_lora_is_pruned():
    model = nn.ModuleDict({"lora": nn.ModuleDict({"model": nn.Sequential(Low())})})
    pruned = nm.prune(model, 2, 4).pruned
    assert [layer.name for layer in pruned] == ["lora.model.0.base_layer.weight"]


def test_the_base_layer_of_a_module_called_lora_is_pruned():
    model = nn.ModuleDict({"lora_fc": nn.ModuleDict({"base_layer": nn.Linear(16, 8)})})
    pruned = nm.prune(model, 2, 4).pruned
    assert [layer.name for layer in pruned] == ["lora_fc.base_layer.weight"]
