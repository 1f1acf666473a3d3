# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plants of well-known costs of NumPy and SciPy, and their repaired twins.
#
# usage: np.py NAME planted|repaired ROUNDS
import functools
import io
import itertools
import math
import sys

import numpy as np

RNG = np.random.RandomState(0)
VALUES = RNG.random_sample(2000)
MATRIX = RNG.random_sample((300, 300))
TABLE = VALUES.reshape(100, 20)
SMALL = RNG.random_sample((3, 3))


@functools.lru_cache(None)
def text_file():
    with open("np-table.txt", "w") as file:
        for _ in range(5000):
            file.write("0.25 1.5 -3.75 4.125\n")
    np.save("np-table.npy", np.zeros((5000, 4)))
    return "np-table.txt"


def genfromtxt_planted():
    return np.genfromtxt(text_file())


def genfromtxt_repaired():
    with open(text_file()) as file:
        return np.array(file.read().split(), dtype=float).reshape(-1, 4)


def loadtxt_planted():
    return np.loadtxt(text_file())


def loadtxt_repaired():
    text_file()
    return np.load("np-table.npy")


def savetxt_planted():
    np.savetxt(io.StringIO(), MATRIX)


def savetxt_repaired():
    np.save(io.BytesIO(), MATRIX)


def savez_planted():
    np.savez_compressed("np-saved.npz", matrix=MATRIX)


def savez_repaired():
    np.save("np-saved.npy", MATRIX)


@functools.lru_cache(None)
def archive():
    np.savez_compressed("np-archive.npz", matrix=MATRIX)
    return np.load("np-archive.npz")


@functools.lru_cache(None)
def member():
    return archive()["matrix"]


def npz_planted():
    return archive()["matrix"][0, 0]


def npz_repaired():
    return member()[0, 0]


def text_planted():
    return np.array2string(VALUES[:100])


def text_repaired():
    return " ".join("%.8f" % value for value in VALUES[:100].tolist())


def append_planted():
    grown = MATRIX[0]
    for _ in range(300):
        grown = np.append(grown, MATRIX[0])
    return grown


def append_repaired():
    return np.concatenate([MATRIX[0]] * 301)


ROOTS = np.vectorize(math.sqrt)


def vectorize_planted():
    return ROOTS(VALUES)


def vectorize_repaired():
    return np.sqrt(VALUES)


def along_planted():
    return np.apply_along_axis(np.sum, 1, MATRIX)


def along_repaired():
    return MATRIX.sum(axis=1)


def enumerate_planted():
    return list(np.ndenumerate(MATRIX[:10]))


def enumerate_repaired():
    places = itertools.product(range(10), range(300))
    return list(zip(places, MATRIX[:10].ravel().tolist()))


def masked_planted():
    masked = np.ma.masked_less(VALUES, 0.1)
    return (masked * 2 + 1).sum()


def masked_repaired():
    return (VALUES * 2 + 1).sum(where=VALUES >= 0.1)


MATRIX_CLASS = np.matrix(SMALL)


def matrix_planted():
    return [MATRIX_CLASS[i, :].T for i in range(3)]


def matrix_repaired():
    return [SMALL[i, :, None] for i in range(3)]


WORDS = ["word %d" % i for i in range(2000)]
WORD_ARRAY = np.array(WORDS)


def char_planted():
    return np.char.replace(WORD_ARRAY, "word", "name")


def char_repaired():
    return [word.replace("word", "name") for word in WORDS]


RECORDS = np.rec.fromarrays([VALUES, VALUES], names="x,y")
FIELDS = RECORDS.view(np.ndarray)


def recarray_planted():
    return RECORDS.x[3] + RECORDS.y[3]


def recarray_repaired():
    return FIELDS["x"][3] + FIELDS["y"][3]


def recfunctions_planted():
    from numpy.lib import recfunctions

    return recfunctions.append_fields(FIELDS, "z", VALUES, usemask=False)


WIDER = np.dtype([("x", float), ("y", float), ("z", float)])


def recfunctions_repaired():
    wider = np.empty(len(FIELDS), WIDER)
    for name in "xy":
        wider[name] = FIELDS[name]
    wider["z"] = VALUES
    return wider


@functools.lru_cache(None)
def mapped():
    MATRIX.tofile("np-mapped.bin")
    return np.memmap("np-mapped.bin", dtype=float, mode="r", shape=MATRIX.shape)


