# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plants of well-known costs of machine learning: scikit-learn, JAX, Keras, LightGBM, XGBoost and
# PyTorch, and their repaired twins.
#
# usage: ml2.py NAME planted|repaired ROUNDS
#
# Each plant imports what it needs, so that no plant pays for another.
import sys


def rows_of(count, columns=10):
    import numpy as np
    rng = np.random.default_rng(1)
    x = rng.random((count, columns))
    return x, (x[:, 0] + 0.3 * rng.random(count) > 0.6).astype(int)


def one_out_planted(rounds):
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import LeaveOneOut, cross_val_score
    x, y = rows_of(rounds)
    return cross_val_score(LogisticRegression(), x, y, cv=LeaveOneOut()).mean()


def one_out_repaired(rounds):
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_score
    x, y = rows_of(rounds)
    return cross_val_score(LogisticRegression(), x, y, cv=5).mean()


def gaussian_planted(rounds):
    from sklearn.gaussian_process import GaussianProcessRegressor
    x, y = rows_of(rounds)
    return GaussianProcessRegressor(alpha=0.1, n_restarts_optimizer=2).fit(x, y).predict(x[:5])[0]


def gaussian_repaired(rounds):
    from sklearn.gaussian_process import GaussianProcessRegressor
    x, y = rows_of(rounds)
    return GaussianProcessRegressor(alpha=0.1, optimizer=None).fit(x[::3], y[::3]).predict(x[:5])[0]


def support_planted(rounds):
    from sklearn.svm import SVC
    x, y = rows_of(1500)
    model = SVC().fit(x, y)
    return sum(model.predict(x).sum() for _ in range(rounds))


def support_repaired(rounds):
    from sklearn.kernel_approximation import Nystroem
    from sklearn.linear_model import SGDClassifier
    from sklearn.pipeline import make_pipeline
    x, y = rows_of(1500)
    model = make_pipeline(Nystroem(n_components=50), SGDClassifier()).fit(x, y)
    return sum(model.predict(x).sum() for _ in range(rounds))


def dense_groups_planted(rounds):
    from sklearn.cluster import DBSCAN
    x, _ = rows_of(rounds, 2)
    return DBSCAN(eps=0.5).fit(x).labels_.max()


def dense_groups_repaired(rounds):
    from sklearn.cluster import DBSCAN
    x, _ = rows_of(rounds, 2)
    return DBSCAN(eps=0.02).fit(x).labels_.max()


def topics_planted(rounds):
    import scipy.sparse as sp
    from sklearn.decomposition import LatentDirichletAllocation
    words = sp.random_array((rounds, 500), density=0.05, rng=1, format="csr")
    return LatentDirichletAllocation(10, learning_method="batch", max_iter=8, evaluate_every=1).fit(words).n_iter_


def topics_repaired(rounds):
    import scipy.sparse as sp
    from sklearn.decomposition import NMF
    words = sp.random_array((rounds, 500), density=0.05, rng=1, format="csr")
    return NMF(10, max_iter=30).fit(words).n_iter_


def dependence_planted(rounds):
    from sklearn.ensemble import RandomForestRegressor
    from sklearn.inspection import partial_dependence
    x, y = rows_of(500)
    model = RandomForestRegressor(20).fit(x, y)
    return len(partial_dependence(model, x, [0], grid_resolution=rounds, method="brute")["average"])


