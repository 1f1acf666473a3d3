# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plants of well-known costs of pandas, SciPy, Polars and NumPy 2, and their repaired twins.
# The first word of a plant's name is the library that it needs.
#
# usage: pd.py NAME planted|repaired ROUNDS
import datetime
import functools
import io
import math
import os
import sys

# Threads that wait for work would take processor time in the planted program alone.
os.environ.update(OPENBLAS_NUM_THREADS="1", POLARS_MAX_THREADS="1")

import numpy as np

LIBRARY = sys.argv[1].split("_")[0] if len(sys.argv) > 1 else "all"
if LIBRARY in ("pandas", "all"):
    import pandas as pd
if LIBRARY in ("polars", "all"):
    import polars as pl
if LIBRARY in ("scipy", "all"):
    import scipy
    import scipy.fft
    import scipy.sparse.linalg
    import scipy.spatial
    import scipy.spatial.distance

cached = functools.lru_cache(None)
RNG = np.random.default_rng(0)
VALUES = RNG.random(2000)
KEYS = RNG.integers(0, 200, 2000)
NAMES = ["name %d" % key for key in KEYS]


# ---- NumPy ----

LEFT = RNG.random((40, 40))
WHOLE = RNG.integers(0, 9, (80, 80))
HALF = RNG.random((60, 60)).astype(np.float16)


def numpy_einsum3_planted():
    return np.einsum("ij,jk,kl->il", LEFT, LEFT, LEFT)


def numpy_einsum3_repaired():
    return LEFT @ LEFT @ LEFT


def numpy_einsum2_planted():
    return np.einsum("ij,jk->ik", LEFT, LEFT)


def numpy_einsum2_repaired():
    return LEFT @ LEFT


def numpy_intmatmul_planted():
    return WHOLE @ WHOLE


def numpy_intmatmul_repaired():
    return (WHOLE.astype(float) @ WHOLE.astype(float)).astype(int)


def numpy_halfmatmul_planted():
    return HALF @ HALF


def numpy_halfmatmul_repaired():
    return HALF.astype(np.float32) @ HALF.astype(np.float32)


PRIME = RNG.random(4099)


def numpy_fftprime_planted():
    return np.fft.fft(PRIME)


def numpy_fftprime_repaired():
    return np.fft.fft(PRIME, 4320)


def numpy_choice_planted():
    return np.random.choice(20000, 10, replace=False)


def numpy_choice_repaired():
    return RNG.choice(20000, 10, replace=False)


def numpy_mod_planted():
    return np.mod(VALUES, 0.3)


def numpy_mod_repaired():
    return VALUES - 0.3 * np.floor(VALUES / 0.3)


def numpy_nditer_planted():
    return list(np.nditer(VALUES))


def numpy_nditer_repaired():
    return VALUES.tolist()


OBJECTS = VALUES.astype(object)


def numpy_object_planted():
    return (OBJECTS * 2.0 + OBJECTS).sum()


def numpy_object_repaired():
    return (VALUES * 2.0 + VALUES).sum()


SQRT = np.frompyfunc(math.sqrt, 1, 1)


def numpy_pyfunc_planted():
    return SQRT(VALUES)[0]


def numpy_pyfunc_repaired():
    return np.sqrt(VALUES)[0]


PAIRS = np.stack([KEYS, KEYS % 7], axis=1)


def numpy_uniquerows_planted():
    return np.unique(PAIRS, axis=0)


def numpy_uniquerows_repaired():
    return np.divmod(np.unique(PAIRS @ np.array([1000, 1])), 1000)


LISTS = [[float(key)] * 10 for key in KEYS]


def numpy_lists_planted():
    return np.array(LISTS)


@cached
def array_of_lists():
    return np.array(LISTS)


def numpy_lists_repaired():
    return array_of_lists().copy()


# ---- pandas ----

@cached
def frame():
    return pd.DataFrame({"key": KEYS, "value": VALUES, "other": VALUES, "name": NAMES})