@functools.lru_cache(None)
def mapped_array():
    return np.asarray(mapped())


def memmap_planted():
    pages = mapped()
    return [pages[i] for i in range(100)]


def memmap_repaired():
    pages = mapped_array()
    return [pages[i] for i in range(100)]


def isclose_planted():
    return np.isclose(1.0, 1.0 + 1e-9)


def isclose_repaired():
    return math.isclose(1.0, 1.0 + 1e-9)


def cross_planted():
    return np.cross(SMALL[0], SMALL[1])


def cross_repaired():
    (a, b, c), (d, e, f) = SMALL[0].tolist(), SMALL[1].tolist()
    return b * f - c * e, c * d - a * f, a * e - b * d


def kron_planted():
    return np.kron(SMALL, SMALL)


def kron_repaired():
    return (SMALL[:, None, :, None] * SMALL[None, :, None, :]).reshape(9, 9)


def pad_planted():
    return np.pad(MATRIX[:64, :64], 1)


BORDERED = np.zeros((66, 66))


def pad_repaired():
    BORDERED[1:-1, 1:-1] = MATRIX[:64, :64]
    return BORDERED


def roll_planted():
    return np.roll(VALUES, 1) + np.roll(VALUES, -1)


RING = np.concatenate([VALUES[-1:], VALUES, VALUES[:1]])


def roll_repaired():
    return RING[:-2] + RING[2:]


def tile_planted():
    return TABLE - np.tile(TABLE[0], (100, 1))


def tile_repaired():
    return TABLE - TABLE[0]


def grid_planted():
    x, y = np.meshgrid(VALUES[:60], VALUES[:60])
    return x + y


def grid_repaired():
    return VALUES[None, :60] + VALUES[:60, None]


def isin_planted():
    return np.isin(VALUES[:100], VALUES)


ORDERED = np.sort(VALUES)


def isin_repaired():
    at = np.searchsorted(ORDERED, VALUES[:100])
    return ORDERED[np.minimum(at, len(ORDERED) - 1)] == VALUES[:100]


def histogram_planted():
    return np.histogram2d(VALUES, VALUES, bins=20, range=((0, 1), (0, 1)))


def histogram_repaired():
    column = (VALUES * 20).astype(int)
    return np.bincount(column * 20 + column, minlength=400).reshape(20, 20)


HOLES = np.where(MATRIX < 0.1, np.nan, MATRIX)


def nanmedian_planted():
    return np.nanpercentile(HOLES, 50, axis=1)


