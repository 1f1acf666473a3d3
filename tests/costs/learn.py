# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plants of well-known costs of scikit-learn, JAX, ONNX Runtime, XGBoost, h5py, matplotlib, Pillow
# and other libraries of numbers and data, and their repaired twins.
#
# usage: learn.py NAME planted|repaired ROUNDS
import functools
import io
import os
import sys
import tempfile

for pool in "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS":
    os.environ[pool] = "1"

import numpy as np

random = np.random.default_rng(0)
X = random.random((2000, 10))
y = (X[:, 0] + 0.3 * random.random(2000) > 0.65).astype(int)


@functools.cache
def linear():
    from sklearn.linear_model import LogisticRegression
    return LogisticRegression().fit(X, y)


def rows_planted():
    model = linear()
    return [model.predict(X[i:i + 1]) for i in range(100)]


def rows_repaired():
    return linear().predict(X[:100])


@functools.cache
def wide():
    return random.random((2000, 40)), random.integers(0, 2, 2000)


def tree_planted():
    from sklearn.neighbors import KNeighborsClassifier
    return KNeighborsClassifier(algorithm="kd_tree").fit(*wide()).predict(wide()[0])


def tree_repaired():
    from sklearn.neighbors import KNeighborsClassifier
    return KNeighborsClassifier(algorithm="brute").fit(*wide()).predict(wide()[0])


@functools.cache
def columns():
    return random.random((600, 300))


def pca_planted():
    from sklearn.decomposition import PCA
    return PCA(5, svd_solver="full").fit_transform(columns())


def pca_repaired():
    from sklearn.decomposition import PCA
    return PCA(5, svd_solver="randomized").fit_transform(columns())


def svc_planted():
    from sklearn.svm import SVC
    return SVC(kernel="linear").fit(X, y)


def svc_repaired():
    from sklearn.svm import LinearSVC
    return LinearSVC().fit(X, y)


def split_planted():
    from sklearn.model_selection import train_test_split
    return train_test_split(X, y)


@functools.cache
def splits():
    from sklearn.model_selection import ShuffleSplit
    return next(ShuffleSplit(1).split(X))


def split_repaired():
    training, test = splits()
    return X[training], X[test], y[training], y[test]


@functools.cache
def categories():
    from sklearn.preprocessing import OneHotEncoder
    return OneHotEncoder().fit_transform(random.integers(0, 500, (2000, 1)))


def onehot_planted():
    return categories().toarray()[:, 0].sum()


def onehot_repaired():
    return categories()[:, [0]].sum()


@functools.cache
def labels():
    from sklearn.preprocessing import LabelEncoder
    encoder = LabelEncoder().fit(["a", "b", "c"])
    return encoder, {label: i for i, label in enumerate(encoder.classes_)}


def labels_planted():
    encoder = labels()[0]
    return [encoder.transform([label])[0] for label in "abcabcabc"]


def labels_repaired():
    codes = labels()[1]
    return [codes[label] for label in "abcabcabc"]


@functools.cache
def forest():
    from sklearn.ensemble import RandomForestClassifier
    return RandomForestClassifier(10).fit(X, y)


def importance_planted():
    from sklearn.inspection import permutation_importance
    return permutation_importance(forest(), X, y)


def importance_repaired():
    return forest().feature_importances_


def tsne_planted():
    from sklearn.manifold import TSNE
    return TSNE(method="exact", init="random", max_iter=250, perplexity=10).fit_transform(X[:600])


def tsne_repaired():
    from sklearn.manifold import TSNE
    return TSNE(init="random", max_iter=250, perplexity=10).fit_transform(X[:600])


def silhouette_planted():
    from sklearn.metrics import silhouette_score
    return silhouette_score(X, y)


def silhouette_repaired():
    from sklearn.metrics import davies_bouldin_score
    return davies_bouldin_score(X, y)


def elimination_planted():
    from sklearn.feature_selection import RFE
    from sklearn.linear_model import LogisticRegression
    return RFE(LogisticRegression(), n_features_to_select=2).fit(X, y)


