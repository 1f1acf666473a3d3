# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees of LightGBM."""
import lightgbm
import numpy as np

rng = np.random.default_rng(1)
x = rng.normal(size=(20000, 30))
y = (x[:, :4].sum(axis=1) > 0).astype(int)
how = {"objective": "binary", "verbosity": -1, "deterministic": True, "force_row_wise": True,
       "num_threads": 2, "seed": 1}
trees = lightgbm.train(how, lightgbm.Dataset(x, y), 60)
print(f"{trees.predict(x).sum():.5g}")
