# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plants of well-known costs of arrays: NumPy, SciPy and numba, and their repaired twins.
#
# usage: arrays2.py NAME planted|repaired ROUNDS
#
# Each plant imports what it needs, so that no plant pays for another.
import sys


def places_planted(rounds):
    import numpy as np
    times, total = np.arange(1000000), 0
    for i in range(rounds):
        total += np.searchsorted(times, i + 0.5)
    return total


def places_repaired(rounds):
    import numpy as np
    times, total = np.arange(1000000).astype(float), 0
    for i in range(rounds):
        total += np.searchsorted(times, i + 0.5)
    return total


def weighted_planted(rounds):
    import numpy as np
    weights, table = np.arange(1000.0), np.ones((1000, 200))
    total = 0.0
    for _ in range(rounds):
        scaled = np.diag(weights) @ table
        total += scaled[3, 4]
    return total


def weighted_repaired(rounds):
    import numpy as np
    weights, table = np.arange(1000.0), np.ones((1000, 200))
    total = 0.0
    for _ in range(rounds):
        scaled = weights[:, None] * table
        total += scaled[3, 4]
    return total


def long_floats_planted(rounds):
    import numpy as np
    x = np.arange(1, 100001, dtype=np.longdouble)
    for _ in range(rounds):
        x = np.sqrt(x * 1.5 + 2)
    return float(x[0])


def long_floats_repaired(rounds):
    import numpy as np
    x = np.arange(1, 100001, dtype=np.float64)
    for _ in range(rounds):
        x = np.sqrt(x * 1.5 + 2)
    return float(x[0])


def seen_planted(rounds):
    import numpy as np
    known, count = np.arange(100000), 0
    for i in range(rounds):
        if i * 7 in known:
            count += 1
    return count


def seen_repaired(rounds):
    import numpy as np
    known, count = set(np.arange(100000).tolist()), 0
    for i in range(rounds):
        if i * 7 in known:
            count += 1
    return count


def cubes_planted(rounds):
    import numpy as np
    x, total = np.linspace(0.1, 2, 100000), 0.0
    for _ in range(rounds):
        total += (x ** 3)[5]
    return total


def cubes_repaired(rounds):
    import numpy as np
    x, total = np.linspace(0.1, 2, 100000), 0.0
    for _ in range(rounds):
        total += (x * x * x)[5]
    return total


def smallest_planted(rounds):
    import scipy.sparse as sp
    from scipy.sparse.linalg import eigsh
    n, total = 300, 0.0
    grid = sp.diags_array([[-1.0] * (n - 1), [2.0] * n, [-1.0] * (n - 1)], offsets=[-1, 0, 1], format="csc")
    for _ in range(rounds):
        values, _ = eigsh(grid, k=3, which="SM")
        total += values[0]
    return total


def smallest_repaired(rounds):
    import scipy.sparse as sp
    from scipy.sparse.linalg import eigsh
    n, total = 300, 0.0
    grid = sp.diags_array([[-1.0] * (n - 1), [2.0] * n, [-1.0] * (n - 1)], offsets=[-1, 0, 1], format="csc")
    for _ in range(rounds):
        values, _ = eigsh(grid, k=3, sigma=0)
        total += values[0]
    return total


def inside_planted(rounds):
    import numpy as np
    from scipy.spatial import Delaunay
    rng = np.random.default_rng(1)
    points, queries, inside = rng.random((100, 2)), rng.random((rounds, 2)), 0
    for q in queries:
        inside += Delaunay(points).find_simplex(q) >= 0
    return inside


def inside_repaired(rounds):
    import numpy as np
    from scipy.spatial import Delaunay
    rng = np.random.default_rng(1)
    points, queries = rng.random((100, 2)), rng.random((rounds, 2))
    return (Delaunay(points).find_simplex(queries) >= 0).sum()


def intervals_planted(rounds):
    import numpy as np
    from scipy import stats
    x = np.random.default_rng(1).random(100)
    result = stats.bootstrap((x,), lambda values: np.mean(values), n_resamples=rounds, vectorized=False)
    return result.standard_error


def intervals_repaired(rounds):
    import numpy as np
    from scipy import stats
    x = np.random.default_rng(1).random(100)
    result = stats.bootstrap((x,), lambda values, axis: np.mean(values, axis=axis), n_resamples=rounds, vectorized=True)
    return result.standard_error


def mixed_product_planted(rounds):
    import numpy as np
    weights = np.ones((1500, 1500), dtype=np.float32)
    x = np.ones(1500)
    for _ in range(rounds):
        y = weights @ x
    return y[0]


def mixed_product_repaired(rounds):
    import numpy as np
    weights = np.ones((1500, 1500), dtype=np.float32)
    x = np.ones(1500, dtype=np.float32)
    for _ in range(rounds):
        y = weights @ x
    return y[0]


def halves_planted(rounds):
    import numpy as np
    x = np.linspace(0, 1, 100000).astype(np.float16)
    for _ in range(rounds):
        y = np.maximum(x * x + x, x - 1)
    return float(y[0])


def halves_repaired(rounds):
    import numpy as np
    x = np.linspace(0, 1, 100000).astype(np.float32)
    for _ in range(rounds):
        y = np.maximum(x * x + x, x - 1)
    return float(y[0])


