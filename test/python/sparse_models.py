"""Small models with random weights that are pruned: what tests of nm.nn convert.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import torch
import transformers as tf

import nm

SEED = 4701
TOKENS = 96
SMALL = {"vocab_size": TOKENS, "max_position_embeddings": 64}
WIDE = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, **SMALL}


def gated(kind, **more):
    return kind(intermediate_size=128, **WIDE, **more)


# Models of transformers: each with its configuration.
MODELS = {
    "llama": (tf.LlamaForCausalLM, gated(tf.LlamaConfig, num_key_value_heads=2)),
    "qwen2": (tf.Qwen2ForCausalLM, gated(tf.Qwen2Config, num_key_value_heads=4)),
    "mistral": (tf.MistralForCausalLM, gated(tf.MistralConfig, num_key_value_heads=2)),
    "gemma": (
        tf.GemmaForCausalLM, gated(tf.GemmaConfig, num_key_value_heads=2, head_dim=16)
    ),
    "gpt2": (
        tf.GPT2LMHeadModel,
        tf.GPT2Config(n_embd=64, n_layer=2, n_head=4, vocab_size=TOKENS, n_positions=64),
    ),
    "gpt_neox": (tf.GPTNeoXForCausalLM, gated(tf.GPTNeoXConfig)),
    "opt": (
        tf.OPTForCausalLM,
        tf.OPTConfig(ffn_dim=128, word_embed_proj_dim=64, **WIDE),
    ),
    "bert": (tf.BertModel, gated(tf.BertConfig)),
    "t5": (
        tf.T5ForConditionalGeneration,
        tf.T5Config(d_model=64, d_ff=128, d_kv=16, num_layers=2, num_heads=4,
                    vocab_size=TOKENS),
    ),
    "vit": (
        tf.ViTModel,
        tf.ViTConfig(hidden_size=64, intermediate_size=128, num_hidden_layers=2,
                     num_attention_heads=4, image_size=32, patch_size=8),
    ),
}


def make(name):
    """A model with random weights, pruned to 8:32 in columns of 16, and its inputs."""
    kind, config = MODELS[name]
    torch.manual_seed(SEED)
    model = kind(config).eval()
    heads = [path for path, _ in model.named_modules() if path.endswith("lm_head")]
    nm.prune(model, 8, 32, unit=(1, 16), skip=heads, misfits="skip")
    if name == "vit":
        return model, {"pixel_values": torch.randn(2, 3, 32, 32)}
    inputs = {"input_ids": torch.randint(0, TOKENS, (2, 7))}
    if name == "t5":
        inputs["decoder_input_ids"] = torch.randint(0, TOKENS, (2, 3))
    return model, inputs


def get_output(model, inputs):
    with torch.no_grad():
        return model(**inputs)[0]


def make_layer(n=96, k=64, dtype=torch.float32, bias=True, keep=8, window=32, unit=(1, 16)):
    """A pruned torch.nn.Linear in a model."""
    torch.manual_seed(SEED)
    model = torch.nn.Sequential(torch.nn.Linear(k, n, bias=bias).to(dtype))
    nm.prune(model, keep, window, unit=unit)
    return model