@cached
def days():
    return pd.Series(pd.date_range("2026-01-01", periods=2000, freq="h"))


def pandas_xs_planted():
    return [frame().loc[i] for i in range(100)]


def pandas_xs_repaired():
    return list(frame()[:100].itertuples())


def pandas_iterrows_planted():
    return [row["value"] for _, row in frame().iterrows()]


def pandas_iterrows_repaired():
    return [row.value for row in frame().itertuples()]


def pandas_apply_planted():
    return frame()[["value", "other"]].apply(max, axis=1)


def pandas_apply_repaired():
    return frame()[["value", "other"]].max(axis=1)


def pandas_map_planted():
    return frame()[["value"]].map(math.sqrt)


def pandas_map_repaired():
    return np.sqrt(frame()[["value"]])


def pandas_growth_planted():
    grown = frame()
    for _ in range(30):
        grown = pd.concat([grown, frame()])
    return len(grown)


def pandas_growth_repaired():
    return len(pd.concat([frame()] * 31))


DAYS = ["2023-0%d-1%d 10:00:00" % (1 + i % 9, i % 10) for i in range(200)]


def pandas_dates_planted():
    return [pd.to_datetime(day).dayofweek for day in DAYS]


def pandas_dates_repaired():
    return [datetime.datetime.fromisoformat(day).weekday() for day in DAYS]


def pandas_filter_planted():
    rows = frame()
    return [rows[rows["key"] == key]["value"].sum() for key in range(200)]


def pandas_filter_repaired():
    return frame().groupby("key")["value"].sum().tolist()


def pandas_groupapply_planted():
    return frame().groupby("key")["value"].apply(max)


def pandas_groupapply_repaired():
    return frame().groupby("key")["value"].max()


def pandas_groupagg_planted():
    return frame().groupby("key")["value"].agg(len)


def pandas_groupagg_repaired():
    return frame().groupby("key")["value"].size()


def pandas_grouptransform_planted():
    return frame().groupby("key")["value"].transform(np.ptp)


def pandas_grouptransform_repaired():
    groups = frame().groupby("key")["value"]
    return groups.transform("max") - groups.transform("min")


def pandas_groupfilter_planted():
    return frame().groupby("key").filter(pd.api.types.is_list_like)


def pandas_groupfilter_repaired():
    return frame()[frame().groupby("key")["value"].transform("size") > 0]


COVARIANCE = np.cov(RNG.random((200, 400)))


def numpy_normal_planted():
    return np.random.multivariate_normal(COVARIANCE[0], COVARIANCE)


@cached
def factor():
    return np.linalg.cholesky(COVARIANCE)


def numpy_normal_repaired():
    return COVARIANCE[0] + factor() @ RNG.standard_normal(200)


@cached
def sales():
    keys = {name: pd.Categorical(RNG.integers(0, 60, 2000)) for name in ("shop", "good", "day")}
    return pd.DataFrame(dict(keys, amount=VALUES))


def pandas_categories_planted():
    return sales().groupby(["shop", "good", "day"], observed=False)["amount"].sum()


def pandas_categories_repaired():
    return sales().groupby(["shop", "good", "day"], observed=True)["amount"].sum()


def pandas_grouploop_planted():
    return [len(rows) for _, rows in frame().groupby("key")]


def pandas_grouploop_repaired():
    return frame().groupby("key").size().tolist()


@cached
def long_frame():
    return pd.concat([frame()] * 10)


@cached
def long_frame_of_categories():
    return long_frame().astype({"name": "category"})


def pandas_groupkey_planted():
    return long_frame().groupby("name")["value"].sum()


@cached
def frame_of_categories():
    return frame().astype({"name": "category"})


def pandas_groupkey_repaired():
    return long_frame_of_categories().groupby("name", observed=True)["value"].sum()


def pandas_rolling_planted():
    return frame()["value"].rolling(20).apply(max)