def phases_planted(rounds):
    import numpy as np
    angle = np.random.default_rng(1).random(65536)
    for _ in range(rounds):
        wave = np.exp(1j * angle)
    return wave[1]


def phases_repaired(rounds):
    import numpy as np
    angle = np.random.default_rng(1).random(65536)
    wave = np.empty(65536, complex)
    for _ in range(rounds):
        wave.real = np.cos(angle)
        wave.imag = np.sin(angle)
    return wave[1]


def grown_planted(rounds):
    import numpy as np
    x = np.zeros(0)
    for i in range(rounds):
        x = np.concatenate([x, [float(i)]])
    return x[-1]


def grown_repaired(rounds):
    import numpy as np
    x = []
    for i in range(rounds):
        x.append(float(i))
    return np.array(x)[-1]


def dice_planted(rounds):
    import numpy as np
    total = 0
    for _ in range(rounds):
        total += np.random.randint(1, 7)
    return total


def dice_repaired(rounds):
    import numpy as np
    return sum(np.random.randint(1, 7, rounds).tolist())


def roots_planted(rounds):
    import numpy as np
    total = 0.0
    for i in range(rounds):
        total += np.sqrt(i) + np.floor(i / 3)
    return total


def roots_repaired(rounds):
    import math
    total = 0.0
    for i in range(rounds):
        total += math.sqrt(i) + math.floor(i / 3)
    return total


def blur_planted(rounds):
    import numpy as np
    from scipy import ndimage
    image, kernel = np.random.default_rng(1).random((256, 256)), np.ones((31, 31)) / 961
    for _ in range(rounds):
        smooth = ndimage.convolve(image, kernel)
    return smooth[0, 0]


def blur_repaired(rounds):
    import numpy as np
    from scipy import signal
    image, kernel = np.random.default_rng(1).random((256, 256)), np.ones((31, 31)) / 961
    for _ in range(rounds):
        smooth = signal.fftconvolve(image, kernel, mode="same")
    return smooth[0, 0]


def grown_mask_planted(rounds):
    import numpy as np
    from scipy import ndimage
    mask = np.random.default_rng(1).random((300, 300)) > 0.999
    for _ in range(rounds):
        wide = ndimage.binary_dilation(mask, iterations=20)
    return wide.sum()


def grown_mask_repaired(rounds):
    import numpy as np
    from scipy import ndimage
    mask = np.random.default_rng(1).random((300, 300)) > 0.999
    for _ in range(rounds):
        wide = ndimage.distance_transform_cdt(~mask, metric="taxicab") <= 20
    return wide.sum()


def reflected_planted(rounds):
    import numba

    @numba.njit
    def total(values):
        s = 0
        for v in values:
            s += v
        return s
    values = list(range(10000))
    return sum(total(values) for _ in range(rounds))


def reflected_repaired(rounds):
    import numba
    import numpy as np

    @numba.njit
    def total(values):
        s = 0
        for v in values:
            s += v
        return s
    values = np.arange(10000)
    return sum(total(values) for _ in range(rounds))


def stored_objects_planted(rounds):
    import io
    import numpy as np
    file = io.BytesIO()
    np.save(file, np.arange(20000, dtype=float).astype(object), allow_pickle=True)
    total = 0
    for _ in range(rounds):
        file.seek(0)
        total += len(np.load(file, allow_pickle=True))
    return total


def stored_objects_repaired(rounds):
    import io
    import numpy as np
    file = io.BytesIO()
    np.save(file, np.arange(20000, dtype=float))
    total = 0
    for _ in range(rounds):
        file.seek(0)
        total += len(np.load(file))
    return total


def tree_of_clusters_planted(rounds):
    import numpy as np
    from scipy.cluster.hierarchy import fclusterdata
    x, total = np.random.default_rng(1).random((600, 2)), 0
    for i in range(rounds):
        total += fclusterdata(x, 0.1 + i * 0.01, criterion="distance", method="average").max()
    return total


def tree_of_clusters_repaired(rounds):
    import numpy as np
    from scipy.cluster.hierarchy import fcluster, linkage
    x, total = np.random.default_rng(1).random((600, 2)), 0
    tree = linkage(x, "average")
    for i in range(rounds):
        total += fcluster(tree, 0.1 + i * 0.01, criterion="distance").max()
    return total


def sparse_sum_planted(rounds):
    import scipy.sparse as sp
    total = sp.csr_array((2000, 2000))
    for i in range(rounds):
        total = total + sp.csr_array(([1.0], ([i % 2000], [i * 7 % 2000])), shape=(2000, 2000))
    return total.nnz


def sparse_sum_repaired(rounds):
    import scipy.sparse as sp
    rows, columns = [], []
    for i in range(rounds):
        rows.append(i % 2000)
        columns.append(i * 7 % 2000)
    return sp.coo_array(([1.0] * rounds, (rows, columns)), shape=(2000, 2000)).tocsr().nnz


if __name__ == "__main__":
    globals()["%s_%s" % (sys.argv[1], sys.argv[2])](int(sys.argv[3]))
