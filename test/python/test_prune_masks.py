"""nm.prune by scores and by masks, and nm.Masks, which keep what was chosen."""

import copy
import pickle

import nm
import pytest
from conftest import need
from test_pruning import kept_units

need("torch")

import torch  # noqa: E402
from torch import nn  # noqa: E402

PATTERN = nm.Pattern(2, 4)
NAN, INF = float("nan"), float("inf")


def random(*shape, seed=11):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def two_layers():
    torch.manual_seed(13)
    return nn.Sequential(nn.Linear(16, 12), nn.Linear(12, 8))


def assert_unchanged(model, before):
    for name, value in model.state_dict().items():
        assert torch.equal(value, before[name])


def as_function(scores):
    return lambda name, parameter: scores.get(name)


@pytest.mark.parametrize("give", [dict, as_function], ids=["mapping", "function"])
def test_scores_decide_instead_of_magnitudes(give):
    model = two_layers()
    before = copy.deepcopy(model)
    report = nm.prune(model, 2, 4, scores=give({"0.weight": -before[0].weight.abs()}))
    # The smallest stay in the first layer, the largest in the second.
    for layer, was, sign in zip(model, before, (-1, 1)):
        magnitudes = sign * was.weight.detach().abs().unflatten(1, (-1, 4))
        best = magnitudes.sort(2, descending=True).indices[..., :2]
        kept = torch.zeros(magnitudes.shape, dtype=torch.bool).scatter_(2, best, True)
        assert torch.equal(layer.weight != 0, kept.flatten(1))
    assert len(report.pruned) == 2


def test_scores_as_of_wanda():
    layer = nn.Linear(4, 2, bias=False)
    layer.weight.data = torch.tensor([[1.0, 2, 3, 4], [4, 3, 2, 1]])
    inputs = torch.tensor([[9.0, 0, 0, 1], [9, 1, 1, 1]])
    norms = inputs.norm(dim=0)
    nm.prune(layer, 1, 2, scores=lambda name, weight: weight.abs() * norms)
    assert layer.weight.tolist() == [[1, 0, 0, 4], [4, 0, 2, 0]]


@pytest.mark.parametrize("dtype", [torch.int64, torch.uint8, torch.bool, torch.float16])
def test_scores_of_a_unit_are_summed_in_any_type(dtype):
    layer = nn.Linear(4, 2, bias=False)
    layer.weight.data[:] = 1
    scores = torch.tensor([[1, 1, 0, 0], [0, 1, 1, 0]]).to(dtype)
    nm.prune(layer, 1, 2, (1, 2), scores={"weight": scores})
    assert layer.weight.tolist() == [[0, 1, 1, 0], [0, 1, 1, 0]]
    large = (1 << 40) + torch.tensor([[0, 1, 3, 2], [1, 0, 0, 1]])
    layer.weight.data[:] = 1
    nm.prune(layer, 1, 2, scores={"weight": large})
    assert layer.weight.tolist() == [[0, 1, 1, 0], [1, 0, 0, 1]]


def test_infinite_scores_decide():
    layer = nn.Linear(7, 1, bias=False)
    layer.weight.data[:] = 1
    scores = torch.tensor([[1, INF, -INF, 2, -INF, -INF, -INF]])
    nm.prune(layer, 1, 4, scores={"weight": scores})
    assert layer.weight.tolist() == [[0, 1, 0, 0, 1, 0, 0]]


class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.is_transposed = True
        self.stack = nn.Parameter(random(3, 8, 12))


FORMS = {
    "transposed experts": (Experts, "stack"),
    "1x1 convolution": (lambda: nn.Conv2d(8, 8, 1, bias=False), "weight"),
}


@pytest.mark.parametrize("make, name", FORMS.values(), ids=FORMS)
def test_scores_and_masks_have_the_parameters_shape(make, name):
    scores = random(*make().get_parameter(name).shape)
    by_scores, by_mask = make(), make()
    by_mask.load_state_dict(by_scores.state_dict())
    report = nm.prune(by_scores, 1, 4, scores={name: scores})
    assert report.masks[name].shape == scores.shape
    nm.prune(by_mask, 1, 4, masks=report.masks)
    assert torch.equal(by_mask.get_parameter(name), by_scores.get_parameter(name))
    assert torch.equal(by_mask.get_parameter(name) != 0, report.masks[name])