def pandas_rolling_repaired():
    return frame()["value"].rolling(20).max()


def pandas_seriesmap_planted():
    return frame()["value"].map(math.sqrt)


def pandas_seriesmap_repaired():
    return np.sqrt(frame()["value"])


def pandas_str_planted():
    return frame()["name"].str.replace("name", "key")


def pandas_str_repaired():
    return frame_of_categories()["name"].cat.rename_categories(
        lambda name: name.replace("name", "key"))


@cached
def mixed_dates():
    return days().dt.strftime("%d %B %Y %H:%M")[:300]


def pandas_dates_planted():
    return pd.to_datetime(mixed_dates(), format="mixed")


def pandas_dates_repaired():
    return pd.to_datetime(mixed_dates(), format="%d %B %Y %H:%M")


@cached
def table():
    return frame().to_csv(index=False)


def pandas_csvpython_planted():
    return pd.read_csv(io.StringIO(table()), engine="python")


def pandas_csvpython_repaired():
    return pd.read_csv(io.StringIO(table()))


@cached
def pickled():
    file = io.BytesIO()
    frame().to_pickle(file)
    return file.getvalue()


def pandas_csv_planted():
    return pd.read_csv(io.StringIO(table()))


def pandas_csv_repaired():
    table()
    return pd.read_pickle(io.BytesIO(pickled()))


def pandas_tocsv_planted():
    frame().to_csv(io.StringIO())


def pandas_tocsv_repaired():
    frame().to_pickle(io.BytesIO())


def pandas_todict_planted():
    return frame().to_dict("records")


def pandas_todict_repaired():
    return frame().to_dict("series")


def pandas_print_planted():
    return str(frame())


def pandas_print_repaired():
    return str(frame().shape)


def pandas_rows_planted():
    return [frame().iloc[i] for i in range(100)]


def pandas_rows_repaired():
    return list(frame()[:100].itertuples())


def pandas_at_planted():
    return [frame().at[i, "value"] for i in range(1000)]


def pandas_at_repaired():
    return frame()["value"].tolist()[:1000]


def pandas_loc_planted():
    return [frame().loc[i, "value"] for i in range(1000)]


pandas_loc_repaired = pandas_at_repaired


def pandas_setat_planted():
    target = frame()
    for i in range(100):
        target.at[i, "other"] = 0.5


def pandas_setat_repaired():
    frame().iloc[:100, 2] = np.full(100, 0.5)


@cached
def series_by_name():
    return pd.Series(range(200), index=["name %d" % i for i in range(200)])


@cached
def dict_by_name():
    return series_by_name().to_dict()


def pandas_lookup_planted():
    return [series_by_name()[name] for name in NAMES]


def pandas_lookup_repaired():
    return [dict_by_name()[name] for name in NAMES]


def pandas_insert_planted():
    wide = pd.DataFrame(index=range(10))
    for i in range(60):
        wide[i] = i
    return wide


def pandas_insert_repaired():
    return pd.DataFrame({i: np.full(10, i) for i in range(60)}, index=range(10))


def pandas_query_planted():
    return frame().query("value > 0.5 and key < 10")


def pandas_query_repaired():
    return frame()[(frame()["value"] > 0.5) & (frame()["key"] < 10)]


@cached
def series_by_pair():
    return pd.Series(range(400), pd.MultiIndex.from_product([range(20), range(20)]))


@cached
def array_by_pair():
    return series_by_pair().to_numpy().reshape(20, 20)


def pandas_multi_planted():
    return [series_by_pair().loc[i, 3] for i in range(20)]


def pandas_multi_repaired():
    return [array_by_pair()[i, 3] for i in range(20)]


DICTS = [{"key": key, "value": value} for key, value in zip(KEYS.tolist(), VALUES.tolist())]


def pandas_dicts_planted():
    return pd.DataFrame(DICTS)


def pandas_dicts_repaired():
    return pd.DataFrame({"key": KEYS, "value": VALUES})


