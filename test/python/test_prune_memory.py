"""nm.prune and memory: weights that share it, that the zeros are where the model reads
them, and that weights which hold the pattern stay."""

import nm
import pytest
from conftest import need
from test_pruning import kept_units

need("torch")

import torch  # noqa: E402
from nm.pruning.overlaps import find_sharing, overlaps_itself  # noqa: E402
from test_prune_inputs import PATTERN, linear_of, random  # noqa: E402
from torch import nn  # noqa: E402


@pytest.mark.parametrize(
    "weight",
    [
        torch.ones(8, 1).expand(8, 16),
        torch.ones(40).as_strided((8, 16), (2, 1)),
    ],
    ids=["expanded", "unfolded"],
)
def test_a_weight_that_overlaps_itself_is_refused(weight):
    model = nn.Sequential(linear_of(weight), nn.Linear(8, 8))
    with pytest.raises(nm.PatternError, match=r"0\.weight .*overlaps itself: .*clone"):
        nm.prune(model, 2, 4)
    assert bool((weight != 0).all())
    assert [layer.name for layer in nm.prune(model, 2, 4, skip=["0"]).pruned] == ["1.weight"]


@pytest.mark.parametrize("split", [0, 1], ids=["rows", "columns"])
def test_disjoint_parts_of_one_tensor_are_pruned(split):
    fused = random(32, 32)
    parts = fused.chunk(2, split)
    model = nn.Sequential(*[linear_of(part) for part in parts])
    assert len(nm.prune(model, 2, 4).pruned) == 2
    assert kept_units(fused, PATTERN) == [2] * 256
    if split:
        # The same as a parameter of its own: who reads it is not known.
        model.register_parameter("fused", nn.Parameter(fused))
        reasons = [layer.reason for layer in nm.prune(model, 1, 4).layers]
        assert reasons == ["shares memory with fused"] * 2


def test_parts_that_overlap_are_refused():
    fused = random(32, 16)
    model = nn.Sequential(linear_of(fused[:20]), linear_of(fused[12:]))
    before = fused.clone()
    with pytest.raises(nm.PatternError, match=r"0\.weight .* and 1\.weight .*share memory"):
        nm.prune(model, 2, 4)
    transposed = nn.Sequential(linear_of(fused), linear_of(fused.t()))
    with pytest.raises(nm.PatternError, match="what is pruned in one changes the other"):
        nm.prune(transposed, 2, 4)
    report = nm.prune(model, 2, 4, skip=["0"])
    assert [layer.reason for layer in report.layers] == [
        "skipped",
        "shares memory with 0.weight, which stays dense",
    ]
    assert torch.equal(fused, before)


def test_tied_weights_are_pruned_as_one():
    model = nn.Sequential(nn.Linear(16, 16), nn.Linear(16, 16), nn.Linear(16, 16))
    model[1].weight = model[0].weight
    model[2].weight.data = model[0].weight.data
    report = nm.prune(model, 2, 4)
    assert [layer.zeros for layer in report.pruned] == [0.5] * 3
    assert torch.equal(report.masks["0.weight"], report.masks["2.weight"])
    assert not nm.prune(model, 1, 4, skip=["2"]).pruned


@pytest.mark.parametrize(
    "size, step, expected",
    [
        ((4, 4), (4, 1), False),
        ((4, 4), (1, 4), False),
        ((2, 2), (3, 2), False),
        ((3, 3), (3, 2), False),
        ((3, 4), (3, 2), True),
        ((4, 4), (2, 1), True),
        ((4, 1), (1, 0), False),
        ((4, 2), (1, 0), True),
    ],
)
def test_overlaps_are_those_of_the_places(size, step, expected):
    assert overlaps_itself(torch.zeros(40).as_strided(size, step)) == expected