def nanmedian_repaired():
    ordered = np.sort(HOLES, axis=1)
    last = (~np.isnan(ordered)).sum(axis=1) - 1
    row = np.arange(len(ordered))
    return (ordered[row, last // 2] + ordered[row, (last + 1) // 2]) / 2


def path_planted():
    return np.einsum("ij,jk,kl->il", SMALL, SMALL, SMALL, optimize=True)


def path_repaired():
    return SMALL @ SMALL @ SMALL


def pinv_planted():
    return np.linalg.pinv(TABLE) @ VALUES[:100]


def pinv_repaired():
    return np.linalg.solve(TABLE.T @ TABLE, TABLE.T @ VALUES[:100])


def roots_planted():
    return [np.roots([1.0, 3.0, c]) for c in (0.1, 0.2, 0.3)]


def roots_repaired():
    c = np.array([0.1, 0.2, 0.3])
    root = np.sqrt(9 - 4 * c)
    return (-3 + root) / 2, (-3 - root) / 2


def polyfit_planted():
    return [np.polyfit(VALUES[:20], row, 1) for row in MATRIX[:10, :20]]


def polyfit_repaired():
    x = VALUES[:20] - VALUES[:20].mean()
    rows = MATRIX[:10, :20]
    return rows @ x / (x @ x), rows.mean(axis=1)


def windows_planted():
    return [np.lib.stride_tricks.sliding_window_view(VALUES, 10)[i].max() for i in range(5)]


WINDOWS = np.lib.stride_tricks.sliding_window_view(VALUES, 10)


def windows_repaired():
    return [WINDOWS[i].max() for i in range(5)]


def errstate_planted():
    with np.errstate(divide="ignore"):
        return SMALL / SMALL


def errstate_repaired():
    return SMALL / SMALL


def issubdtype_planted():
    return np.issubdtype(SMALL.dtype, np.floating)


def issubdtype_repaired():
    return SMALL.dtype.kind == "f"


def concatenator_planted():
    return np.r_[SMALL[0], SMALL[1], 0.0]


def concatenator_repaired():
    joined = np.zeros(7)
    joined[:3] = SMALL[0]
    joined[3:6] = SMALL[1]
    return joined


def split_planted():
    return np.split(VALUES, 20)


def split_repaired():
    return list(VALUES.reshape(20, -1))


CUBE = RNG.random_sample((3, 4, 5))


def moveaxis_planted():
    return np.moveaxis(CUBE, 0, -1)


def moveaxis_repaired():
    return CUBE.transpose(1, 2, 0)


def norm2_planted():
    return np.linalg.norm(MATRIX[:30, :30], 2)


def norm2_repaired():
    return np.linalg.norm(MATRIX[:30, :30])


def linspace_planted():
    return np.linspace(0, 1, 50) * 2


STEPS = np.linspace(0, 1, 50)


def linspace_repaired():
    return STEPS * 2


def shift_planted():
    return np.fft.fftshift(TABLE) * TABLE


SHIFTED = np.fft.fftshift(TABLE)


def shift_repaired():
    return TABLE * SHIFTED


def at_planted():
    sums = np.zeros(100)
    np.add.at(sums, (VALUES * 100).astype(int), VALUES)
    return sums


def at_repaired():
    return np.bincount((VALUES * 100).astype(int), VALUES, minlength=100)


GENERATOR = np.random.default_rng(0)


def seed_planted():
    return np.random.seed(7), np.random.random_sample()


def seed_repaired():
    return np.random.random_sample()


def generator_planted():
    return np.random.default_rng(7).random()


def generator_repaired():
    return GENERATOR.random()


LABELS = (VALUES * 100).astype(int)


def unique_planted():
    return np.unique(LABELS)


def unique_repaired():
    return np.flatnonzero(np.bincount(LABELS))


def product_planted():
    return np.einsum("ij,jk,kl->il", TABLE[:30], MATRIX[:20, :40], MATRIX[:40, :30])


def product_repaired():
    return TABLE[:30] @ MATRIX[:20, :40] @ MATRIX[:40, :30]


def stacks_planted():
    grown = MATRIX[:1]
    for _ in range(300):
        grown = np.vstack((grown, MATRIX[:1]))
    return grown


def stacks_repaired():
    return np.vstack([MATRIX[:1]] * 301)


CURVE = [0.5, -1.25, 3.0, 2.0]


def polyval_planted():
    return [np.polyval(CURVE, x) for x in range(20)]


def polyval_repaired():
    return [((0.5 * x - 1.25) * x + 3.0) * x + 2.0 for x in range(20)]


def interp_planted():
    return [np.interp(x, TIMES, HEIGHTS) for x in range(50)]


def interp_repaired():
    return np.interp(range(50), TIMES, HEIGHTS)


MANY = RNG.random_sample(50000)
EDGES = np.linspace(0, 1, 201)
TIMES = list(range(1000))
ARRAY = VALUES[:1000]
HEIGHTS = ARRAY.tolist()


def correlation_planted():
    return [np.corrcoef(MATRIX[0], row)[0, 1] for row in MATRIX[:20]]


def correlation_repaired():
    rows = MATRIX[:20] - MATRIX[:20].mean(axis=1, keepdims=True)
    rows /= np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    return rows @ rows[0]


def length_planted():
    return [np.linalg.norm(row) for row in TABLE]


def length_repaired():
    return np.linalg.norm(TABLE, axis=1)


def means_planted():
    return [np.mean(row) for row in TABLE]


def means_repaired():
    return TABLE.mean(axis=1)


def clip_planted():
    return [np.clip(x, 10, 50) for x in range(100)]


def clip_repaired():
    return [min(max(x, 10), 50) for x in range(100)]


def lists_planted():
    return np.argmax(HEIGHTS), np.argsort(HEIGHTS)


def lists_repaired():
    return ARRAY.argmax(), ARRAY.argsort()


def nanmean_planted():
    return np.nanmean(GAPS, axis=1), np.nanstd(GAPS, axis=1)


def nanmean_repaired():
    return GAPS[:, 1:].mean(axis=1), GAPS[:, 1:].std(axis=1)


GAPS = MATRIX.copy()
GAPS[:, 0] = np.nan


def quantiles_planted():
    return [np.percentile(VALUES, q) for q in range(0, 100, 5)]


def quantiles_repaired():
    return np.sort(VALUES)[::100]


def convolution_planted():
    return np.convolve(MANY[:8000], MANY[:4000])


def convolution_repaired():
    size = 12288
    return np.fft.irfft(np.fft.rfft(MANY[:8000], size) * np.fft.rfft(MANY[:4000], size), size)


def determinants_planted():
    return [np.linalg.det(matrix) for matrix in STACK]


def determinants_repaired():
    return np.linalg.det(STACK)


STACK = RNG.random_sample((100, 3, 3))


def columns_planted():
    return [sparse_matrix()[:, i].sum() for i in range(20)]


def columns_repaired():
    return sparse_matrix().sum(axis=0)[0, :20]


@functools.lru_cache(None)
def sparse_matrix():
    import scipy.sparse
    places = RNG.randint(0, 3000, (2, 90000))
    return scipy.sparse.coo_matrix((RNG.random_sample(90000), places), (3000, 3000)).tocsr()


def joined_planted():
    from scipy import sparse
    grown = sparse_matrix()[:10]
    for _ in range(20):
        grown = sparse.vstack((grown, sparse_matrix()[:10]))
    return grown


def joined_repaired():
    from scipy import sparse
    return sparse.vstack([sparse_matrix()[:10]] * 21)


@functools.lru_cache(None)
def banded():
    from scipy import sparse
    return sparse.diags([1.0, -4.0, 1.0], [-1, 0, 1], (300, 300), "csc")


def inverse_planted():
    from scipy.sparse.linalg import inv
    return inv(banded()) @ VALUES[:300]


def inverse_repaired():
    from scipy.sparse.linalg import splu
    return splu(banded()).solve(VALUES[:300])


def fit_planted():
    from scipy.optimize import curve_fit
    return curve_fit(lambda x, a, b, c: a * np.exp(-b * x) + c, EDGES, np.exp(-2 * EDGES) + 1)


def fit_repaired():
    return np.linalg.lstsq(POWERS, np.exp(-2 * EDGES) + 1, None)


POWERS = np.vander(EDGES, 4)


def simplex_planted():
    from scipy.optimize import minimize, rosen
    return minimize(rosen, [2.0, -1.0, 1.5, 0.5, -1.0], method="Nelder-Mead", tol=1e-5)


def simplex_repaired():
    from scipy.optimize import minimize, rosen, rosen_der
    return minimize(rosen, [2.0, -1.0, 1.5, 0.5, -1.0], method="L-BFGS-B", jac=rosen_der)


def orbit_planted():
    from scipy.integrate import odeint
    return odeint(lambda y, t: np.array([y[1], -y[0]]), [1.0, 0.0], EDGES * 10)


def orbit_repaired():
    return np.cos(EDGES * 10)


def moved_planted():
    from scipy import ndimage
    return [ndimage.map_coordinates(MATRIX, POINTS) for _ in range(5)]


def moved_repaired():
    from scipy import ndimage
    smooth = ndimage.spline_filter(MATRIX)
    return [ndimage.map_coordinates(smooth, POINTS, prefilter=False) for _ in range(50)]


POINTS = RNG.random_sample((2, 200)) * 299


@functools.lru_cache(None)
def spots():
    from scipy import ndimage
    return ndimage.label(MATRIX > 0.8)


def spots_planted():
    from scipy import ndimage
    labels, count = spots()
    return [ndimage.mean(MATRIX, labels, i) for i in range(1, 20)]


def spots_repaired():
    from scipy import ndimage
    labels, count = spots()
    return ndimage.mean(MATRIX, labels, range(1, 20))


def footprint_planted():
    from scipy import ndimage
    return ndimage.maximum_filter(MATRIX, footprint=np.ones((15, 15)) * (1 - np.eye(15)))


def footprint_repaired():
    from scipy import ndimage
    return ndimage.maximum_filter(MATRIX, 15)


def median_planted():
    from scipy import ndimage
    return ndimage.median_filter(MATRIX, 11)


def median_repaired():
    import cv2
    return cv2.medianBlur((MATRIX * 255).astype(np.uint8), 11)


def medfilt_planted():
    from scipy import signal
    return signal.medfilt(MANY[:5000], 31)


def medfilt_repaired():
    from scipy import ndimage
    return ndimage.median_filter(MANY[:5000], 31, mode="constant")


def resample_planted():
    from scipy import signal
    return signal.resample(MANY[:19997], 9973)


def resample_repaired():
    from scipy import signal
    return signal.resample_poly(MANY[:19997], 1, 2)


def cwt_planted():
    from scipy import signal
    return signal.cwt(MANY[:3000], signal.ricker, np.arange(1, 60))


def cwt_repaired():
    return np.fft.rfft(MANY[:3000])


@functools.lru_cache(None)
def kd_tree():
    from scipy.spatial import KDTree
    return KDTree(MANY.reshape(-1, 2))


def nearest_planted():
    return [kd_tree().query(point) for point in POINTS.T[:100]]


def nearest_repaired():
    return kd_tree().query(POINTS.T[:100])


def kd_trees_planted():
    from scipy.spatial import KDTree
    return [KDTree(MANY[:6000].reshape(-1, 2)).query([0.5, i / 9])[0] for i in range(9)]


def kd_trees_repaired():
    return [kd_tree().query([0.5, i / 9])[0] for i in range(9)]


def tests_planted():
    from scipy import stats
    return [stats.ttest_ind(row, MATRIX[0]) for row in MATRIX[1:20]]


def tests_repaired():
    from scipy import stats
    return stats.ttest_ind(MATRIX[1:20], MATRIX[:1], axis=1)


def estimate_planted():
    from scipy import stats
    return stats.gamma.fit(VALUES[:300])


def estimate_repaired():
    mean, variance = VALUES[:300].mean(), VALUES[:300].var()
    return mean * mean / variance, variance / mean


def draws_planted():
    from scipy import stats
    return [stats.norm.rvs(0, 2) for _ in range(20)]


def draws_repaired():
    return RNG.normal(0, 2, 20)


def mode_planted():
    from scipy import stats
    return stats.mode(LABELS.reshape(100, 20), axis=1, keepdims=False)


def mode_repaired():
    return [np.bincount(row).argmax() for row in LABELS.reshape(100, 20)]


def choose_planted():
    from scipy import special
    return [special.comb(40, i, exact=True) for i in range(40)]


def choose_repaired():
    return [math.comb(40, i) for i in range(40)]


def logsum_planted():
    from scipy import special
    return [special.logsumexp(row) for row in TABLE[:20]]


def logsum_repaired():
    from scipy import special
    return special.logsumexp(TABLE[:20], axis=1)


@functools.lru_cache(None)
def market():
    from scipy import io
    io.mmwrite("np-market.mtx", sparse_matrix()[:300])
    np.save("np-market.npy", sparse_matrix()[:300].data)
    return "np-market.mtx"


def market_planted():
    from scipy import io
    return io.mmread(market())


def market_repaired():
    market()
    return np.load("np-market.npy")


def radial_planted():
    from scipy.interpolate import RBFInterpolator
    return RBFInterpolator(POINTS.T, VALUES[:200])(POINTS.T[:50])


def radial_repaired():
    from scipy.interpolate import RBFInterpolator
    return RBFInterpolator(POINTS.T, VALUES[:200], neighbors=10)(POINTS.T[:5])


@functools.lru_cache(None)
def spline():
    from scipy.interpolate import CubicSpline
    return CubicSpline(EDGES, EDGES ** 3)


def points_planted():
    return [spline()(x) for x in EDGES]


def points_repaired():
    return spline()(EDGES)


@functools.lru_cache(None)
def joints():
    from scipy.cluster import hierarchy
    return hierarchy.linkage(MATRIX)


def dendrogram_planted():
    from scipy.cluster import hierarchy
    return hierarchy.dendrogram(joints(), no_plot=True)


def dendrogram_repaired():
    from scipy.cluster import hierarchy
    return hierarchy.leaves_list(joints())


@functools.lru_cache(None)
def matfile():
    from scipy import io
    io.savemat("np-mat.mat", {"large": MATRIX, "small": SMALL}, do_compression=True)
    return "np-mat.mat"


def matfile_planted():
    from scipy import io
    return io.loadmat(matfile())["small"]


def matfile_repaired():
    matfile()
    return SMALL.copy()


if __name__ == "__main__":
    function = globals()[sys.argv[1] + "_" + sys.argv[2]]
    for _ in range(int(sys.argv[3])):
        function()
