# SPDX-License-Identifier: GPL-3.0-or-later
"""A small llama of random numbers in llama.cpp."""
import ctypes

import gguf
import llama_cpp
import numpy as np

from truth import tell

words, wide, inner, layers, heads, asked, tokens = 512, 256, 1024, 4, 4, 6, 64
rng = np.random.default_rng(1)


def write_model(path):
    file = gguf.GGUFWriter(path, "llama")
    file.add_context_length(512)
    file.add_embedding_length(wide)
    file.add_block_count(layers)
    file.add_feed_forward_length(inner)
    file.add_head_count(heads)
    file.add_layer_norm_rms_eps(1e-5)
    file.add_rope_dimension_count(wide // heads)
    file.add_vocab_size(words)
    file.add_tokenizer_model("none")

    def add(name, *shape):
        values = rng.normal(size=shape) / wide**0.5 if len(shape) > 1 else np.ones(shape)
        file.add_tensor(name, values.astype(np.float32))

    add("token_embd.weight", words, wide)
    add("output_norm.weight", wide)
    add("output.weight", words, wide)
    for layer in range(layers):
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            add(f"blk.{layer}.{name}.weight", wide, wide)
        add(f"blk.{layer}.ffn_gate.weight", inner, wide)
        add(f"blk.{layer}.ffn_up.weight", inner, wide)
        add(f"blk.{layer}.ffn_down.weight", wide, inner)
        add(f"blk.{layer}.attn_norm.weight", wide)
        add(f"blk.{layer}.ffn_norm.weight", wide)
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()


write_model("model.gguf")
silent = llama_cpp.llama_log_callback(lambda *_: None)
llama_cpp.llama_log_set(silent, ctypes.c_void_p(0))
llama_cpp.llama_backend_init()
model = llama_cpp.llama_load_model_from_file(b"model.gguf", llama_cpp.llama_model_default_params())
how = llama_cpp.llama_context_default_params()
how.n_ctx, how.n_threads, how.n_threads_batch = 512, 2, 2
context = llama_cpp.llama_new_context_with_model(model, how)
ids = (llama_cpp.llama_token * tokens)(*range(tokens))
for _ in range(asked):
    status = llama_cpp.llama_decode(context, llama_cpp.llama_batch_get_one(ids, tokens))
    logits = llama_cpp.llama_get_logits_ith(context, -1)
    found = np.ctypeslib.as_array(logits, shape=(words,))
print(status, f"{np.abs(found).sum():.3g}")
# After the attention of the last layer, only the last token continues; attention is one
# operation.
each = 4 * layers * wide**2 + 3 * (layers - 1) * inner * wide
last = 3 * inner * wide + words * wide
tell(ggml_compute_forward_mul_mat=2 * asked * (tokens * each + last))