def test_a_mask_is_applied_as_it_is():
    layer = nn.Linear(7, 2, bias=False)
    layer.weight.data[:] = 1
    layer.weight.data[0, 0] = 0
    mask = torch.tensor([[1, 0, 0, 0, 1, 1, 0], [0, 0, 0, 0, 0, 0, 1]]).bool()
    report = nm.prune(layer, 2, 4, masks={"weight": mask})
    assert layer.weight.tolist() == [[0, 0, 0, 0, 1, 1, 0], [0, 0, 0, 0, 0, 0, 1]]
    # A kept element that is zero stays kept.
    assert torch.equal(report.masks["weight"], mask)


@pytest.mark.parametrize(
    "pattern, place, message",
    [
        (PATTERN, (slice(5, 6), slice(12, 15)), r"got 3 at n = 5, k = 12 to 15"),
        (nm.Pattern(2, 5), (slice(2, 3), slice(15, 18)), r"got 3 at n = 2, k = 15 to 17"),
        (nm.Pattern(1, 2, (2, 4)), (4, slice(0, 4)), r"got 2 at n = 4 to 7, k = 0 to 3"),
        (nm.Pattern(3, None), (7, slice(6, 10)), r"got 4 at n = 7, k = 0 to 17"),
    ],
    ids=str,
)
def test_a_mask_that_holds_no_pattern_is_refused(pattern, place, message):
    mask = torch.zeros(12, 18, dtype=torch.bool)
    mask[place] = True
    model = nn.Sequential(nn.Linear(18, 18), nn.Linear(18, 12))
    before = copy.deepcopy(model.state_dict())
    with pytest.raises(nm.PatternError, match=rf"masks: 1\.weight: expected .*{message}"):
        nm.prune(model, pattern.keep, pattern.window, pattern.unit, masks={"1.weight": mask})
    assert_unchanged(model, before)


def test_the_expert_of_a_mask_is_named():
    mask = torch.zeros(3, 8, 12, dtype=torch.bool)
    mask[2, 4:6, 10] = True
    with pytest.raises(nm.PatternError, match="got 2 of expert 2 at n = 10, k = 4 to 7"):
        nm.prune(Experts(), 1, 4, masks={"stack": mask})


def ones(*shape, **options):
    return torch.ones(shape, **options)


def with_value(value, *places):
    scores = ones(8, 12)
    for place in places:
        scores[place] = value
    return scores


REFUSED = {
    "no weight": ({"2.weight": ones(8, 12)}, "'2.weight' names no weight.*'[01].weight'"),
    "a module": ({"1": ones(8, 12)}, "'1' names no weight; the closest is '1.weight'"),
    "shape": ({"1.weight": ones(12, 8)}, r"shape \(8, 12\), got \(12, 8\)"),
    "one a row": ({"1.weight": ones(8, 1)}, r"shape \(8, 12\), got \(8, 1\)"),
    "a list": ({"1.weight": [[1]]}, "got list; make it a torch.Tensor"),
    "none": ({"1.weight": ones(8, 12, device="meta")}, "on meta; make it a dense one"),
    "sparse": ({"1.weight": ones(8, 12).to_sparse()}, "of layout torch.sparse_coo"),
    "complex": ({"1.weight": ones(8, 12).to(torch.complex64)}, "got torch.complex64"),
    "fp8": ({"1.weight": ones(8, 12).to(torch.float8_e4m3fn)}, r"float8_e4m3fn; .*float\(\)"),
    "nan": ({"1.weight": with_value(NAN, (3, 5), (4, 1))}, r"got NaN at \(3, 5\)"),
    "no mapping": ([ones(8, 12)], "expected a mapping .* got list"),
    "a function's": (lambda name, weight: weight[:2], r"0\.weight: .* got \(2, 16\)"),
}


@pytest.mark.parametrize("scores, message", REFUSED.values(), ids=REFUSED)
def test_scores_that_are_refused(scores, message):
    model = two_layers()
    before = copy.deepcopy(model.state_dict())
    with pytest.raises(nm.PatternError, match=f"^scores: .*{message}"):
        nm.prune(model, 2, 4, scores=scores)
    assert_unchanged(model, before)


def test_opposite_infinities_in_a_unit_are_refused():
    scores = with_value(INF, (2, 5))
    scores[3, 4] = -INF
    message = "scores: 1.weight: the unit at n = 2, k = 4 has both inf and -inf"
    with pytest.raises(nm.PatternError, match=message):
        nm.prune(two_layers(), 1, 2, (2, 2), scores={"1.weight": scores})