def pandas_normalize_planted():
    return pd.json_normalize([{"a": {"b": key}} for key in DICTS[:500]])


def pandas_normalize_repaired():
    return pd.DataFrame({name: [record[name] for record in DICTS[:500]] for name in DICTS[0]})


def pandas_strftime_planted():
    return days().dt.strftime("%Y-%m")


def pandas_strftime_repaired():
    return days().dt.year * 100 + days().dt.month


def pandas_date_planted():
    return days().dt.date


def pandas_date_repaired():
    return days().dt.normalize()


@cached
def offsets():
    return pd.Series([pd.DateOffset(days=int(key)) for key in KEYS[:500]])


@cached
def differences():
    return pd.to_timedelta(KEYS[:500], unit="D")


def pandas_offset_planted():
    return days()[:500] + offsets()


def pandas_offset_repaired():
    offsets()
    return days()[:500] + differences()


def pandas_values_planted():
    return [frame().values[i, 1] for i in range(3)]


@cached
def frame_values():
    return frame().values


def pandas_values_repaired():
    return [frame_values()[i, 1] for i in range(3)]


REPLACED = {"name %d" % i: "key %d" % i for i in range(200)}


def pandas_replace_planted():
    return frame()["name"].replace(REPLACED)


def pandas_replace_repaired():
    return frame()["name"].map(REPLACED).fillna(frame()["name"])


def pandas_copy_planted():
    return len(long_frame().copy())


def pandas_copy_repaired():
    return len(long_frame())


def pandas_range_planted():
    return pd.date_range("2026-01-01", periods=300, freq="bh")


@cached
def business_days():
    return pd.date_range("2026-01-01", periods=300, freq="bh")


def pandas_range_repaired():
    return business_days()[:]


def pandas_crosstab_planted():
    return pd.crosstab(frame()["key"], frame()["name"])


def pandas_crosstab_repaired():
    row, _ = pd.factorize(frame()["key"])
    column, _ = pd.factorize(frame()["name"])
    return np.bincount(row * 200 + column, minlength=40000).reshape(200, 200)


def pandas_interval_planted():
    index = intervals()
    return [index.get_loc(value) for value in VALUES[:50]]


@cached
def intervals():
    return pd.interval_range(0, 1, 10)


EDGES = np.linspace(0, 1, 11)


def pandas_interval_repaired():
    return (np.searchsorted(EDGES, VALUES[:50]) - 1).tolist()


# ---- SciPy ----

@cached
def matrix():
    return scipy.sparse.random(300, 300, 0.02, "csr", random_state=0)


def scipy_setitem_planted():
    built = scipy.sparse.csr_matrix((300, 300))
    built[KEYS[:30], KEYS[30:60]] = 1.0
    return built


def scipy_setitem_repaired():
    return scipy.sparse.coo_matrix((np.ones(30), (KEYS[:30], KEYS[30:60])), (300, 300)).tocsr()


def scipy_lil_planted():
    built = scipy.sparse.lil_matrix((200, 200))
    for i in range(100):
        built[i, i] = 1.0
    return built


def scipy_lil_repaired():
    return scipy.sparse.coo_matrix((np.ones(100), (range(100), range(100))), (200, 200))


def scipy_dok_planted():
    built = scipy.sparse.dok_matrix((200, 200))
    for i in range(100):
        built[i, i] = 1.0
    return built


scipy_dok_repaired = scipy_lil_repaired


def scipy_getitem_planted():
    return [matrix()[i, i] for i in range(50)]


def scipy_getitem_repaired():
    return matrix().diagonal()[:50]


def scipy_getrow_planted():
    return [matrix()[i].sum() for i in range(20)]


def scipy_getrow_repaired():
    return np.add.reduceat(matrix().data, matrix().indptr[:20])


def scipy_toarray_planted():
    return matrix().toarray().diagonal()


def scipy_toarray_repaired():
    return matrix().diagonal()