def elimination_repaired():
    from sklearn.feature_selection import SelectFromModel
    from sklearn.linear_model import LogisticRegression
    return SelectFromModel(LogisticRegression(), max_features=2).fit(X, y)


def polynomial(x):
    return x * x + 3 * x - 1


@functools.cache
def jax_polynomial():
    import jax
    return jax.jit(polynomial)


@functools.cache
def vector():
    import jax.numpy as jnp
    return jnp.arange(100.0)


def eager_planted():
    return polynomial(vector())


def eager_repaired():
    return jax_polynomial()(vector())


def shapes_planted():
    import jax.numpy as jnp
    shapes_planted.size = getattr(shapes_planted, "size", 10) + 1
    return jax_polynomial()(jnp.asarray(np.ones(shapes_planted.size, np.float32)))


def shapes_repaired():
    import jax.numpy as jnp
    return jax_polynomial()(jnp.asarray(np.ones(1000, np.float32)))


def elements_planted():
    return sum(float(vector()[i]) for i in range(100))


def elements_repaired():
    return sum(np.asarray(vector()).tolist())


def update_planted():
    squares = vector()
    for i in range(100):
        squares = squares.at[i].set(i * i)
    return squares


def update_repaired():
    import jax.numpy as jnp
    squares = np.empty(100)
    for i in range(100):
        squares[i] = i * i
    return jnp.asarray(squares)


@functools.cache
def network():
    from onnx import TensorProto, helper, numpy_helper
    weights = numpy_helper.from_array(random.random((256, 256)).astype(np.float32), "W")
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "W"], ["y"])], "product",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 256])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 256])], [weights])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    return model.SerializeToString()


@functools.cache
def options():
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return options


@functools.cache
def session():
    import onnxruntime
    return onnxruntime.InferenceSession(network(), options())


INPUT = {"x": np.ones((1, 256), np.float32)}


def session_planted():
    import onnxruntime
    return onnxruntime.InferenceSession(network(), options()).run(None, INPUT)


def session_repaired():
    return session().run(None, INPUT)


@functools.cache
def booster():
    import xgboost
    return xgboost.train({"nthread": 1}, xgboost.DMatrix(X, y), 5)


def matrix_planted():
    import xgboost
    return booster().predict(xgboost.DMatrix(X[:1], nthread=1))


def matrix_repaired():
    return booster().inplace_predict(X[:1])


@functools.cache
def hdf5():
    import h5py
    path = tempfile.mktemp()
    with h5py.File(path, "w") as file:
        file.create_dataset("packed", data=X[:, :8], chunks=(2000, 8), compression="gzip")
        file.create_dataset("plain", data=X)
        file.attrs["scale"] = 2.0
    file = h5py.File(path, "r", rdcc_nbytes=0)
    os.unlink(path)
    return file


def chunks_planted():
    dataset = hdf5()["packed"]
    return sum(dataset[i, 0] for i in range(100))


def chunks_repaired():
    return hdf5()["packed"][:100, 0].sum()


@functools.cache
def some_rows():
    return sorted(random.choice(2000, 700, replace=False))


def rows_of_file_planted():
    return hdf5()["plain"][some_rows()].sum()


def rows_of_file_repaired():
    return hdf5()["plain"][:][some_rows()].sum()


def names_planted():
    file = hdf5()
    return sum(file["plain"][i, 0] for i in range(100))


def names_repaired():
    dataset = hdf5()["plain"]
    return sum(dataset[i, 0] for i in range(100))


def attributes_planted():
    file = hdf5()
    return sum(value * file.attrs["scale"] for value in range(100))


def attributes_repaired():
    scale = hdf5().attrs["scale"]
    return sum(value * scale for value in range(100))


@functools.cache
def axes():
    import matplotlib
    matplotlib.use("agg")
    from matplotlib import pyplot
    figure, of_figure = pyplot.subplots()
    line, = of_figure.plot(X[:100, 0], label="first")
    return figure, of_figure, line