def test_sharing_is_that_of_the_bytes():
    memory = torch.zeros(64)
    parts = [
        memory[:16],
        memory[16:32].view(4, 4)[:, :2],
        memory[16:32].view(4, 4)[:, 2:],
        memory[16:32].view(torch.float16)[::2],
        memory[:33:32],
        memory[48:48],
        torch.zeros(64),
        memory[40:41].expand(4),
        memory[32:48],
    ]
    assert sorted(find_sharing(parts)) == [(0, 4), (1, 3), (2, 3), (4, 8), (7, 8)]


class Computed(nn.Linear):
    """A linear layer that multiplies with something else than its parameter."""

    @property
    def weight(self):
        return self._parameters["weight"] + 1


class Listed(nn.Linear):
    @property
    def weight(self):
        return [self._parameters["weight"]]


def make_shadowed(layer):
    layer.__dict__["weight"] = layer._parameters["weight"].detach().clone()


@pytest.mark.parametrize(
    "change, reason",
    [
        (lambda layer: setattr(layer, "__class__", Computed), "has 64 non-zeros where"),
        (lambda layer: setattr(layer, "__class__", Listed), "is no tensor of its shape"),
        (make_shadowed, "has 64 non-zeros where"),
    ],
    ids=["computed", "a list", "shadowed"],
)
def test_zeros_that_the_module_does_not_read_are_an_error(change, reason):
    torch.manual_seed(7)
    layer = nn.Linear(16, 8)
    change(layer)
    with pytest.raises(nm.PatternError, match=rf'0\.weight: .*"weight" {reason}.*load it ag'):
        nm.prune(nn.Sequential(layer), 2, 4)


def test_zeros_are_counted_in_the_model():
    model = nn.Sequential(nn.Linear(16, 8), nn.Linear(8, 8))
    model[1].weight.data[:] = 0
    layers = nm.prune(model, 1, 4, skip=["1"]).layers
    assert [layer.zeros for layer in layers] == [0.75, 1]
    assert float((model[0].weight == 0).double().mean()) == 0.75


@pytest.mark.parametrize("inside", [False, True])
def test_inference_tensors_are_pruned(inside):
    with torch.inference_mode():
        made = nn.Linear(16, 8)
    model = nn.Sequential(made, nn.Linear(8, 8))
    with torch.inference_mode(inside):
        nm.prune(model, 2, 4)
    for layer in model:
        assert set(kept_units(layer.weight.detach(), PATTERN)) == {2}


def checkpoint(pattern, seed):
    """A weight that was pruned by another criterion: at random, small ones kept."""
    chance = torch.rand((24, 48), generator=torch.Generator().manual_seed(seed))
    layer = nn.Linear(48, 24)
    layer.weight.data = random(24, 48)
    nm.prune(layer, pattern.keep, pattern.window, pattern.unit, scores={"weight": chance})
    return layer


@pytest.mark.parametrize(
    "pattern", [PATTERN, nm.Pattern(4, 16, (1, 8)), nm.Pattern(5, None), nm.Pattern(2, 5)], ids=str
)
def test_weights_that_hold_the_pattern_stay(pattern):
    layer = checkpoint(pattern, 9)
    layer.weight.data[3, ::7] = 0  # fewer than the pattern allows
    before = layer.weight.detach().clone()
    for _ in range(2):
        nm.prune(layer, pattern.keep, pattern.window, pattern.unit)
        assert torch.equal(layer.weight, before)
    twice = nn.Linear(48, 24)
    nm.prune(twice, pattern.keep, pattern.window, pattern.unit)
    once = twice.weight.detach().clone()
    nm.prune(twice, pattern.keep, pattern.window, pattern.unit)
    assert torch.equal(twice.weight, once)


def test_embeddings_that_share_memory_with_each_other():
    class Tied(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.encoder, self.decoder = (torch.nn.Embedding(8, 16) for _ in range(2))
            self.decoder.weight = torch.nn.Parameter(self.encoder.weight.data)
            self.layer = torch.nn.Linear(16, 8)

    assert [one.name for one in nm.prune(Tied(), 2, 4).pruned] == ["layer.weight"]