def dependence_repaired(rounds):
    from sklearn.ensemble import RandomForestRegressor
    from sklearn.inspection import partial_dependence
    x, y = rows_of(500)
    model = RandomForestRegressor(20).fit(x, y)
    return len(partial_dependence(model, x[::10], [0], grid_resolution=rounds // 3, method="brute")["average"])


def manifold_planted(rounds):
    from sklearn.manifold import Isomap
    x, _ = rows_of(rounds)
    return Isomap(n_neighbors=10, path_method="D").fit_transform(x).shape[0]


def manifold_repaired(rounds):
    from sklearn.decomposition import PCA
    x, _ = rows_of(rounds)
    return PCA(2, svd_solver="randomized").fit_transform(x).shape[0]


def encoded_rows_planted(rounds):
    import numpy as np
    from sklearn.preprocessing import OneHotEncoder
    encoder = OneHotEncoder(handle_unknown="ignore").fit(np.array([["a"], ["b"], ["c"]]))
    return sum(encoder.transform([["b"]]).sum() for _ in range(rounds))


def encoded_rows_repaired(rounds):
    import numpy as np
    from sklearn.preprocessing import OneHotEncoder
    encoder = OneHotEncoder(handle_unknown="ignore").fit(np.array([["a"], ["b"], ["c"]]))
    return encoder.transform([["b"]] * rounds).sum()


def agglomerated_planted(rounds):
    from sklearn.cluster import AgglomerativeClustering
    x, _ = rows_of(rounds, 3)
    return AgglomerativeClustering(5).fit(x).labels_.max()


def agglomerated_repaired(rounds):
    from sklearn.cluster import MiniBatchKMeans
    x, _ = rows_of(rounds, 3)
    return MiniBatchKMeans(5, n_init=1).fit(x).labels_.max()


def slopes_planted(rounds):
    import jax
    import jax.numpy as jnp
    w, x = jnp.ones(50), jnp.ones((20, 50))
    for _ in range(rounds):
        w = w - 0.1 * jax.grad(lambda v: jnp.tanh(x @ v).sum())(w)
    return float(w[0])


def slopes_repaired(rounds):
    import jax
    import jax.numpy as jnp
    w, x = jnp.ones(50), jnp.ones((20, 50))
    step = jax.jit(lambda u: u - 0.1 * jax.grad(lambda v: jnp.tanh(x @ v).sum())(u))
    for _ in range(rounds):
        w = step(w)
    return float(w[0])


def jax_lists_planted(rounds):
    import jax.numpy as jnp
    parts = [jnp.float32(i) for i in range(200)]
    return sum(int(jnp.array(parts).shape[0]) for _ in range(rounds))


def jax_lists_repaired(rounds):
    import jax.numpy as jnp
    import numpy as np
    parts = [float(i) for i in range(200)]
    return sum(int(jnp.asarray(np.array(parts, np.float32)).shape[0]) for _ in range(rounds))


def answers_planted(rounds):
    import os
    os.environ["KERAS_BACKEND"] = "jax"
    import keras
    import numpy as np
    model = keras.Sequential([keras.Input((10,)), keras.layers.Dense(1)])
    x, total = np.ones((rounds, 10), np.float32), 0.0
    for row in x:
        total += float(model.predict(row[None], verbose=0)[0, 0])
    return total


def answers_repaired(rounds):
    import os
    os.environ["KERAS_BACKEND"] = "jax"
    import keras
    import numpy as np
    model = keras.Sequential([keras.Input((10,)), keras.layers.Dense(1)])
    return float(model.predict(np.ones((rounds, 10), np.float32), verbose=0).sum())


def light_rows_planted(rounds):
    import lightgbm
    x, y = rows_of(500)
    model = lightgbm.train({"verbose": -1, "num_threads": 1}, lightgbm.Dataset(x, y), 20)
    return sum(float(model.predict(x[i % 500:i % 500 + 1])[0]) for i in range(rounds))


def light_rows_repaired(rounds):
    import lightgbm
    x, y = rows_of(500)
    model = lightgbm.train({"verbose": -1, "num_threads": 1}, lightgbm.Dataset(x, y), 20)
    return float(model.predict(x[[i % 500 for i in range(rounds)]]).sum())


def boosted_model():
    import xgboost
    x, y = rows_of(500)
    model = xgboost.XGBClassifier(n_estimators=20, max_depth=3, n_jobs=1)
    return model.fit(x, y), x


def boosted_rows_planted(rounds):
    model, x = boosted_model()
    return sum(int(model.predict(x[i % 500:i % 500 + 1])[0]) for i in range(rounds))


def boosted_rows_repaired(rounds):
    model, x = boosted_model()
    return int(model.predict(x[[i % 500 for i in range(rounds)]]).sum())


def light_data_planted(rounds):
    import lightgbm
    x, y = rows_of(20000)
    for i in range(rounds):
        model = lightgbm.train({"verbose": -1, "num_threads": 1, "num_leaves": 4 + i}, lightgbm.Dataset(x, y), 2)
    return model.num_trees()


def light_data_repaired(rounds):
    import lightgbm
    x, y = rows_of(20000)
    data = lightgbm.Dataset(x, y, free_raw_data=False).construct()
    for i in range(rounds):
        model = lightgbm.train({"verbose": -1, "num_threads": 1, "num_leaves": 4 + i}, data, 2)
    return model.num_trees()


def exact_trees_planted(rounds):
    import xgboost
    x, y = rows_of(rounds)
    return xgboost.train({"tree_method": "exact", "nthread": 1}, xgboost.DMatrix(x, y), 8).num_boosted_rounds()


def exact_trees_repaired(rounds):
    import xgboost
    x, y = rows_of(rounds)
    return xgboost.train({"tree_method": "hist", "nthread": 1}, xgboost.QuantileDMatrix(x, y), 8).num_boosted_rounds()


def watched_planted(rounds):
    import xgboost
    x, y = rows_of(20000)
    data = xgboost.DMatrix(x, y)
    held = xgboost.DMatrix(*rows_of(60000))
    return xgboost.train({"nthread": 1, "max_depth": 2, "eval_metric": ["auc", "aucpr"]}, data, rounds,
                         evals=[(data, "train"), (held, "held")], verbose_eval=False).num_boosted_rounds()


def watched_repaired(rounds):
    import xgboost
    x, y = rows_of(20000)
    data = xgboost.DMatrix(x, y)
    return xgboost.train({"nthread": 1, "max_depth": 2}, data, rounds).num_boosted_rounds()


if __name__ == "__main__":
    globals()["%s_%s" % (sys.argv[1], sys.argv[2])](int(sys.argv[3]))
