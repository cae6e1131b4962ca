"""Text models of transformers: encoders, decoders, encoder-decoders, experts.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from typing import Any

import torch
import transformers as tf

from zoo.case import Built, Case, Pick, dim, first, ids, randomize

F16, BF16 = torch.float16, torch.bfloat16
EW = (1, 1)


def small(config: str, **more: Any) -> Any:
    """A configuration with two layers, 64 wide, 128 tokens in the vocabulary."""
    common = {
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "vocab_size": 128,
        "max_position_embeddings": 64,
        "pad_token_id": 0,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "use_cache": False,
    }
    return getattr(tf, config)(**{**common, **more})


def made(name: str, config: Any, attention: str = "sdpa", **more: Any) -> Any:
    config._attn_implementation = attention
    return randomize(getattr(tf, name)(config, **more))


def encoder(
    name: str,
    attention: str = "sdpa",
    mask: bool = False,
    dynamic: str = "",
    pooling: bool = False,
    **config: Any,
) -> Built:
    """BERT and its kin: token ids, and perhaps a mask, to hidden states."""
    more = {"add_pooling_layer": False} if pooling else {}
    model = made(name + "Model", small(name + "Config", **config), attention, **more)
    args = (ids(2, 16),)
    names = ["input_ids"]
    if mask:
        seen = torch.ones(2, 16, dtype=torch.int64)
        seen[1, 11:] = 0
        args, names = (*args, seen), [*names, "attention_mask"]
    extents = {}
    if "b" in dynamic:
        extents[0] = dim("batch")
    if "s" in dynamic:
        extents[1] = dim("tokens", 4, 64)
    shapes = (tuple(extents for _ in args),) if extents else None
    return Pick(model, names, first), args, shapes


def decoder(
    name: str,
    attention: str = "sdpa",
    dynamic: str = "",
    embedded: bool = False,
    head: bool = False,
    **config: Any,
) -> Built:
    """GPT-2, Llama and their kin: token ids or embeddings to hidden states."""
    kv = {} if name.startswith(("GPT", "OPT")) else {"num_key_value_heads": 2}
    full = small(name + "Config", **{**kv, **config})
    model = made(name + ("ForCausalLM" if head else "Model"), full, attention)
    args = (torch.randn(2, 16, 64),) if embedded else (ids(2, 16),)
    extents = {}
    if "b" in dynamic:
        extents[0] = dim("batch")
    if "s" in dynamic:
        extents[1] = dim("tokens", 4, 64)
    shapes = ((extents,),) if extents else None
    names = ["inputs_embeds" if embedded else "input_ids"]
    return Pick(model, names, first), args, shapes


def seq2seq(name: str, attention: str = "sdpa", **config: Any) -> Built:
    """T5, BART and their kin: two sequences of token ids to hidden states."""
    sizes = {
        "d_model": 64,
        "d_kv": 16,
        "d_ff": 128,
        "num_layers": 2,
        "num_heads": 4,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "encoder_attention_heads": 4,
        "decoder_attention_heads": 4,
        "encoder_ffn_dim": 128,
        "decoder_ffn_dim": 128,
        "vocab_size": 128,
        "max_position_embeddings": 64,
        "decoder_start_token_id": 1,
        "use_cache": False,
    }
    model = made(name + "Model", getattr(tf, name + "Config")(**{**sizes, **config}))
    names = ["input_ids", "decoder_input_ids"]
    return Pick(model, names, first), (ids(2, 12), ids(2, 7)), None


def whisper() -> Built:
    config = tf.WhisperConfig(
        d_model=64,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=128,
        decoder_ffn_dim=128,
        vocab_size=128,
        num_mel_bins=16,
        max_source_positions=20,
        max_target_positions=16,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=1,
        use_cache=False,
    )
    model = made("WhisperModel", config)
    args = (torch.randn(1, 16, 40), ids(1, 6))
    return Pick(model, ["input_features", "decoder_input_ids"], first), args, None


def experts(name: str, **config: Any) -> Built:
    """Mixtral and its kin: a router and stacks of experts, computed densely, as
    transformers writes them by default."""
    sizes = {"num_key_value_heads": 2, "num_experts_per_tok": 2, "num_hidden_layers": 1}
    full = small(name + "Config", **{**sizes, **config})
    return Pick(made(name + "Model", full), ["input_ids"], first), (ids(2, 8),), None


def gpt2_head() -> Built:
    model = made("GPT2LMHeadModel", small("GPT2Config"))
    return Pick(model, ["input_ids"], first), (ids(2, 16),), None


def gemma3() -> Built:
    sizes = {"head_dim": 16, "num_key_value_heads": 2, "sliding_window": 8}
    model = made("Gemma3TextModel", small("Gemma3TextConfig", **sizes))
    return Pick(model, ["input_ids"], first), (ids(2, 16),), None


CASES = [
    Case("bert_f32_2of4", lambda: encoder("Bert", "eager", pooling=True)),
    Case(
        "bert_masked_dyn2_f32_1of4",
        lambda: encoder("Bert", mask=True, dynamic="bs", pooling=True),
        pattern=(1, 4, EW),
    ),
    Case(
        "bert_f16_8of32v32",
        lambda: encoder("Bert", pooling=True),
        F16,
        (8, 32, (1, 32)),
    ),
    Case(
        "bert_pooler_bf16_2of4",
        lambda: encoder("Bert", mask=True),
        BF16,
        skip=("model.pooler",),
    ),
    Case(
        "distilbert_f32_4of8",
        lambda: encoder("DistilBert", dim=64, hidden_dim=128, n_layers=2, n_heads=4),
        pattern=(4, 8, EW),
    ),
    Case(
        "distilbert_eager_dynbatch_f16_2of4",
        lambda: encoder(
            "DistilBert",
            "eager",
            True,
            "b",
            dim=64,
            hidden_dim=128,
            n_layers=1,
            n_heads=4,
        ),
        F16,
    ),
    Case(
        "roberta_f32_2of4", lambda: encoder("Roberta", "eager", mask=True, pooling=True)
    ),
    Case(
        "roberta_dynseq_f32_8of32v16",
        lambda: encoder("Roberta", dynamic="s", pooling=True),
        pattern=(8, 32, (1, 16)),
    ),
    Case(
        "albert_f32_8of32",
        lambda: encoder("Albert", embedding_size=32, pooling=True),
        pattern=(8, 32, EW),
    ),
    Case(
        "electra_f32_16of32",
        lambda: encoder("Electra", embedding_size=32, mask=True),
        pattern=(16, 32, EW),
    ),
    Case("deberta_f32_2of4", lambda: encoder("DebertaV2", "eager")),
    Case("modernbert_f32_2of4", lambda: encoder("ModernBert", "sdpa")),
    Case("gpt2_f32_2of4", lambda: decoder("GPT2", "eager")),
    Case("gpt2_head_f16_4of8", gpt2_head, F16, (4, 8, EW)),
    Case(
        "gpt2_dynbatch_f32_8of32v32",
        lambda: decoder("GPT2", dynamic="b"),
        pattern=(8, 32, (1, 32)),
    ),
    Case(
        "gpt_neo_f32_2of4",
        lambda: decoder(
            "GPTNeo",
            "eager",
            num_layers=2,
            num_heads=4,
            attention_types=[[["global", "local"], 1]],
            window_size=8,
        ),
    ),
    Case(
        "opt_f32_4of8",
        lambda: decoder("OPT", ffn_dim=128, word_embed_proj_dim=64),
        pattern=(4, 8, EW),
    ),
    Case("llama_f32_2of4", lambda: decoder("Llama", "eager")),
    Case(
        "llama_dynseq_f32_8of32v64",
        lambda: decoder("Llama", dynamic="s"),
        pattern=(8, 32, (1, 64)),
        skip=("*.k_proj", "*.v_proj"),
    ),
    Case("llama_dyn2_f16_2of4", lambda: decoder("Llama", dynamic="bs"), F16),
    Case(
        "llama_head_bf16_8of32v32",
        lambda: decoder("Llama", head=True),
        BF16,
        (8, 32, (1, 32)),
    ),
    Case(
        "mistral_f32_1of4",
        lambda: decoder("Mistral", sliding_window=8),
        pattern=(1, 4, EW),
    ),
    Case("qwen2_bf16_2of4", lambda: decoder("Qwen2", "eager"), BF16),
    Case(
        "qwen2_dynseq_embeds_f32_3of10",
        lambda: decoder("Qwen2", embedded=True, dynamic="s"),
        pattern=(3, 10, EW),
    ),
    Case("qwen3_f16_2of4", lambda: decoder("Qwen3", head_dim=16), F16),
    Case(
        "gemma_bf16_16of32v32",
        lambda: decoder("Gemma", head_dim=16),
        BF16,
        (16, 32, (1, 32)),
    ),
    Case(
        "gemma2_f32_2of4",
        lambda: decoder("Gemma2", "eager", head_dim=16, sliding_window=8),
    ),
    Case("gemma3_f32_2of8", gemma3, pattern=(2, 8, EW)),
    Case("apertus_f32_2of4", lambda: decoder("Apertus")),
    Case("phi_f32_2of4", lambda: decoder("Phi", "eager", num_key_value_heads=4)),
    Case("phi3_f16_8of32", lambda: decoder("Phi3"), F16, (8, 32, EW)),
    Case("falcon_f32_2of4", lambda: decoder("Falcon", "eager", num_kv_heads=1)),
    Case("gptneox_f32_2of4", lambda: decoder("GPTNeoX")),
    Case("bloom_f32_2of4", lambda: decoder("Bloom", "eager", n_layer=2, n_head=4)),
    Case(
        "mixtral_f32_2of4",
        lambda: experts("Mixtral", num_local_experts=4),
        raises=4,
    ),
    Case(
        "qwen2_moe_f32_2of4",
        lambda: experts(
            "Qwen2Moe",
            num_experts=4,
            moe_intermediate_size=64,
            shared_expert_intermediate_size=64,
        ),
        skip=("*shared_expert_gate",),
        raises=7,
    ),
    Case(
        "qwen3_moe_bf16_2of4",
        lambda: experts(
            "Qwen3Moe", num_experts=4, moe_intermediate_size=64, head_dim=16
        ),
        BF16,
        raises=4,
    ),
    Case("olmoe_f32_2of4", lambda: experts("Olmoe", num_experts=4), raises=4),
    Case("phimoe_f32_2of4", lambda: experts("Phimoe", num_local_experts=4), raises=5),
    Case("t5_f32_2of4", lambda: seq2seq("T5", "eager")),
    Case(
        "t5_gated_bf16_2of4",
        lambda: seq2seq("T5", feed_forward_proj="gated-gelu"),
        BF16,
    ),
    Case("bart_f32_4of8", lambda: seq2seq("Bart"), pattern=(4, 8, EW)),
    Case(
        "marian_bf16_2of4",
        lambda: seq2seq(
            "Marian", decoder_vocab_size=128, pad_token_id=0, eos_token_id=2
        ),
        BF16,
    ),
    Case("whisper_f32_2of4", whisper),
]
