# SPDX-License-Identifier: GPL-3.0-or-later
"""Linear models, clusters, trees and vectors."""
import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import SVC

rng = np.random.default_rng(1)
x = rng.normal(size=(4000, 60))
y = (x[:, :5].sum(axis=1) + rng.normal(size=4000) > 0).astype(int)
scores = [
    Ridge().fit(x, y).score(x, y),
    LogisticRegression(max_iter=200).fit(x, y).score(x, y),
    PCA(20, svd_solver="full").fit(x).explained_variance_ratio_.sum(),
    RandomForestClassifier(20, max_depth=6, random_state=1).fit(x, y).score(x, y),
    SVC().fit(x[:1500], y[:1500]).score(x, y),
    KMeans(8, n_init=3, random_state=1).fit(x).inertia_,
]
print(" ".join(f"{score:.4g}" for score in scores))