def scipy_tocsc_planted():
    return matrix().tocsc().sum(axis=0)


@cached
def matrix_by_columns():
    return matrix().tocsc()


def scipy_tocsc_repaired():
    return matrix_by_columns().sum(axis=0)


@cached
def system():
    return (matrix() + 20 * scipy.sparse.identity(300)).tocsc()


@cached
def factors():
    return scipy.sparse.linalg.splu(system())


def scipy_spsolve_planted():
    return scipy.sparse.linalg.spsolve(system(), VALUES[:300])


def scipy_spsolve_repaired():
    return factors().solve(VALUES[:300])


POINTS = VALUES.reshape(-1, 4)


def scipy_distance_planted():
    return [scipy.spatial.distance.euclidean(POINTS[0], point) for point in POINTS[:50]]


def scipy_distance_repaired():
    return scipy.spatial.distance.cdist(POINTS[:1], POINTS[:50])[0]


def scipy_metric_planted():
    return scipy.spatial.distance.cdist(POINTS[:20], POINTS[:20], math.dist)


def scipy_metric_repaired():
    return scipy.spatial.distance.cdist(POINTS[:20], POINTS[:20])


def scipy_gradient_planted():
    return scipy.optimize.minimize(scipy.optimize.rosen, np.zeros(10), method="BFGS")


def scipy_gradient_repaired():
    return scipy.optimize.minimize(
        scipy.optimize.rosen, np.zeros(10), jac=scipy.optimize.rosen_der, method="BFGS")


def scipy_quad_planted():
    return [scipy.integrate.quad(math.sin, 0, end)[0] for end in POINTS[:20, 0]]


def scipy_quad_repaired():
    ends = POINTS[:20, 0]
    return ends / 2 * (np.sin(np.outer(ends / 2, NODES + 1)) @ NODE_WEIGHTS)


NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(10)


def scipy_ivp_planted():
    return scipy.integrate.solve_ivp(scipy.special.xlogy, (0, 1), [1.0], rtol=1e-8)


def scipy_ivp_repaired():
    return scipy.integrate.odeint(scipy.special.xlogy, [1.0], [0, 1], tfirst=True, rtol=1e-8)


def scipy_interp1d_planted():
    return scipy.interpolate.interp1d(SORTED, SORTED)(0.5)


SORTED = np.sort(VALUES[:200])


def scipy_interp1d_repaired():
    return np.interp(0.5, SORTED, SORTED)


def scipy_spline_planted():
    return scipy.interpolate.CubicSpline(SORTED, SORTED)(0.5)


@cached
def spline():
    return scipy.interpolate.CubicSpline(SORTED, SORTED)


def scipy_spline_repaired():
    return spline()(0.5)


def scipy_griddata_planted():
    return scipy.interpolate.griddata(POINTS[:300, :2], POINTS[:300, 2], POINTS[:10, :2])


@cached
def surface():
    return scipy.interpolate.LinearNDInterpolator(POINTS[:300, :2], POINTS[:300, 2])


def scipy_griddata_repaired():
    return surface()(POINTS[:10, :2])


def scipy_pdf_planted():
    return [scipy.stats.norm.cdf(value) for value in VALUES[:20]]


def scipy_pdf_repaired():
    return scipy.special.ndtr(VALUES[:20])


def scipy_frozen_planted():
    return scipy.stats.norm(1.0, 2.0).mean()


@cached
def frozen():
    return scipy.stats.norm(1.0, 2.0)


def scipy_frozen_repaired():
    return frozen().mean()


def scipy_rvs_planted():
    return scipy.stats.norm.rvs()


def scipy_rvs_repaired():
    return RNG.normal()


def scipy_kde_planted():
    return kde()(VALUES[:200])


@cached
def kde():
    return scipy.stats.gaussian_kde(VALUES)


def scipy_kde_repaired():
    counts, _ = np.histogram(kde().dataset[0], 200, density=True)
    return scipy.ndimage.gaussian_filter1d(counts, 5)