def figure_planted():
    axes()
    from matplotlib import pyplot
    figure, of_figure = pyplot.subplots()
    pyplot.close(figure)


def figure_repaired():
    axes()[2].set_ydata(X[:100, 0])


def layout_planted():
    axes()[0].tight_layout()


def layout_repaired():
    axes()[0].subplots_adjust(left=0.1, right=0.95)


def points_planted():
    of_figure = axes()[1]
    for x, height in X[:100, :2]:
        of_figure.plot(x, height, "o")
    of_figure.cla()


def points_repaired():
    of_figure = axes()[1]
    of_figure.plot(X[:100, 0], X[:100, 1], "o")
    of_figure.cla()


@functools.cache
def curves():
    for column in range(10):
        axes()[1].plot(X[:, column], label=str(column))
    return axes()


def legend_planted():
    figure, of_figure, _ = curves()
    of_figure.legend(loc="best").get_window_extent()


def legend_repaired():
    figure, of_figure, _ = curves()
    of_figure.legend(loc="upper right").get_window_extent()


def fonts_planted():
    from matplotlib import font_manager
    return len(font_manager.FontManager().ttflist)


def fonts_repaired():
    from matplotlib import font_manager
    return len(font_manager.fontManager.ttflist)


@functools.cache
def image():
    from PIL import Image
    return Image.fromarray((255 * random.random((100, 100, 3))).astype(np.uint8))


def pixels_planted():
    picture = image()
    return [picture.getpixel((x, 0)) for x in range(100)]


def pixels_repaired():
    return np.asarray(image())[0].tolist()


def png_planted():
    image().save(io.BytesIO(), "png", optimize=True)


def png_repaired():
    image().save(io.BytesIO(), "bmp")


GRAYS = [i % 256 for i in range(10000)]
GRAY = np.array(GRAYS, np.uint8).reshape(100, 100)


def data_planted():
    from PIL import Image
    picture = Image.new("L", (100, 100))
    picture.putdata(GRAYS)
    return picture


def data_repaired():
    from PIL import Image
    return Image.fromarray(GRAY)


@functools.cache
def font_path():
    import matplotlib
    return matplotlib.get_data_path() + "/fonts/ttf/DejaVuSans.ttf"


def load_font():
    from PIL import ImageFont
    return ImageFont.truetype(font_path(), 12)


@functools.cache
def font():
    return load_font()


def truetype_planted():
    return load_font().getlength("some text")


def truetype_repaired():
    return font().getlength("some text")


def probable_planted():
    from sklearn.svm import SVC
    SVC(probability=True, random_state=0).fit(X[:300], y[:300])


def probable_repaired():
    from sklearn.svm import SVC
    SVC().fit(X[:300], y[:300])


@functools.cache
def threaded_forest(workers):
    from sklearn.ensemble import RandomForestClassifier
    made = RandomForestClassifier(10, random_state=0, n_jobs=2).fit(X, y)
    return made.set_params(n_jobs=workers)


def trees_planted():
    threaded_forest(2).predict_proba(X[:1])


def trees_repaired():
    threaded_forest(1).predict_proba(X[:1])


@functools.cache
def movie():
    from PIL import Image
    file = io.BytesIO()
    frames = [Image.fromarray(np.roll(GRAY, 7 * i)).convert("P") for i in range(20)]
    frames[0].save(file, "gif", save_all=True, append_images=frames[1:])
    return file


def shown(order):
    from PIL import Image
    with Image.open(movie()) as frames:
        total = 0
        for i in order:
            frames.seek(i)
            total += frames.convert("L").getpixel((i, i))
    return total


def frames_planted():
    return shown(range(19, -1, -1))


def frames_repaired():
    return shown(range(20))


def boosting_planted():
    from sklearn.ensemble import GradientBoostingClassifier
    return GradientBoostingClassifier(n_estimators=20).fit(X, y)


def boosting_repaired():
    from sklearn.ensemble import HistGradientBoostingClassifier
    return HistGradientBoostingClassifier(max_iter=20).fit(X, y)


