# SPDX-License-Identifier: GPL-3.0-or-later
"""Nearest neighbours, all of them and by cells."""
import faiss
import numpy as np

rng = np.random.default_rng(1)
size, points, asked = 64, 20000, 400
x = rng.normal(size=(points, size)).astype(np.float32)
flat = faiss.IndexFlatIP(size)
flat.add(x)
_, nearest = flat.search(x[:asked], 5)
cells = faiss.IndexIVFFlat(faiss.IndexFlatL2(size), size, 64)
cells.train(x)
cells.add(x)
_, close = cells.search(x[:asked], 5)
print(nearest[:, 0].sum(), close[:, 0].sum())