MASK = torch.tensor([True, False, True, False]).repeat(8, 3)
REFUSED_MASKS = {
    "no weight": ({"0.bias": MASK}, {}, "'0.bias' names no weight"),
    "numbers": ({"1.weight": MASK.float()}, {}, r"got torch.float32; .*mask != 0"),
    "shape": ({"1.weight": MASK.t()}, {}, r"shape \(8, 12\), got \(12, 8\)"),
    "no mapping": (MASK, {}, "expected a mapping .*got Tensor"),
    "skipped": ({"1.weight": MASK}, {"skip": ["1"]}, "left dense: skipped; leave its"),
    "both": (
        {"1.weight": MASK},
        {"scores": {"1.weight": ones(8, 12)}},
        "1.weight: expected scores or a mask, got both",
    ),
}


@pytest.mark.parametrize("masks, options, message", REFUSED_MASKS.values(), ids=REFUSED_MASKS)
def test_masks_that_are_refused(masks, options, message):
    model = two_layers()
    before = copy.deepcopy(model.state_dict())
    with pytest.raises(nm.PatternError, match=message):
        nm.prune(model, 2, 4, masks=masks, **options)
    assert_unchanged(model, before)


def test_names_of_what_is_no_weight_say_why():
    model = nn.Sequential(nn.Embedding(8, 8), nn.Linear(8, 8))
    message = "scores: '0.weight' names no weight that prune considers: looked up"
    with pytest.raises(nm.PatternError, match=message):
        nm.prune(model, 2, 4, scores={"0.weight": ones(8, 8)})
    with pytest.raises(nm.PatternError, match="'a' names no weight, and the model has none"):
        nm.prune(nn.Embedding(8, 8), 2, 4, scores={"a": ones(8, 8)})


def test_a_function_gives_scores_where_no_mask_is():
    model = two_layers()
    asked = []

    def score(name, parameter):
        assert not torch.is_grad_enabled()
        asked.append((name, parameter))

    nm.prune(model, 2, 4, scores=score, masks={"1.weight": MASK})
    assert len(asked) == 1 and asked[0][0] == "0.weight"
    assert asked[0][1] is model[0].weight
    assert torch.equal(model[1].weight != 0, MASK)
    assert max(kept_units(model[0].weight.detach(), PATTERN)) == 2


@pytest.mark.parametrize("option", ["scores", "masks"])
def test_what_would_drop_nan_is_refused(option):
    model = two_layers()
    model[1].weight.data[2, 5] = NAN
    given = {"1.weight": MASK if option == "masks" else MASK.float()}
    message = r"1\.weight .* would drop nan at n = 2, k = 5: the scores or the mask given"
    with pytest.raises(nm.PatternError, match=message):
        nm.prune(model, 2, 4, **{option: given})


def test_tied_weights_have_one_entry():
    model = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 8))
    model[1].weight = model[0].weight
    scores = random(8, 8)
    nm.prune(model, 2, 4, scores={"1.weight": scores})
    kept = model[0].weight != 0
    report = nm.prune(model, 2, 4, scores={"0.weight": scores, "1.weight": scores.clone()})
    assert torch.equal(report.masks["1.weight"], kept)
    nm.prune(model, 2, 4, masks=report.masks)
    with pytest.raises(nm.PatternError, match=r"0\.weight and 1\.weight are one parameter"):
        nm.prune(model, 2, 4, scores={"0.weight": scores, "1.weight": -scores})
    nm.prune(model, 2, 4, scores={"1.weight": scores}, masks={})
    with pytest.raises(nm.PatternError, match="expected scores or a mask, got both"):
        nm.prune(model, 2, 4, scores={"1.weight": scores}, masks={"0.weight": kept})


@pytest.mark.parametrize("optimizer", ["step", "hook"])
def test_masks_keep_the_pattern_while_training(optimizer):
    model = two_layers()
    report = nm.prune(model, 2, 4, skip=["1"])
    masks = report.masks
    assert list(masks) == ["0.weight"] and len(masks) == 1
    assert repr(masks) == "<nm.Masks of 1 weights>"
    sgd = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    if optimizer == "hook":
        sgd.register_step_post_hook(lambda *_: masks.reapply(model))
    parameter = model[0].weight
    for _ in range(3):
        sgd.zero_grad()
        model(random(4, 16)).square().sum().backward()
        sgd.step()
        if optimizer == "step":
            assert bool((parameter[~masks["0.weight"]] != 0).any())
            masks.reapply(model)
        assert torch.equal(model[0].weight != 0, masks["0.weight"])
    assert model[0].weight is parameter and parameter.requires_grad
    assert bool((model[1].weight != 0).all())