@functools.cache
def holes():
    holes = X[:1000].copy()
    holes[random.random(holes.shape) < 0.1] = np.nan
    return holes


def impute_planted():
    from sklearn.impute import KNNImputer
    return KNNImputer().fit_transform(holes())


def impute_repaired():
    from sklearn.impute import SimpleImputer
    return SimpleImputer().fit_transform(holes())


def chained_planted():
    import sklearn.experimental.enable_iterative_imputer
    from sklearn.impute import IterativeImputer
    return IterativeImputer(max_iter=3).fit_transform(holes())


def chained_repaired():
    from sklearn.impute import SimpleImputer
    return SimpleImputer(strategy="median").fit_transform(holes())


def information_planted():
    from sklearn.feature_selection import mutual_info_classif
    return mutual_info_classif(X, y)


def information_repaired():
    from sklearn.feature_selection import f_classif
    return f_classif(X, y)


def scores_planted():
    from sklearn.metrics import accuracy_score, f1_score
    return [(accuracy_score(y[i:i + 20], y[:20]), f1_score(y[i:i + 20], y[:20]))
            for i in range(10)]


def scores_repaired():
    return [(y[i:i + 20] == y[:20]).mean() for i in range(10)]


def searched(memory):
    from sklearn.decomposition import PCA
    from sklearn.model_selection import GridSearchCV
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import Pipeline
    steps = [("pca", PCA(5, svd_solver="full")), ("bayes", GaussianNB())]
    smoothing = {"bayes__var_smoothing": [1e-9, 1e-6, 1e-3, 1e-1, 1]}
    return GridSearchCV(Pipeline(steps, memory=memory), smoothing, cv=3)


def search_planted():
    return searched(None).fit(columns(), y[:600])


def search_repaired():
    from sklearn.decomposition import PCA
    from sklearn.model_selection import GridSearchCV
    from sklearn.naive_bayes import GaussianNB
    few = PCA(5, svd_solver="full").fit_transform(columns())
    return GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1e-6, 1e-3]}, cv=3).fit(few, y[:600])


def alike_planted():
    from sklearn.metrics.pairwise import cosine_similarity
    return cosine_similarity(wide_rows())[0, :5]


@functools.cache
def wide_rows():
    return random.random((4600, 40))


def alike_repaired():
    from sklearn.metrics.pairwise import cosine_similarity
    return cosine_similarity(wide_rows()[:1], wide_rows())[0, :5]


TEXTS = ["word%d and word%d of text %d" % (i % 50, i % 37, i) for i in range(300)]


def vectors_planted():
    from sklearn.feature_extraction.text import TfidfVectorizer
    return [TfidfVectorizer().fit_transform(TEXTS)[i] for i in range(4)]


@functools.cache
def vectorized():
    from sklearn.feature_extraction.text import TfidfVectorizer
    return TfidfVectorizer().fit_transform(TEXTS)


def vectors_repaired():
    return [vectorized()[i] for i in range(4)]


def spectral_planted():
    from sklearn.cluster import AffinityPropagation
    return AffinityPropagation(max_iter=30, random_state=0).fit(X[:300])


def spectral_repaired():
    from sklearn.cluster import MiniBatchKMeans
    return MiniBatchKMeans(8, n_init=1).fit(X[:300])


@functools.cache
def photo():
    from PIL import Image
    file = io.BytesIO()
    Image.fromarray(np.kron(random.integers(0, 255, (60, 80, 3), dtype=np.uint8),
                            np.ones((20, 20, 1), np.uint8))).save(file, "jpeg")
    return file


def thumbnail_planted():
    from PIL import Image
    return Image.open(photo()).resize((80, 60))


def thumbnail_repaired():
    from PIL import Image
    small = Image.open(photo())
    small.thumbnail((80, 60))
    return small


