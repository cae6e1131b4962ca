"""Condensed checkpoints of transformers.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import os
import subprocess
import sys

import pytest
from conftest import ROOT, need

need("torch", "transformers")

import torch  # noqa: E402
import transformers as tf  # noqa: E402
from sparse_models import MODELS, get_output, make  # noqa: E402

import nm  # noqa: E402
from nm.nn import Linear  # noqa: E402


@pytest.mark.parametrize("name", MODELS)
def test_a_condensed_checkpoint_is_loaded(tmp_path, name):
    model, inputs = make(name)
    expected = get_output(model, inputs)
    report = nm.convert(model)
    model.save_pretrained(tmp_path)
    size = sum(path.stat().st_size for path in tmp_path.glob("*.safetensors"))
    stored = sum(one.nbytes for one in model.state_dict().values())
    assert size <= stored + 30_000  # the header
    again = type(model).from_pretrained(tmp_path)
    assert torch.allclose(get_output(again, inputs), expected, atol=1e-5)
    assert nm.report(again).layers == report.layers
    layers = [one for one in again.modules() if isinstance(one, Linear)]
    assert not any(one.values.requires_grad or one.positions.requires_grad for one in layers)
    # And saved once more.
    again.save_pretrained(tmp_path / "again")
    third = type(model).from_pretrained(tmp_path / "again")
    assert torch.allclose(get_output(third, inputs), expected, atol=1e-5)


def run_python(text):
    environment = os.environ | {"PYTHONPATH": str(ROOT / "python")}
    return subprocess.run(
        [sys.executable, "-c", text], env=environment, capture_output=True, text=True,
        check=False,
    )


@pytest.fixture
def checkpoint(tmp_path):
    model, _ = make("llama")
    nm.convert(model)
    model.save_pretrained(tmp_path)
    return tmp_path


LOAD = "print(type(tf.LlamaForCausalLM.from_pretrained({!r}).model.layers[0].mlp.up_proj))"


@pytest.mark.parametrize(
    "imports", ["import nm, transformers as tf", "import transformers as tf, nm"]
)
def test_nm_is_known_to_transformers(checkpoint, imports):
    done = run_python(f"{imports}\n{LOAD.format(str(checkpoint))}")
    assert done.returncode == 0, done.stderr
    assert "nm.nn.linear.Linear" in done.stdout


def test_a_checkpoint_is_refused_without_nm(checkpoint):
    done = run_python(f"import transformers as tf\n{LOAD.format(str(checkpoint))}")
    assert done.returncode != 0
    assert "ignore_mismatched_sizes" in done.stderr
    assert not done.stdout


def edit(checkpoint, change):
    path = checkpoint / "config.json"
    config = json.loads(path.read_text())
    change(config["quantization_config"])
    path.write_text(json.dumps(config))


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda config: config.update(version=2), "version 1 of nm's layers, got 2"),
        (
            lambda config: config["layers"].update(none=[8, 32, 1, 16]),
            "expected a layer none, which the checkpoint lists",
        ),
        (
            lambda config: config["layers"].update({"lm_head": [0, 32, 1, 16]}),
            "lm_head: expected keep >= 1, got 0",
        ),
        (
            lambda config: config["layers"].update(
                {"model.layers.0.mlp.up_proj": [4, 16, 1, 16]}
            ),
            "up_proj: expected 4:16.* got a weight of .64, 8, 32",
        ),
    ],
    ids=["version", "layer", "pattern", "other pattern"],
)
def test_a_wrong_config_is_refused(checkpoint, change, message):
    edit(checkpoint, change)
    with pytest.raises(nm.Error, match=message):
        tf.LlamaForCausalLM.from_pretrained(checkpoint)
