# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plants of well-known costs of NumPy, and their repaired twins.
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


if __name__ == "__main__":
    function = globals()[sys.argv[1] + "_" + sys.argv[2]]
    for _ in range(int(sys.argv[3])):
        function()
