# SPDX-License-Identifier: GPL-3.0-or-later
"""A language model of random numbers in CTranslate2."""
import ctranslate2
import numpy as np
from ctranslate2.specs import transformer_spec

rng = np.random.default_rng(1)
words, wide, layers, heads = 500, 256, 4, 4


def fill(linear, rows, columns):
    linear.weight = (rng.normal(size=(rows, columns)) / columns**0.5).astype(np.float32)
    linear.bias = np.zeros(rows, np.float32)


def even(norm):
    norm.gamma, norm.beta = np.ones(wide, np.float32), np.zeros(wide, np.float32)


spec = transformer_spec.TransformerDecoderModelSpec.from_config(layers, heads, pre_norm=True)
decoder = spec.decoder
decoder.embeddings.weight = rng.normal(size=(words, wide)).astype(np.float32)
decoder.position_encodings.encodings = rng.normal(size=(512, wide)).astype(np.float32)
decoder.scale_embeddings = False
even(decoder.layer_norm)
fill(decoder.projection, words, wide)
for layer in decoder.layer:
    even(layer.self_attention.layer_norm)
    fill(layer.self_attention.linear[0], 3 * wide, wide)
    fill(layer.self_attention.linear[1], wide, wide)
    even(layer.ffn.layer_norm)
    fill(layer.ffn.linear_0, 4 * wide, wide)
    fill(layer.ffn.linear_1, wide, 4 * wide)
spec.config.bos_token, spec.config.eos_token, spec.config.unk_token = "<s>", "</s>", "<unk>"
spec.register_vocabulary(["<unk>", "<s>", "</s>"] + [f"w{i}" for i in range(words - 3)])
spec.validate()
spec.optimize()
spec.save(".")
model = ctranslate2.Generator(".", intra_threads=1, inter_threads=1)
scores = model.forward_batch([["<s>"] + [f"w{i}" for i in range(100)]] * 4)
found = model.generate_batch([["<s>", "w3"]] * 4, max_length=60, min_length=60)
print(f"{abs(np.array(scores)).sum():.4g}", " ".join(found[0].sequences[0][:20]))
