"""Calls by the names of arguments, and results that have names, of programs and nm.run.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import copy
import pickle
import sys

import nm
import numpy as np
import pytest
from conftest import need
from nm.runtime.results import make_result_type, name_results

# a + b * c + d of rows; the arguments' names, and those of results, are filled in.
TEXT = """
#map = affine_map<(i) -> (i)>
func.func @forward(%a: tensor<2xf32> {{nm.name = "{0}"}}, %b: tensor<2xf32> {{nm.name = "{1}"}},
                   %c: tensor<2xf32> {{nm.name = "{2}"}})
    -> (tensor<2xf32> {{nm.name = "{3}"}}, tensor<2xf32> {{nm.name = "{4}"}}) {{
  %e = tensor.empty() : tensor<2xf32>
  %y = linalg.generic {{indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel"]}}
      ins(%a, %b, %c : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) {{
  ^bb0(%x: f32, %s: f32, %t: f32, %out: f32):
    %p = arith.mulf %s, %t : f32
    %r = arith.addf %x, %p : f32
    linalg.yield %r : f32
  }} -> tensor<2xf32>
  return %y, %a : tensor<2xf32>, tensor<2xf32>
}}
"""
STATE = """
func.func @count(%t: tensor<2xf32> {nm.name = "total", nm.state = dense<[1.0, 2.0]> : tensor<2xf32>},
                 %x: tensor<2xf32> {nm.name = "total"}, %s: tensor<2xf32> {nm.name = "state"})
    -> (tensor<2xf32> {nm.name = "total"}, tensor<2xf32> {nm.name = "y"}) {
  %n = linalg.add ins(%t, %x : tensor<2xf32>, tensor<2xf32>)
                  outs(%t : tensor<2xf32>) -> tensor<2xf32>
  %y = linalg.mul ins(%n, %s : tensor<2xf32>, tensor<2xf32>)
                  outs(%x : tensor<2xf32>) -> tensor<2xf32>
  return %n, %y : tensor<2xf32>, tensor<2xf32>
}
"""
A, B, C = (np.array(one, np.float32) for one in ([1, 2], [3, 4], [5, 6]))
LISTED = r"; it takes \(ids: 2xf32, mask: 2xf32, types: 2xf32\)$"


def make_module(*names):
    """A module whose text has the names; what nm.export makes says them as well."""
    return nm.Module(TEXT.format(*names), "forward", names[:3], names[3:])


@pytest.fixture(scope="module")
def module():
    return make_module("ids", "mask", "types", "hidden", "output1")


@pytest.fixture(scope="module")
def program(module):
    return nm.compile(module)


@pytest.fixture(params=["program", "cpu", "emulator", "text cpu", "text emulator", "file"])
def call(request, module, program, tmp_path):
    """A way to call the module: all take arguments alike."""
    if request.param == "program":
        return program
    device = request.param.split()[-1]
    given = nm.Module(module.text) if "text" in request.param else module
    if request.param == "file":
        given, device = module.save(tmp_path / "module.mlir"), "auto"
    return lambda *inputs, **named: nm.run(given, *inputs, device=device, **named)


def test_arguments_by_name_and_by_position(call):
    for results in (
        call(A, B, C),
        call(A, B, types=C),
        call(A, types=C, mask=B),
        call(types=C, mask=B, ids=A),
        call(**{"types": C, "ids": A, "mask": B}),
    ):
        np.testing.assert_array_equal(results[0], A + B * C)


@pytest.mark.parametrize(
    "inputs, named, message",
    [
        ((A,), {"types": C}, r"forward\(\) is missing 1 argument: 'mask'"),
        ((), {"types": C}, r"forward\(\) is missing 2 arguments: 'ids', 'mask'"),
        ((A,), {"ids": A, "mask": B, "types": C}, r"got multiple values for argument 'ids'"),
        ((A,), {"masks": B}, r"got an unexpected keyword argument 'masks': did you mean 'mask'\?"),
        ((A, B, C), {"q_9": C}, r"forward\(\) got an unexpected keyword argument 'q_9'"),
        ((A, B, C, C), {"mask": B}, "forward: expected 3 arguments, got 4"),
    ],
)
def test_errors_are_as_of_python(call, inputs, named, message):
    for error in (nm.ArgumentError, nm.Error, TypeError):
        with pytest.raises(error, match=f"{message}"):
            call(*inputs, **named)


def test_errors_list_the_arguments(program):
    for inputs, named in [((A,), {}), ((), {}), ((A, B, C, C), {}), ((), {"x": A})]:
        with pytest.raises(nm.ArgumentError, match=LISTED):
            program(*inputs, **named)
    with pytest.raises(nm.ProgramError, match=r"^argument #1 of forward \(mask\): expected ext"):
        program(types=C, mask=B[:1], ids=A)


def test_keywords_of_the_call_keep_their_meaning(program):
    results = program(A, types=C, mask=B, device="emulator", function="forward", state=())
    np.testing.assert_array_equal(results.hidden, A + B * C)
    with pytest.raises(nm.Error, match="expected function= of one of forward, got other"):
        program(A, B, C, function="other")


def test_an_argument_called_like_a_keyword_is_given_by_position():
    named = make_module("function", "device", "state", "self", "count")
    program = nm.compile(named)
    for results in (program(A, B, C), program(A, B, C, device="emulator")):
        np.testing.assert_array_equal(results.self, A + B * C)
    for keywords, message in [
        ({"device": B, "state": C}, "^device= .* own keyword, got a ndarray: .*'device' by position"),
        ({"function": A}, "^function= is the call's own keyword, .*'function' by position"),
        ({"state": C}, "missing 2 arguments: 'device', 'state'; pass 'device' by position, for"),
        ({"device": "emulator"}, "missing 2 arguments: 'device', 'state'; pass 'device' by pos"),
    ]:
        with pytest.raises(nm.ArgumentError, match=message):
            program(A, **keywords)
    # `function` is no keyword of nm.run, nor are `self` and `module`, given by position.
    results = nm.run(make_module("self", "module", "function", "x", "y"), device="cpu",
                     self=A, function=C, module=B)
    np.testing.assert_array_equal(results.x, A + B * C)
    with pytest.raises(nm.ArgumentError, match="'state'; pass 'state' by position"):
        nm.run(named, A, B, state=[C], device="cpu")
    for device in ("cpu", "emulator"):
        with pytest.raises(nm.Error, match="got 2 values; an argument called 'state' is given by"):
            nm.run(nm.Module(named.text), A, B, state=C, device=device)
        with pytest.raises(nm.ArgumentError, match="^entry= is the call's own keyword"):
            nm.run(named, A, B, entry=C, device=device)


def test_names_that_are_missing_or_there_twice():
    program = nm.compile(make_module("x", "x", "", "", "a.b"))
    np.testing.assert_array_equal(program(A, B, C)[0], A + B * C)
    with pytest.raises(nm.ArgumentError, match="has 2 arguments called 'x': pass them by pos"):
        program(x=A)
    with pytest.raises(nm.ArgumentError, match="is missing 1 argument: #2"):
        program(A, B)
    assert program(A, B, C)._fields == ("_0", "_1")
    program = nm.compile(nm.Module(TEXT.format("", "", "", "", "")))
    with pytest.raises(nm.ArgumentError, match="its arguments have no names, pass them by pos"):
        program(x=A)


def test_state_is_given_together():
    program = nm.compile(nm.Module(STATE))
    # The name of the state is that of another argument here, which it means.
    for results in (program(A, B), program(A, B, state=[np.array([1, 2], np.float32)])):
        assert results.total.tolist() == [2, 4] and results.y.tolist() == [6, 16]
    with pytest.raises(nm.ArgumentError, match="'state'; pass 'state' by position"):
        program(total=A, state=B)
    program = nm.compile(nm.Module(STATE.replace('"total"}, %s', '"x"}, %s')))
    assert program(A, B)._fields == ("total", "y")
    with pytest.raises(nm.ArgumentError, match=r"takes 'total' as state: .*state=\[total\]"):
        program(A, B, total=A)
    with pytest.raises(nm.ArgumentError, match="missing 1 argument: 'state'"):
        program(x=A)


def test_results_are_tuples_with_names(program, module):
    results = program(A, B, C)
    assert isinstance(results, tuple) and results._fields == ("hidden", "output1")
    assert results.hidden is results[0] and results._asdict()["output1"] is results[-1]
    hidden, same = results
    assert results == (hidden, same) and type(results[:1]) is tuple and len(results) == 2
    assert type(results) is type(program(C, B, A)), "one class for each function"
    # A module that says nothing of its interface, but in its text, is as one that does.
    for given in (module, nm.Module(module.text)):
        for device in ("cpu", "emulator"):
            assert nm.run(given, A, B, C, device=device)._fields == results._fields
    for again in (pickle.loads(pickle.dumps(results)), copy.deepcopy(results), copy.copy(results)):
        assert type(again) is type(results)
        np.testing.assert_array_equal(again.hidden, hidden)


def test_names_of_results():
    names = ("count", "class", "_x", "a.b", "count", "é")
    assert make_result_type(names)._fields == ("count", "_1", "_2", "_3", "_4", "é")
    assert name_results((), "ab")._fields == ("_0", "_1")
    assert pickle.loads(pickle.dumps(name_results(names, range(6)))).é == 5


def test_a_model_of_torch():
    need("torch", "torch_mlir", "ml_dtypes")
    import torch

    class Model(torch.nn.Module):
        def forward(self, x, *, scale, device):
            return x * scale + device, x

    x, scale = torch.ones(2), torch.full((2,), 3.0)
    module = nm.export(Model(), (x,), {"scale": scale, "device": x})
    assert module.inputs == ("x", "scale", "device")
    program = nm.compile(module)
    with pytest.raises(nm.ArgumentError, match="^device= is the call's own keyword, got a Tensor"):
        program(x, scale=scale, device=x)
    leaves = torch.utils._pytree.tree_leaves(program(x, scale, x))
    assert len(leaves) == 2 and torch.equal(leaves[0], torch.full((2,), 4.0))
    results = nm.run(module, x, scale, x, device="emulator")
    assert torch.equal(results.output0, leaves[0]) and torch.equal(results.output1, x)
    assert "torch" in sys.modules and pickle.loads(pickle.dumps(results)).output0[0] == 4
