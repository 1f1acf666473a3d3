# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plants of well-known costs of scientific packages of Python, and their repaired twins.
#
# usage: sci.py NAME planted|repaired ROUNDS
#
# Each plant imports what it needs, so that no plant pays for another.
import sys

# ---- Maps -------------------------------------------------------------------------------


def lengths_planted(rounds):
    from geopy.distance import geodesic
    return sum(geodesic((52.5, 13.4), (48.1 + i / rounds, 11.6)).km for i in range(rounds))


def lengths_repaired(rounds):
    import numpy
    from pyproj import Geod
    i = numpy.arange(rounds)
    ones = numpy.ones(rounds)
    return Geod(ellps="WGS84").inv(13.4 * ones, 52.5 * ones, 11.6 * ones, 48.1 + i / rounds)[2].sum() / 1000


def projections_planted(rounds):
    import pyproj
    return [pyproj.Transformer.from_crs(4326, 25833).transform(52.5, 13.4)[0] for _ in range(rounds)]


def projections_repaired(rounds):
    import pyproj
    transformer = pyproj.Transformer.from_crs(4326, 25833)
    return [transformer.transform(52.5, 13.4)[0] for _ in range(rounds)]


def single_points_planted(rounds):
    import pyproj
    transformer = pyproj.Transformer.from_crs(4326, 25833)
    return sum(transformer.transform(52 + i / rounds, 13.4)[0] for i in range(rounds))


def single_points_repaired(rounds):
    import numpy
    import pyproj
    transformer = pyproj.Transformer.from_crs(4326, 25833)
    return transformer.transform(52 + numpy.arange(rounds) / rounds, numpy.full(rounds, 13.4))[0].sum()


