"""nm.prune: which weights, which places, and what is refused."""

import nm
import pytest
from conftest import need

need("torch")

import torch  # noqa: E402
from torch import nn  # noqa: E402


def kept_units(weight, pattern):
    """Non-zero units of each window, by plain loops over Spec.md's definition."""
    n, k = weight.shape
    rows, columns = pattern.unit
    units = -(-k // rows)
    window = pattern.units(k)
    counts = []
    for first_column in range(0, n, columns):
        for first in range(0, units, window):
            count = 0
            for unit in range(first, min(first + window, units)):
                block = weight[
                    first_column : first_column + columns,
                    unit * rows : (unit + 1) * rows,
                ]
                count += bool((block != 0).any())
            counts.append(count)
    return counts


@pytest.mark.parametrize(
    "pattern",
    [
        nm.Pattern(2, 4),
        nm.Pattern(3, 10),
        nm.Pattern(8, 32, (1, 16)),
        nm.Pattern(2, 4, (4, 4)),
        nm.Pattern(7, None),
    ],
    ids=str,
)
@pytest.mark.parametrize("n, k", [(64, 64), (33, 67)])
def test_every_window_keeps_exactly_n(pattern, n, k):
    torch.manual_seed(1)
    layer = nn.Linear(k, n)
    report = nm.prune(layer, pattern.keep, pattern.window, pattern.unit)
    counts = kept_units(layer.weight.detach(), pattern)
    assert max(counts) == pattern.keep
    full = k % (pattern.units(k) * pattern.unit[0]) == 0
    assert not full or min(counts) == pattern.keep
    assert [entry.name for entry in report.pruned] == ["weight"]


def test_the_largest_stay():
    layer = nn.Linear(8, 1, bias=False)
    layer.weight.data = torch.tensor([[1.0, -4, 3, 2, 5, 5, 5, 5]])
    nm.prune(layer, 2, 4)
    assert layer.weight.tolist() == [[0, -4, 3, 0, 5, 5, 0, 0]]


def test_a_partial_last_window_keeps_as_many():
    layer = nn.Linear(7, 1, bias=False)
    layer.weight.data = torch.tensor([[1.0, 2, 3, 4, 7, 6, 5]])
    nm.prune(layer, 2, 4)
    assert layer.weight.tolist() == [[0, 0, 3, 4, 7, 6, 0]]


def test_a_unit_counts_as_a_whole():
    layer = nn.Linear(2, 2, bias=False)
    layer.weight.data = torch.tensor([[9.0, 5], [0, 5]])  # columns sum to 9 and 10
    nm.prune(layer, 1, 2, (1, 2))
    assert layer.weight.tolist() == [[0, 5], [0, 5]]


def test_nan_and_infinities_stay():
    nan, inf = float("nan"), float("inf")
    layer = nn.Linear(8, 1, bias=False)
    layer.weight.data = torch.tensor([[1.0, nan, 3, 9, -inf, 5, nan, 5]])
    nm.prune(layer, 2, 4)
    torch.testing.assert_close(
        layer.weight.detach(),
        torch.tensor([[0, nan, 0, 9, -inf, 0, nan, 0]]),
        equal_nan=True,
    )


def test_more_nan_than_places_is_refused_and_nothing_changed():
    model = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 8))
    model[1].weight.data[3, 5:7] = float("nan")
    before = model[0].weight.clone()
    message = (
        r"1\.weight of shape n x k = 8x8: 1:4 would drop nan at n = 3, k = 6: its "
        r'window has more .* than the 1 to keep; .*skip=\["1\.weight"\]'
    )
    with pytest.raises(nm.PatternError, match=message):
        nm.prune(model, 1, 4)
    assert torch.equal(model[0].weight, before)
    assert nm.prune(model, 1, 4, skip=["1"]).layers[1].reason == "skipped"
    nm.prune(model, 2, 4)
    assert model[1].weight.isnan().sum() == 2


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_types_stay(dtype):
    layer = nn.Linear(8, 8).to(dtype)
    nm.prune(layer, 1, 4)
    assert layer.weight.dtype == dtype
    assert (layer.weight != 0).sum() == 16


def test_layers_of_torch_nn():
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.attention = nn.MultiheadAttention(16, 2)
            self.cell = nn.LSTMCell(16, 16)
            self.pointwise = nn.Conv2d(16, 16, 1)
            self.convolution = nn.Conv2d(16, 16, 3)
            self.embedding = nn.Embedding(8, 16)
            self.head = nn.Linear(16, 8)
            self.head.weight = self.embedding.weight

    model = Model()
    report = nm.prune(model, 2, 4)
    assert [layer.name for layer in report.pruned] == [
        "attention.in_proj_weight",
        "attention.out_proj.weight",
        "cell.weight_ih",
        "cell.weight_hh",
        "pointwise.weight",
    ]
    assert [layer.reason for layer in report.layers if not layer.pruned] == [
        "shared with embedding.weight"
    ]
    assert bool((model.embedding.weight != 0).all())
    assert bool((model.convolution.weight != 0).all())