def scipy_percentile_planted():
    return [scipy.stats.percentileofscore(VALUES, value) for value in VALUES[:20]]


def scipy_percentile_repaired():
    return np.searchsorted(np.sort(VALUES), VALUES[:20]) * (100 / len(VALUES))


IMAGE = VALUES[:1600].reshape(40, 40)
KERNEL = IMAGE[:15, :15]


def scipy_convolve2d_planted():
    return scipy.signal.convolve2d(IMAGE, KERNEL)


def scipy_convolve2d_repaired():
    return scipy.signal.fftconvolve(IMAGE, KERNEL)


def scipy_design_planted():
    return scipy.signal.sosfilt(scipy.signal.butter(4, 0.2, output="sos"), VALUES)


@cached
def sections():
    return scipy.signal.butter(4, 0.2, output="sos")


def scipy_design_repaired():
    return scipy.signal.sosfilt(sections(), VALUES)


def scipy_generic_planted():
    return scipy.ndimage.generic_filter(IMAGE, max, 3)


def scipy_generic_repaired():
    return scipy.ndimage.maximum_filter(IMAGE, 3)


@cached
def flow():
    return scipy.sparse.random(300, 300, 0.01, "csr", random_state=0)


def scipy_expm_planted():
    return scipy.linalg.expm(flow().toarray()) @ VALUES[:300]


def scipy_expm_repaired():
    return scipy.sparse.linalg.expm_multiply(flow(), VALUES[:300])


# ---- Polars ----

@cached
def columns():
    return pl.DataFrame({"key": KEYS, "value": VALUES, "name": NAMES})


def polars_map_planted():
    return columns()["value"].map_elements(math.sqrt, return_dtype=pl.Float64)


def polars_map_repaired():
    return columns()["value"].sqrt()


def polars_rows_planted():
    return [row["value"] for row in columns().iter_rows(named=True)]


def polars_rows_repaired():
    return columns()["value"].to_list()


def polars_item_planted():
    return [columns()[i, "value"] for i in range(100)]


def polars_item_repaired():
    return columns()["value"][:100].to_list()


def polars_row_planted():
    return [columns().row(i) for i in range(100)]


def polars_row_repaired():
    return list(zip(*(column.to_list() for column in columns()[:100])))


def polars_growth_planted():
    grown = columns()[:1]
    for i in range(50):
        grown = pl.concat([grown, columns()[i:i + 1]])
    return len(grown)


def polars_growth_repaired():
    return len(pl.concat([columns()[i:i + 1] for i in range(50)]))


def polars_dicts_planted():
    return pl.DataFrame(DICTS)


def polars_dicts_repaired():
    return pl.DataFrame({"key": KEYS, "value": VALUES})


def polars_groups_planted():
    return [len(rows) for _, rows in columns().group_by("key")]


def polars_groups_repaired():
    return columns().group_by("key").len()["len"].to_list()


SIGNAL = RNG.random(20000)
POINTS = RNG.random((4200, 2))


def scipy_realfft_planted():
    return scipy.fft.rfft(SIGNAL[:19993])


def scipy_realfft_repaired():
    return scipy.fft.rfft(SIGNAL[:19993], 20000)


def scipy_nearest_planted():
    return scipy.spatial.distance.cdist(POINTS, POINTS).argmin(axis=1)


def scipy_nearest_repaired():
    return scipy.spatial.KDTree(POINTS).query(POINTS)


def numpy_temporaries_planted():
    return np.square(POINTS[:, None] - POINTS[:2200]).sum(axis=2).argmin(axis=1)


def numpy_temporaries_repaired():
    return [np.square(point - POINTS[:2200]).sum(axis=1).argmin() for point in POINTS]


# ---- pandas: one by one ----

ROWS = 400


@cached
def keyed(is_sorted):
    keys = np.tile(KEYS, 100)
    frame = pd.DataFrame({"key": keys, "other": keys[::-1] % 5, "value": 0.5})
    frame = frame.set_index(["key", "other"])
    return frame.sort_index() if is_sorted else frame