def dots_planted():
    from PIL import Image, ImageDraw
    picture = Image.new("L", (100, 100))
    draw = ImageDraw.Draw(picture)
    for i in range(1000):
        draw.point((i % 100, i // 100), i % 256)
    return picture


def dots_repaired():
    from PIL import Image
    pixels = np.zeros((100, 100), np.uint8)
    pixels.ravel()[:1000] = np.arange(1000) % 256
    return Image.fromarray(pixels)


def rank_planted():
    from PIL import ImageFilter
    return image().filter(ImageFilter.MedianFilter(9))


def rank_repaired():
    from PIL import ImageFilter
    return image().filter(ImageFilter.BoxBlur(4))


@functools.cache
def axes_of_numbers():
    import matplotlib
    matplotlib.use("agg")
    from matplotlib import pyplot
    return pyplot.figure().add_subplot()


def cleared_planted():
    axes_of_numbers().clear()
    axes_of_numbers().plot([1, 2, 3])


def cleared_repaired():
    curve().set_data([1, 2, 3], [1, 2, 3])


@functools.cache
def curve():
    return axes_of_numbers().plot([1, 2, 3])[0]


def tight_planted():
    axes_of_numbers().figure.savefig(io.BytesIO(), format="raw", bbox_inches="tight")


def tight_repaired():
    axes_of_numbers().figure.savefig(io.BytesIO(), format="raw")


def boxes_planted():
    from matplotlib.patches import Rectangle
    for i in range(20):
        axes_of_numbers().add_patch(Rectangle((i, i), 1, 1))
    while axes_of_numbers().patches:
        axes_of_numbers().patches[0].remove()


def boxes_repaired():
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle
    boxes = PatchCollection([Rectangle((i, i), 1, 1) for i in range(20)])
    axes_of_numbers().add_collection(boxes)
    boxes.remove()


@functools.cache
def graph():
    import networkx
    return networkx.gnm_random_graph(100, 300, seed=0)


@functools.cache
def table():
    import pandas
    return pandas.DataFrame(X[:200, :3], columns=list("abc"))


def formula_planted():
    import statsmodels.formula.api as models
    return [models.ols("a ~ b + c", table()).fit().params for _ in range(3)]


def formula_repaired():
    design = np.column_stack((np.ones(200), X[:200, 1:3]))
    return [np.linalg.lstsq(design, X[:200, 0], None)[0] for _ in range(3)]


def regress_planted():
    import statsmodels.api as models
    return [models.OLS(X[i:i + 20, 0], X[i:i + 20, 1:3]).fit().params for i in range(20)]


def regress_repaired():
    return [np.linalg.lstsq(X[i:i + 20, 1:3], X[i:i + 20, 0], None)[0] for i in range(20)]


def lowess_planted():
    from statsmodels.nonparametric.smoothers_lowess import lowess
    return lowess(X[:500, 0], X[:500, 1])


def lowess_repaired():
    from statsmodels.nonparametric.smoothers_lowess import lowess
    return lowess(X[:500, 0], X[:500, 1], delta=0.01)


def lags_planted():
    from statsmodels.tsa.stattools import adfuller
    return adfuller(X[:, 0])[0]


def lags_repaired():
    from statsmodels.tsa.stattools import adfuller
    return adfuller(X[:, 0], 5, autolag=None)[0]


def distance_planted():
    from nltk import edit_distance
    return [edit_distance(TEXTS[0], text) for text in TEXTS[:5]]


def distance_repaired():
    import difflib
    return [difflib.SequenceMatcher(None, TEXTS[0], text).ratio() for text in TEXTS[:5]]


@functools.cache
def stemmer():
    from nltk.stem import PorterStemmer
    return PorterStemmer()


@functools.cache
def stem(word):
    return stemmer().stem(word)


WORDS = ["running", "connection", "happiness", "relational"] * 25


def stems_planted():
    return [stemmer().stem(word) for word in WORDS]


def stems_repaired():
    return [stem(word) for word in WORDS]


@functools.cache
def stopwords():
    from nltk.corpus.reader import WordListCorpusReader
    with open("learn-stopwords", "w") as file:
        file.write("\n".join("word%d" % i for i in range(200)))
    return WordListCorpusReader(".", "learn-stopwords")


@functools.cache
def stopset():
    return set(stopwords().words("learn-stopwords"))


def stopped_planted():
    return [word for word in WORDS[:20] if word not in stopwords().words("learn-stopwords")]


def stopped_repaired():
    return [word for word in WORDS[:20] if word not in stopset()]


def compiled_planted():
    import numba
    compiled = numba.njit(lambda x: x * x + 1)
    return compiled(2.0)


@functools.cache
def compiled():
    import numba
    return numba.njit(lambda x: x * x + 1)


def compiled_repaired():
    return [compiled()(2.0) for _ in range(1000)]


@functools.cache
def typed():
    import numba
    return numba.typed.List(range(100))


def typed_planted():
    return sum(typed()[i] for i in range(100))


@functools.cache
def summer():
    import numba
    return numba.njit(lambda values: sum([value for value in values]))


def typed_repaired():
    return summer()(X[:100, 0])


@functools.cache
def chunks_of_zarr():
    import zarr
    return zarr.array(X, chunks=(2000, 10))


def zarr_planted():
    return [chunks_of_zarr()[i] for i in range(50)]


def zarr_repaired():
    return list(chunks_of_zarr()[:][:50])


@functools.cache
def labelled():
    import xarray
    return xarray.DataArray(X, dims=("row", "column"), coords={"row": np.arange(2000)})


def labels_of_rows_planted():
    return [float(labelled().sel(row=i)[0]) for i in range(20)]


def labels_of_rows_repaired():
    return [float(row[0]) for row in labelled().values[:20]]


@functools.cache
def netcdf():
    import netCDF4
    file = netCDF4.Dataset("learn.nc", "w", diskless=True)
    file.createDimension("row", 2000)
    file.createDimension("column", 10)
    file.createVariable("x", "f8", ("row", "column"))[:] = X
    return file


def steps_planted():
    return [netcdf()["x"][i].sum() for i in range(50)]


def steps_repaired():
    return netcdf()["x"][:50].sum(axis=1)


def grown_planted():
    import h5py
    with h5py.File("grown.h5", "w", driver="core", backing_store=False) as file:
        grown = file.create_dataset("x", (0, 10), maxshape=(None, 10))
        for i in range(100):
            grown.resize(i + 1, 0)
            grown[i] = X[i]


def grown_repaired():
    import h5py
    with h5py.File("grown.h5", "w", driver="core", backing_store=False) as file:
        file.create_dataset("x", data=X[:100])


def many_sets_planted():
    import h5py
    with h5py.File("many.h5", "w", driver="core", backing_store=False) as file:
        for i in range(100):
            file.create_dataset("x%d" % i, data=X[i])


def many_sets_repaired():
    import h5py
    with h5py.File("many.h5", "w", driver="core", backing_store=False) as file:
        file.create_dataset("x", data=X[:100])


def warped_planted():
    from skimage.transform import rotate
    return rotate(GRAY, 10)


def warped_repaired():
    from PIL import Image
    return Image.fromarray(GRAY).rotate(10)


@functools.cache
def regions():
    from skimage.measure import label
    return label(random.random((100, 100)) > 0.8)


def regions_planted():
    from skimage.measure import regionprops
    return [(region.area, region.solidity) for region in regionprops(regions())[:40]]


def regions_repaired():
    from scipy.ndimage import sum_labels
    return sum_labels(np.ones(regions().shape), regions(), range(1, 41))


@functools.cache
def word_vectors():
    from gensim.models import KeyedVectors
    vectors = KeyedVectors(50)
    vectors.add_vectors(["word%d" % i for i in range(500)], random.random((500, 50)))
    vectors.save_word2vec_format("learn-vectors.txt")
    vectors.save("learn-vectors.kv")
    return KeyedVectors


def load_vectors_planted():
    return word_vectors().load_word2vec_format("learn-vectors.txt")


def load_vectors_repaired():
    return word_vectors().load("learn-vectors.kv", mmap="r")


function = globals()[sys.argv[1] + "_" + sys.argv[2]]
for _ in range(int(sys.argv[3])):
    function()