def test_experts_and_transposed_weights():
    class Experts(nn.Module):
        def __init__(self, is_transposed):
            super().__init__()
            self.is_transposed = is_transposed
            self.stack = nn.Parameter(torch.randn(3, 8, 12))

    report = nm.prune(Experts(False), 1, 4)
    layer = report.layers[0]
    assert (layer.copies, layer.n, layer.k) == (3, 8, 12)
    transposed = Experts(True)
    nm.prune(transposed, 1, 4)
    for expert in transposed.stack.detach():
        assert set(kept_units(expert.t(), nm.Pattern(1, 4))) == {1}


def test_skip_takes_modules_and_globs():
    model = nn.Sequential(nn.Linear(8, 8), nn.Sequential(nn.Linear(8, 8)))
    assert [e.name for e in nm.prune(model, 2, 4, skip=["1"]).pruned] == ["0.weight"]
    assert not nm.prune(model, 2, 4, skip=["*.weight"]).pruned
    with pytest.raises(nm.PatternError, match="'head' names no weight; .*0.weight"):
        nm.prune(model, 2, 4, skip=["head"])


def test_skip_is_a_list():
    with pytest.raises(nm.PatternError, match="skip: expected a list .* got 'head'"):
        nm.prune(nn.Linear(8, 8), 2, 4, skip="head")


def test_what_does_not_fit_is_named_and_nothing_changed():
    model = nn.Sequential(nn.Linear(64, 64), nn.Linear(64, 10))
    before = model[0].weight.clone()
    message = (
        r"1\.weight of shape n x k = 10x64: 8:32, unit = 1x16 does not fit: "
        r'a unit of 1x16 is larger .*skip=\["1\.weight"\]'
    )
    with pytest.raises(nm.PatternError, match=message):
        nm.prune(model, 8, 32, (1, 16))
    assert torch.equal(model[0].weight, before)


def test_the_report_is_a_table():
    model = nn.Sequential(nn.Linear(8, 4), nn.Linear(4, 3))
    assert str(nm.prune(model, 1, 4, skip=["1"])).splitlines() == [
        "layer     module  n x k  zeros  done",
        "0.weight  Linear  4x8    75.0%  pruned",
        "1.weight  Linear  3x4    0.0%   left dense: skipped",
        "1 of 2 weights pruned to 1:4",
    ]


def test_misfits_are_skipped_when_asked():
    model = nn.Sequential(nn.Linear(64, 64), nn.Linear(64, 10))
    before = model[1].weight.clone()
    report = nm.prune(model, 8, 32, (1, 16), misfits="skip")
    assert [layer.name for layer in report.pruned] == ["0.weight"]
    assert report.layers[1].reason == (
        "does not fit: a unit of 1x16 is larger than the weight"
    )
    assert torch.equal(model[1].weight, before)
    with pytest.raises(nm.PatternError, match='misfits="skip"'):
        nm.prune(model, 8, 32, (1, 16))
    with pytest.raises(nm.PatternError, match='expected "refuse" or "skip", got True'):
        nm.prune(model, 8, 32, misfits=True)


def test_what_was_not_considered():
    class Raw(nn.Module):
        def __init__(self):
            super().__init__()
            self.matrix = nn.Parameter(torch.randn(8, 8))
            self.bias = nn.Parameter(torch.randn(8))

    model = nn.Sequential(
        nn.Linear(8, 8),
        nn.Conv2d(8, 8, 3),
        nn.Conv1d(8, 8, 1, groups=2),
        nn.utils.parametrizations.weight_norm(nn.Linear(8, 8)),
        Raw(),
        nn.Embedding(8, 8),
        nn.LayerNorm(8),
    )
    before = {name: value.clone() for name, value in model.state_dict().items()}
    report = nm.prune(model, 2, 4)
    assert [layer.name for layer in report.layers] == ["0.weight"]
    others = {other.name: other for other in report.others}
    assert {name: other.reason.split(":")[0] for name, other in others.items()} == {
        "1.weight": "a convolution of 3x3 taps",
        "2.weight": "a convolution in 2 groups",
        "3.parametrizations.weight.original0": "parametrized",
        "3.parametrizations.weight.original1": "parametrized",
        "4.matrix": "a parameter of Raw, which may use it in any way",
        "5.weight": "looked up, not multiplied",
    }
    assert others["1.weight"].shape == (8, 8, 3, 3)
    for name, value in model.state_dict().items():
        assert name == "0.weight" or torch.equal(value, before[name])
    lines = str(report).splitlines()
    assert lines[2:5] == [
        "1 of 1 weights pruned to 2:4",
        "not considered:",
        "1.weight                             Conv2d               8x8x3x3  "
        "a convolution of 3x3 taps",
    ]