@cached
def keys_of_frame():
    return list(keyed(False).index[:20])


def pandas_unsorted_planted():
    import warnings
    warnings.simplefilter("ignore")
    return [len(keyed(False).loc[key]) for key in keys_of_frame()]


def pandas_unsorted_repaired():
    return [len(keyed(True).loc[key]) for key in keys_of_frame()]


def pandas_enlarge_planted():
    frame = pd.DataFrame({"a": [0.0], "b": [0.0]})
    for i in range(1, 20):
        frame.loc[i] = [i, i / 3]
    return frame


def pandas_enlarge_repaired():
    return pd.DataFrame([[i, i / 3] for i in range(20)], columns=["a", "b"])


def pandas_assign_planted():
    series = pd.Series(VALUES)
    for i in range(100):
        series[i] = 0.5
    return series


def pandas_assign_repaired():
    values = VALUES.copy()
    for i in range(100):
        values[i] = 0.5
    return pd.Series(values)


@cached
def grouped_frame():
    return pd.DataFrame({"key": KEYS, "value": VALUES}).groupby("key")


def pandas_getgroup_planted():
    return [grouped_frame().get_group(key)["value"].sum() for key in range(100)]


def pandas_getgroup_repaired():
    return grouped_frame()["value"].sum().tolist()


def workbook():
    file = io.BytesIO()
    pd.DataFrame({"key": KEYS[:ROWS], "value": VALUES[:ROWS]}).to_excel(file)
    return file


def pandas_readexcel_planted():
    return len(pd.read_excel(cached_workbook()))


def pandas_readexcel_repaired():
    return len(pd.read_csv(io.StringIO(cached_csv())))


@cached
def cached_workbook():
    return workbook()


@cached
def cached_csv():
    return pd.DataFrame({"key": KEYS[:ROWS], "value": VALUES[:ROWS]}).to_csv()


def pandas_toexcel_planted():
    return workbook()


def pandas_toexcel_repaired():
    return pd.DataFrame({"key": KEYS[:ROWS], "value": VALUES[:ROWS]}).to_csv()


@cached
def database():
    import sqlite3
    return sqlite3.connect(":memory:")


def pandas_tosql_planted():
    pd.DataFrame({"key": [1], "value": [2.5]}).to_sql("parts", database(), if_exists="append")


def pandas_tosql_repaired():
    base = database()
    base.execute("create table if not exists parts (key, value)")
    base.executemany("insert into parts values (?, ?)", [(1, 2.5)])


def pandas_series_planted():
    return [pd.Series([i, i + 1]).iat[0] for i in range(20)]


def pandas_series_repaired():
    return [(i, i + 1)[0] for i in range(20)]


def pandas_drop_planted():
    frame = pd.DataFrame({"key": KEYS, "value": VALUES})
    for i in range(20):
        frame = frame.drop(i)
    return frame


def pandas_drop_repaired():
    return pd.DataFrame({"key": KEYS, "value": VALUES}).drop(list(range(20)))


@cached
def unsorted():
    return pd.DataFrame({"key": KEYS, "value": VALUES})


def pandas_sort_planted():
    return unsorted().sort_values("value").iloc[-1, 1]


def pandas_sort_repaired():
    return unsorted()["value"].max()


def pandas_cut_planted():
    return pd.cut(VALUES, [0, 0.25, 0.5, 0.75, 1])


def pandas_cut_repaired():
    return np.searchsorted([0, 0.25, 0.5, 0.75, 1], VALUES)


def pandas_style_planted():
    return len(unsorted().iloc[:200].style.to_html())


def pandas_style_repaired():
    return len(unsorted().iloc[:5].to_csv())


if __name__ == "__main__":
    function = globals()[sys.argv[1] + "_" + sys.argv[2]]
    for _ in range(int(sys.argv[3])):
        function()