def test_what_is_zero_and_kept_can_grow():
    layer = nn.Linear(8, 8)
    layer.weight.data[:] = 0
    masks = nm.prune(layer, 2, 4).masks
    layer.weight.data[:] = 1
    masks.reapply(layer)
    assert kept_units(layer.weight.detach(), PATTERN) == [2] * 16


def save_with_torch(masks, path):
    torch.save(masks.state_dict(), path)
    return torch.load(path, weights_only=True)


def save_with_safetensors(masks, path):
    need("safetensors")
    import safetensors.torch as files

    files.save_file(masks.state_dict(), path)
    return files.load_file(path)


def save_whole(masks, path):
    path.write_bytes(pickle.dumps(masks))
    return pickle.loads(path.read_bytes())


@pytest.mark.parametrize("save", [save_with_torch, save_with_safetensors, save_whole])
def test_masks_can_be_saved(save, tmp_path):
    model = nn.Sequential(nn.Linear(15, 12), nn.Linear(12, 9))  # no multiples of eight
    report = nm.prune(model, 3, 5)
    state = save(report.masks, tmp_path / "masks")
    loaded = nm.Masks()
    loaded.load_state_dict(state)
    for masks in (nm.Masks(state), loaded, copy.deepcopy(report.masks)):
        assert list(masks) == list(report.masks)
        for name, mask in masks.items():
            assert mask.dtype == torch.bool
            assert torch.equal(mask, report.masks[name])
    model[0].weight.data += 1
    loaded.reapply(model)
    assert torch.equal(model[0].weight != 0, loaded["0.weight"])
    nm.prune(model, 3, 5, masks=loaded)


def test_masks_are_bits_until_asked_for():
    masks = nm.prune(nn.Linear(64, 64), 2, 4).masks
    assert sum(bits.nbytes for bits in masks._bits.values()) == 64 * 64 // 8
    assert "weight" in masks and "bias" not in masks


WRONG_MASKS = {
    "no mapping": ([MASK], "expected a mapping .* got list"),
    "numbers": ({"a": MASK.float()}, "a: expected a bool tensor, .* got torch.float32"),
    "no tensor": ({"a": [True]}, "a: expected a bool tensor, .* got list"),
    "sparse": ({"a": MASK.to_sparse()}, ".*got Tensor of layout torch.sparse_coo on cpu"),
    "meta": ({"a": MASK.to("meta")}, ".*on meta; make it a dense one"),
}


@pytest.mark.parametrize("state, message", WRONG_MASKS.values(), ids=WRONG_MASKS)
def test_what_is_no_mask_is_refused(state, message):
    masks = nm.Masks({"1.weight": MASK})
    for load in (nm.Masks, masks.load_state_dict):
        with pytest.raises(nm.PatternError, match=f"^masks: {message}"):
            load(state)
    assert torch.equal(masks["1.weight"], MASK)


OTHER_MODELS = {
    "wrapped": (lambda model: nn.ModuleDict({"module": model}), "is no parameter of ModuleDi"),
    "shape": (lambda model: nn.Sequential(nn.Linear(8, 8)), r".*shape \(12, 16\), got \(8, 8\)"),
    "meta": (lambda model: model.to("meta"), "is on the meta device"),
    "fp8": (lambda model: model.to(torch.float8_e4m3fn), "holds float8_e4m3fn"),
}


@pytest.mark.parametrize("change, message", OTHER_MODELS.values(), ids=OTHER_MODELS)
def test_masks_of_another_model_are_refused(change, message):
    model = two_layers()
    masks = nm.prune(model, 2, 4).masks
    changed = change(model)
    before = copy.deepcopy(changed.state_dict())
    with pytest.raises(nm.PatternError, match=f"^masks: 0.weight.*{message}"):
        masks.reapply(changed)
    for name, value in changed.state_dict().items():
        assert value.is_meta or torch.equal(value.float(), before[name].float())


def test_reports_compare_without_masks():
    model = two_layers()
    nm.prune(model, 2, 4)
    one, two = nm.prune(model, 2, 4), nm.prune(model, 2, 4)
    assert one == two and "masks" not in repr(one)
