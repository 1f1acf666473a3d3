# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees of XGBoost."""
import numpy as np
import xgboost

rng = np.random.default_rng(1)
x = rng.normal(size=(20000, 30))
y = (x[:, :4].sum(axis=1) > 0).astype(int)
data = xgboost.DMatrix(x, y)
trees = xgboost.train({"max_depth": 6, "nthread": 2, "objective": "binary:logistic"}, data, 60)
print(f"{trees.predict(data).sum():.5g}")