def unions_planted(rounds):
    import shapely
    area = shapely.Polygon()
    for i in range(rounds):
        area = area.union(shapely.Point(i % 40, i // 40).buffer(0.7))
    return area.area


def unions_repaired(rounds):
    import shapely
    return shapely.unary_union([shapely.Point(i % 40, i // 40).buffer(0.7) for i in range(rounds)]).area


def inside_planted(rounds):
    import shapely
    area = shapely.Point(0, 0).buffer(1)
    points = list(shapely.points([(i / rounds, 0.3) for i in range(rounds)]))
    return sum(area.contains(p) for p in points)


def inside_repaired(rounds):
    import numpy
    import shapely
    area = shapely.Point(0, 0).buffer(1)
    shapely.prepare(area)
    return int(shapely.contains_xy(area, numpy.arange(rounds) / rounds, 0.3).sum())


def making_points_planted(rounds):
    import shapely
    return [shapely.Point(i, 2 * i) for i in range(rounds)]


def making_points_repaired(rounds):
    import numpy
    import shapely
    i = numpy.arange(rounds)
    return shapely.points(i, 2 * i)


def nearest_shops_planted(rounds):
    import geopandas
    import shapely
    shops = geopandas.GeoSeries(shapely.points([(i % 50, i // 50) for i in range(5000)]))
    return [shops.distance(shapely.Point(i % 50, 3.3)).min() for i in range(rounds)]


def nearest_shops_repaired(rounds):
    import geopandas
    import shapely
    shops = geopandas.GeoSeries(shapely.points([(i % 50, i // 50) for i in range(5000)]))
    homes = shapely.points([(i % 50, 3.3) for i in range(rounds)])
    return shops.sindex.nearest(homes, return_all=False, return_distance=True)[1].tolist()


def markers_planted(rounds):
    import folium
    world = folium.Map()
    for i in range(rounds):
        folium.Marker([50 + i / rounds, 10], popup="place %d" % i).add_to(world)
    return len(world.get_root().render())


def markers_repaired(rounds):
    import folium
    from folium.plugins import FastMarkerCluster
    world = folium.Map()
    FastMarkerCluster([[50 + i / rounds, 10] for i in range(rounds)]).add_to(world)
    return len(world.get_root().render())


# ---- Pictures and plots -----------------------------------------------------------------


def traces_planted(rounds):
    import plotly.graph_objects as go
    figure = go.Figure()
    for i in range(rounds):
        figure.add_trace(go.Scatter(x=[0, 1], y=[i, i + 1], mode="lines", line=dict(width=1)))
    return len(figure.data)


def traces_repaired(rounds):
    import plotly.graph_objects as go
    x, y = [], []
    for i in range(rounds):
        x += [0, 1, None]
        y += [i, i + 1, None]
    return len(go.Figure(go.Scatter(x=x, y=y, mode="lines", line=dict(width=1))).data)


def error_bands_planted(rounds):
    import matplotlib
    matplotlib.use("Agg")
    import pandas
    import seaborn
    data = pandas.DataFrame({"x": [i % 20 for i in range(2000)], "y": [i * 7 % 13 for i in range(2000)]})
    for _ in range(rounds):
        seaborn.lineplot(data=data, x="x", y="y")


def error_bands_repaired(rounds):
    import matplotlib
    matplotlib.use("Agg")
    import pandas
    import seaborn
    data = pandas.DataFrame({"x": [i % 20 for i in range(2000)], "y": [i * 7 % 13 for i in range(2000)]})
    for _ in range(rounds):
        seaborn.lineplot(data=data, x="x", y="y", errorbar="se")


def cell_plot_planted(rounds):
    import matplotlib
    matplotlib.use("Agg")
    import numpy
    from matplotlib import pyplot
    figure, axes = pyplot.subplots()
    values = numpy.arange(40000.0).reshape(200, 200)
    for _ in range(rounds):
        axes.pcolor(values)


def cell_plot_repaired(rounds):
    import matplotlib
    matplotlib.use("Agg")
    import numpy
    from matplotlib import pyplot
    figure, axes = pyplot.subplots()
    values = numpy.arange(40000.0).reshape(200, 200)
    for _ in range(rounds):
        axes.pcolormesh(values)


def bars_planted(rounds):
    import matplotlib
    matplotlib.use("Agg")
    import numpy
    from matplotlib import pyplot
    figure, axes = pyplot.subplots()
    for _ in range(rounds):
        axes.hist(numpy.arange(5000.0), bins=1000)


def bars_repaired(rounds):
    import matplotlib
    matplotlib.use("Agg")
    import numpy
    from matplotlib import pyplot
    figure, axes = pyplot.subplots()
    for _ in range(rounds):
        axes.hist(numpy.arange(5000.0), bins=1000, histtype="stepfilled")


def formulas_planted(rounds):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure = pyplot.figure()
    texts = [figure.text(0.1, 0.1, "") for _ in range(50)]
    for j in range(rounds):
        for i, text in enumerate(texts):
            text.set_text(r"$x_{%d} = \frac{%d}{7}$" % (i, j))
            text.get_window_extent()


def formulas_repaired(rounds):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure = pyplot.figure()
    texts = [figure.text(0.1, 0.1, "") for _ in range(50)]
    for j in range(rounds):
        for i, text in enumerate(texts):
            text.set_text("x%d = %d/7" % (i, j))
            text.get_window_extent()


def picture_colours_planted(rounds):
    import numpy
    from skimage import color, exposure
    picture = numpy.arange(300 * 300 * 3, dtype=numpy.uint32).astype(numpy.uint8).reshape(300, 300, 3)
    return [color.rgb2lab(picture).sum() for _ in range(rounds)]


def picture_colours_repaired(rounds):
    import cv2
    import numpy
    picture = numpy.arange(300 * 300 * 3, dtype=numpy.uint32).astype(numpy.uint8).reshape(300, 300, 3)
    return [cv2.cvtColor(picture, cv2.COLOR_RGB2LAB).sum() for _ in range(rounds)]


# ---- Stars ------------------------------------------------------------------------------


def star_units_planted(rounds):
    from astropy import units
    speed = 3.0 * units.km / units.s
    return sum((speed * (i * units.s)).value for i in range(rounds))


def star_units_repaired(rounds):
    from astropy import units
    speed = (3.0 * units.km / units.s).to_value("km/s")
    return sum(speed * i for i in range(rounds))


def star_places_planted(rounds):
    from astropy.coordinates import SkyCoord
    return sum(SkyCoord(i % 360, 20, unit="deg", frame="icrs").galactic.l.deg for i in range(rounds))


def star_places_repaired(rounds):
    import numpy
    from astropy.coordinates import SkyCoord
    i = numpy.arange(rounds) % 360
    return SkyCoord(i, numpy.full(rounds, 20), unit="deg", frame="icrs").galactic.l.deg.sum()


def star_times_planted(rounds):
    from astropy.time import Time
    return sum(Time("2026-11-30T18:48:%02d" % (i % 60)).mjd for i in range(rounds))


def star_times_repaired(rounds):
    from astropy.time import Time
    return Time(["2026-11-30T18:48:%02d" % (i % 60) for i in range(rounds)]).mjd.sum()


def star_rows_planted(rounds):
    from astropy.table import Table
    table = Table(names=("a", "b"), dtype=("i4", "f8"))
    for i in range(rounds):
        table.add_row((i, i / 3))
    return len(table)


def star_rows_repaired(rounds):
    from astropy.table import Table
    rows = [(i, i / 3) for i in range(rounds)]
    return len(Table(rows=rows, names=("a", "b")))


# ---- Arrays and statistics --------------------------------------------------------------


def tokens_planted(rounds):
    import dask.array
    import numpy
    values = numpy.arange(2000000)
    return [dask.array.from_array(values, chunks=500000).npartitions for _ in range(rounds)]


def tokens_repaired(rounds):
    import dask.array
    import numpy
    values = numpy.arange(2000000)
    return [dask.array.from_array(values, chunks=500000, name=False).npartitions for _ in range(rounds)]


def word_neighbours_planted(rounds):
    import numpy
    from gensim.models import KeyedVectors
    words = ["w%d" % i for i in range(2000)]
    vectors = KeyedVectors(50)
    vectors.add_vectors(words, numpy.random.default_rng(1).normal(size=(2000, 50)))
    return [vectors.most_similar(words[i % 2000])[0][0] for i in range(rounds)]


def word_neighbours_repaired(rounds):
    import numpy
    from gensim.models import KeyedVectors
    words = ["w%d" % i for i in range(2000)]
    vectors = KeyedVectors(50)
    vectors.add_vectors(words, numpy.random.default_rng(1).normal(size=(2000, 50)))
    unit = vectors.get_normed_vectors()
    near = (unit @ unit.T).argpartition(-2, axis=1)[:, -2]
    return [words[near[i % 2000]] for i in range(rounds)]


def single_roots_planted(rounds):
    from scipy import optimize
    return sum(optimize.newton(lambda x, a=1 + i / rounds: x * x - a, 1.0) for i in range(rounds))


def single_roots_repaired(rounds):
    import numpy
    from scipy import optimize
    a = 1 + numpy.arange(rounds) / rounds
    return optimize.newton(lambda x: x * x - a, numpy.ones(rounds)).sum()


def small_programs_planted(rounds):
    from scipy.optimize import linprog
    return sum(linprog([1, 2], A_ub=[[-1, -1]], b_ub=[-1 - i], bounds=(0, None)).fun for i in range(rounds))


def small_programs_repaired(rounds):
    import numpy
    from scipy import sparse
    from scipy.optimize import linprog
    rows = sparse.kron(sparse.eye(rounds), [[-1, -1]], format="csr")
    return linprog(numpy.tile([1, 2], rounds), A_ub=rows, b_ub=-1 - numpy.arange(rounds), bounds=(0, None)).fun


def turns_planted(rounds):
    from scipy.spatial.transform import Rotation
    return [Rotation.from_euler("xyz", [i, 20, 30], degrees=True).apply([1, 0, 0])[0] for i in range(rounds)]


def turns_repaired(rounds):
    import numpy
    from scipy.spatial.transform import Rotation
    angles = numpy.column_stack([numpy.arange(rounds), numpy.full(rounds, 20), numpy.full(rounds, 30)])
    return Rotation.from_euler("xyz", angles, degrees=True).apply([1, 0, 0])[:, 0]


def evolution(rounds, **options):
    from scipy.optimize import differential_evolution
    return differential_evolution(lambda x: (x * x).sum(0), [(-5, 5)] * 5, maxiter=rounds, tol=0,
                                  polish=False, popsize=20, seed=1, **options).fun


def one_candidate_planted(rounds):
    return evolution(rounds)


def one_candidate_repaired(rounds):
    return evolution(rounds, vectorized=True, updating="deferred")


def binned_planted(rounds):
    import numpy
    from scipy.stats import binned_statistic
    x = numpy.arange(20000) % 997
    return [binned_statistic(x, x, "mean", bins=100, range=(0, 1000))[0][0] for _ in range(rounds)]


def binned_repaired(rounds):
    import numpy
    x = numpy.arange(20000) % 997
    return [(numpy.bincount(x // 10, x) / numpy.bincount(x // 10))[0] for _ in range(rounds)]


def choices_planted(rounds):
    import numpy
    weights = numpy.full(50, 1 / 50)
    return sum(numpy.random.choice(50, p=weights) for _ in range(rounds))


def choices_repaired(rounds):
    import numpy
    weights = numpy.full(50, 1 / 50)
    return sum(numpy.random.choice(50, rounds, p=weights).tolist())


def medians_planted(rounds):
    import numpy
    rows = numpy.arange(rounds * 20.0).reshape(rounds, 20)
    return sum(numpy.median(row) for row in rows)


def medians_repaired(rounds):
    import numpy
    rows = numpy.arange(rounds * 20.0).reshape(rounds, 20)
    return numpy.median(rows, axis=1).sum()


def grey_counts_planted(rounds):
    import numpy
    picture = (numpy.arange(40000) % 251).astype(numpy.uint8)
    return [numpy.histogram(picture, 256, (0, 256))[0][7] for _ in range(rounds)]


def grey_counts_repaired(rounds):
    import numpy
    picture = (numpy.arange(40000) % 251).astype(numpy.uint8)
    return [numpy.bincount(picture, minlength=256)[7] for _ in range(rounds)]


def pieces_planted(rounds):
    import numpy
    x = numpy.linspace(-1, 1, 200)
    return sum(numpy.select([x < 0, x >= 0], [x * 2, x * 3])[0] for _ in range(rounds))


def pieces_repaired(rounds):
    import numpy
    x = numpy.linspace(-1, 1, 200)
    return sum(numpy.where(x < 0, x * 2, x * 3)[0] for _ in range(rounds))


def spectra_planted(rounds):
    import numpy
    rows = numpy.arange(rounds * 64.0).reshape(rounds, 64) % 7
    return sum(abs(numpy.fft.rfft(row))[1] for row in rows)


def spectra_repaired(rounds):
    import numpy
    rows = numpy.arange(rounds * 64.0).reshape(rounds, 64) % 7
    return abs(numpy.fft.rfft(rows, axis=1))[:, 1].sum()


def slopes_planted(rounds):
    import numpy
    rows = numpy.arange(rounds * 30.0).reshape(rounds, 30) % 7
    return sum(numpy.gradient(row)[3] for row in rows)


def slopes_repaired(rounds):
    import numpy
    rows = numpy.arange(rounds * 30.0).reshape(rounds, 30) % 7
    return numpy.gradient(rows, axis=1)[:, 3].sum()


def short_series_planted(rounds):
    import pandas
    a = pandas.Series([1.0, 2.0, 3.0])
    for _ in range(rounds):
        a = a * 0.5 + 1.0
    return a.tolist()


def short_series_repaired(rounds):
    import pandas
    a = pandas.Series([1.0, 2.0, 3.0]).to_numpy()
    for _ in range(rounds):
        a = a * 0.5 + 1.0
    return a.tolist()


def single_merges_planted(rounds):
    import pandas
    prices = pandas.DataFrame({"part": range(100), "price": range(100)})
    total = 0
    for i in range(rounds):
        total += pandas.DataFrame({"part": [i % 100]}).merge(prices, on="part")["price"].sum()
    return total


def single_merges_repaired(rounds):
    import pandas
    prices = pandas.DataFrame({"part": range(100), "price": range(100)})
    orders = pandas.DataFrame({"part": [i % 100 for i in range(rounds)]})
    return orders.merge(prices, on="part")["price"].sum()


def missing_planted(rounds):
    import pandas
    values = [1.0, float("nan"), 3.0, None]
    return sum(pandas.isna(values[i % 4]) for i in range(rounds))


def missing_repaired(rounds):
    values = [1.0, float("nan"), 3.0, None]
    return sum(v is None or v != v for v in (values[i % 4] for i in range(rounds)))


def models_planted(rounds):
    import numpy
    from statsmodels.tsa.arima.model import ARIMA
    series = numpy.random.default_rng(1).normal(size=60 + rounds)
    return [ARIMA(series[:60 + i], order=(1, 0, 0)).fit().forecast()[0] for i in range(rounds)]


def models_repaired(rounds):
    import numpy
    from statsmodels.tsa.arima.model import ARIMA
    series = numpy.random.default_rng(1).normal(size=60 + rounds)
    result, forecasts = ARIMA(series[:60], order=(1, 0, 0)).fit(), []
    for i in range(rounds):
        result = result.append(series[60 + i:61 + i], refit=False)
        forecasts.append(result.forecast()[0])
    return forecasts


# ---- Formulas, numbers and graphs -------------------------------------------------------


def exact_roots_planted(rounds):
    import sympy
    total = 0
    for i in range(rounds):
        total += float(sympy.sqrt(i) * 2.5)
    return total


def exact_roots_repaired(rounds):
    import math
    total = 0
    for i in range(rounds):
        total += math.sqrt(i) * 2.5
    return total


def parsed_formulas_planted(rounds):
    import sympy
    return [len(sympy.sympify("x**2 + %d*x" % (i % 7)).args) for i in range(rounds)]


def parsed_formulas_repaired(rounds):
    import sympy
    x, a = sympy.symbols("x a")
    formula = x**2 + a * x
    return [len(formula.args) for i in range(rounds)]


def primes_planted(rounds):
    import sympy
    return sum(sympy.isprime(i) for i in range(rounds))


def primes_repaired(rounds):
    import sympy
    primes = set(sympy.sieve.primerange(rounds))
    return sum(i in primes for i in range(rounds))


def long_numbers_planted(rounds):
    import mpmath
    x = mpmath.mpf("0.5")
    for _ in range(rounds):
        x = mpmath.mpf("3.5") * x * (1 - x)
    return x


def long_numbers_repaired(rounds):
    x = 0.5
    for _ in range(rounds):
        x = 3.5 * x * (1 - x)
    return x


def same_graphs_planted(rounds):
    import networkx as nx
    a, b = nx.cycle_graph(60), nx.path_graph(60)
    a.add_edge(0, 30)
    b.add_edge(0, 30)
    b.add_edge(5, 40)
    return [nx.is_isomorphic(a, a) for _ in range(rounds)]


def same_graphs_repaired(rounds):
    import networkx as nx
    a = nx.cycle_graph(60)
    a.add_edge(0, 30)
    return [sorted(d for _, d in a.degree()) == sorted(d for _, d in a.degree()) for _ in range(rounds)]


def growing_parts_planted(rounds):
    import networkx as nx
    g, parts = nx.empty_graph(300), 0
    for i in range(rounds):
        g.add_edge(i * 7 % 300, i * 11 % 300)
        parts += nx.number_connected_components(g)
    return parts


def growing_parts_repaired(rounds):
    from networkx.utils import UnionFind
    sets, parts, count = UnionFind(range(300)), 0, 300
    for i in range(rounds):
        a, b = i * 7 % 300, i * 11 % 300
        if sets[a] != sets[b]:
            sets.union(a, b)
            count -= 1
        parts += count
    return parts


def communities_planted(rounds):
    import networkx as nx
    g = nx.connected_caveman_graph(rounds, 8)
    return len(nx.community.greedy_modularity_communities(g))


def communities_repaired(rounds):
    import networkx as nx
    g = nx.connected_caveman_graph(rounds, 8)
    return len(list(nx.connected_components(g)))


def graph_matrices_planted(rounds):
    import networkx as nx
    g = nx.cycle_graph(300)
    return [nx.to_numpy_array(g)[0, 1] for _ in range(rounds)]


def graph_matrices_repaired(rounds):
    import networkx as nx
    g = nx.cycle_graph(300)
    a = nx.to_numpy_array(g)
    return [a[0, 1] for _ in range(rounds)]


def followers_planted(rounds):
    import networkx as nx
    g = nx.DiGraph((i, i + 1) for i in range(300))
    return [5 in nx.descendants(g, i % 300) for i in range(rounds)]


def followers_repaired(rounds):
    import networkx as nx
    g = nx.DiGraph((i, i + 1) for i in range(300))
    below = nx.ancestors(g, 5)
    return [i % 300 in below for i in range(rounds)]


if __name__ == "__main__":
    globals()["%s_%s" % (sys.argv[1], sys.argv[2])](int(sys.argv[3]))
