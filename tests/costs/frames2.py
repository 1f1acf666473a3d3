# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plants of well-known costs of tables: pandas, polars, pyarrow, dask and xarray, and their
# repaired twins.
#
# usage: frames2.py NAME planted|repaired ROUNDS
#
# Each plant imports what it needs, so that no plant pays for another.
import sys


def widened_planted(rounds):
    import pandas as pd
    frame = pd.DataFrame({"pair": [(i, i + 1) for i in range(rounds)]})
    wide = frame["pair"].apply(pd.Series)
    return int(wide[1].sum())


def widened_repaired(rounds):
    import pandas as pd
    frame = pd.DataFrame({"pair": [(i, i + 1) for i in range(rounds)]})
    wide = pd.DataFrame(frame["pair"].tolist(), index=frame.index)
    return int(wide[1].sum())


def stamps_planted(rounds):
    import pandas as pd
    total = 0
    for i in range(rounds):
        total += pd.Timestamp("2026-11-30 12:%02d:00" % (i % 60)).minute
    return total


def stamps_repaired(rounds):
    import pandas as pd
    texts = ["2026-11-30 12:%02d:00" % (i % 60) for i in range(rounds)]
    return int(pd.to_datetime(texts, format="%Y-%m-%d %H:%M:%S").minute.to_numpy().sum())


def described_planted(rounds):
    import numpy as np
    import pandas as pd
    frame = pd.DataFrame({"key": np.arange(rounds) % (rounds // 20 + 1), "x": np.arange(float(rounds))})
    return frame.groupby("key")["x"].describe()["mean"].sum()


def described_repaired(rounds):
    import numpy as np
    import pandas as pd
    frame = pd.DataFrame({"key": np.arange(rounds) % (rounds // 20 + 1), "x": np.arange(float(rounds))})
    return frame.groupby("key")["x"].agg(["count", "mean", "std", "min", "max"])["mean"].sum()


def labelled(count):
    import numpy as np
    import pandas as pd
    rng = np.random.default_rng(1)
    labels = rng.integers(0, count // 20, count)
    return pd.DataFrame({"value": np.arange(count)}, index=labels)


def scanned_planted(rounds):
    frame = labelled(400000)
    return sum(int(frame.loc[label]["value"].sum()) for label in range(rounds))


def scanned_repaired(rounds):
    frame = labelled(400000).sort_index()
    return sum(int(frame.loc[label]["value"].sum()) for label in range(rounds))


def repeated_keys_planted(rounds):
    import numpy as np
    import pandas as pd
    keys = np.arange(200000) * 7 % 50000
    frame, total = pd.DataFrame({"x": np.arange(200000.0)}, index=keys), 0.0
    for key in range(rounds):
        total += len(frame.loc[[key]])
    return total


def repeated_keys_repaired(rounds):
    import numpy as np
    import pandas as pd
    keys = np.arange(200000) * 7 % 50000
    frame = pd.DataFrame({"x": np.arange(200000.0)}, index=keys).sort_index()
    sizes = frame.groupby(level=0).size()
    return float(sizes.reindex(range(rounds)).fillna(0).sum())


def rank_correlation_planted(rounds):
    import numpy as np
    import pandas as pd
    frame = pd.DataFrame(np.random.default_rng(1).random((rounds, 12)))
    return frame.corr(method="kendall").iloc[0, 1]


def rank_correlation_repaired(rounds):
    import numpy as np
    import pandas as pd
    frame = pd.DataFrame(np.random.default_rng(1).random((rounds, 12)))
    return frame.rank().corr().iloc[0, 1]


def indexed_planted(rounds):
    import numpy as np
    import pandas as pd
    frame, total = pd.DataFrame({"key": np.arange(2000), "x": np.arange(2000.0)}), 0.0
    for i in range(rounds):
        total += frame.set_index("key").loc[i % 2000, "x"]
    return total


def indexed_repaired(rounds):
    import numpy as np
    import pandas as pd
    frame, total = pd.DataFrame({"key": np.arange(2000), "x": np.arange(2000.0)}), 0.0
    values = frame.set_index("key")["x"].to_dict()
    for i in range(rounds):
        total += values[i % 2000]
    return total


def months_planted(rounds):
    import pandas as pd
    days = pd.Series(pd.date_range("2000-01-01", periods=rounds, freq="min"))
    return days.dt.to_period("M").astype(str).nunique()


def months_repaired(rounds):
    import pandas as pd
    days = pd.Series(pd.date_range("2000-01-01", periods=rounds, freq="min"))
    return days.dt.to_period("M").nunique()


def small_steps_planted(rounds):
    import pandas as pd
    frame, total = pd.DataFrame({"x": [1.0, None, 3.0], "y": [1, 2, 3]}), 0.0
    for _ in range(rounds):
        clean = frame.fillna(0).rename(columns={"x": "z"}).assign(w=2)
        total += clean["z"].sum()
    return total


def small_steps_repaired(rounds):
    import pandas as pd
    frame, total = pd.DataFrame({"x": [1.0, None, 3.0], "y": [1, 2, 3]}), 0.0
    rows = frame.to_dict("records")
    for _ in range(rounds):
        total += sum(row["x"] if row["x"] == row["x"] else 0.0 for row in rows)
    return total


def indicator_columns_planted(rounds):
    import pandas as pd
    column = pd.Series(["city %d" % (i % 3000) for i in range(rounds)])
    table = pd.get_dummies(column, dtype=float)
    return table.sum().sum()


def indicator_columns_repaired(rounds):
    import pandas as pd
    column = pd.Series(["city %d" % (i % 3000) for i in range(rounds)])
    codes = column.astype("category").cat.codes
    return float((codes >= 0).sum())


def json_table_planted(rounds):
    import io
    import pandas as pd
    text = "\n".join(['{"a": 12, "b": "text 12", "c": 1.5}'] * rounds)
    return int(pd.read_json(io.StringIO(text), lines=True)["a"].sum())


def json_table_repaired(rounds):
    import io
    import pyarrow.json
    text = "\n".join(['{"a": 12, "b": "text 12", "c": 1.5}'] * rounds)
    return int(pyarrow.json.read_json(io.BytesIO(text.encode()))["a"].to_numpy().sum())


def texts_of_numbers_planted(rounds):
    import pandas as pd
    frame = pd.DataFrame({"x": [i * 0.5 for i in range(rounds)], "y": range(rounds)})
    return len((frame["x"].astype(str) + frame["y"].astype(str)).iloc[0])


def texts_of_numbers_repaired(rounds):
    import pandas as pd
    frame = pd.DataFrame({"x": [i * 0.5 for i in range(rounds)], "y": range(rounds)})
    return len(str(frame["x"].iloc[0]) + str(frame["y"].iloc[0]))


def transposed_planted(rounds):
    import pandas as pd
    frame, total = pd.DataFrame({"x": range(1000), "y": [0.5] * 1000}), 0.0
    for _ in range(rounds):
        total += frame.T.sum()[5]
    return total


def transposed_repaired(rounds):
    import pandas as pd
    frame, total = pd.DataFrame({"x": range(1000), "y": [0.5] * 1000}), 0.0
    for _ in range(rounds):
        total += frame.sum(axis=1)[5]
    return total


def counted_planted(rounds):
    import pandas as pd
    frame, total = pd.DataFrame({"city": ["c%d" % (i % 500) for i in range(20000)]}), 0
    for i in range(rounds):
        total += frame["city"].value_counts()["c%d" % (i % 500)]
    return int(total)


def counted_repaired(rounds):
    import pandas as pd
    frame, total = pd.DataFrame({"city": ["c%d" % (i % 500) for i in range(20000)]}), 0
    counts = frame["city"].value_counts().to_dict()
    for i in range(rounds):
        total += counts["c%d" % (i % 500)]
    return int(total)


def pivoted_planted(rounds):
    import pandas as pd
    frame = pd.DataFrame({"day": [i % 100 for i in range(1000)], "kind": [i % 7 for i in range(1000)], "x": 1.0})
    return sum(frame.pivot_table(index="day", columns="kind", values="x", aggfunc="sum").shape[0] for _ in range(rounds))


def pivoted_repaired(rounds):
    import numpy as np
    import pandas as pd
    frame = pd.DataFrame({"day": [i % 100 for i in range(1000)], "kind": [i % 7 for i in range(1000)], "x": 1.0})
    day, kind, x = (frame[c].to_numpy() for c in ("day", "kind", "x"))
    total = 0
    for _ in range(rounds):
        table = np.zeros((100, 7))
        np.add.at(table, (day, kind), x)
        total += table.shape[0]
    return total


def arrow_values_planted(rounds):
    import numpy as np
    import pyarrow as pa
    column, total = pa.array(np.arange(rounds)), 0
    for value in column:
        total += value.as_py()
    return total


def arrow_values_repaired(rounds):
    import numpy as np
    import pyarrow as pa
    column, total = pa.array(np.arange(rounds)), 0
    for value in column.to_numpy().tolist():
        total += value
    return total


def arrow_rows_planted(rounds):
    import numpy as np
    import pyarrow as pa
    table = pa.table({"a": np.arange(rounds), "b": np.ones(rounds)})
    return sum(row["a"] for row in table.to_pylist())


def arrow_rows_repaired(rounds):
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc
    table = pa.table({"a": np.arange(rounds), "b": np.ones(rounds)})
    return pc.sum(table["a"]).as_py()


def dask_tasks_planted(rounds):
    import dask
    parts = [dask.delayed(abs)(-i) for i in range(rounds)]
    return dask.delayed(sum)(parts).compute(scheduler="threads")


def dask_tasks_repaired(rounds):
    import dask
    parts = [dask.delayed(lambda n: sum(range(n)))(rounds // 2) for _ in range(2)]
    return dask.delayed(sum)(parts).compute(scheduler="threads")


def dask_results_planted(rounds):
    import dask.array as da
    import numpy as np
    table = da.from_array(np.ones((200, 200)), chunks=100)
    scaled, total = table * 2 + 1, 0.0
    for i in range(rounds):
        total += scaled[i % 200, 0].compute(scheduler="synchronous")
    return float(total)


def dask_results_repaired(rounds):
    import dask.array as da
    import numpy as np
    table = da.from_array(np.ones((200, 200)), chunks=100)
    scaled, total = (table * 2 + 1).compute(scheduler="synchronous"), 0.0
    for i in range(rounds):
        total += scaled[i % 200, 0]
    return float(total)


def grown_days_planted(rounds):
    import numpy as np
    import xarray as xr
    days = None
    for i in range(rounds):
        day = xr.DataArray(np.ones((1, 50)), dims=("time", "x"), coords={"time": [i]})
        days = day if days is None else xr.concat([days, day], dim="time")
    return days.shape[0]


def grown_days_repaired(rounds):
    import numpy as np
    import xarray as xr
    rows = []
    for _ in range(rounds):
        rows.append(np.ones(50))
    return xr.DataArray(np.stack(rows), dims=("time", "x"), coords={"time": np.arange(rounds)}).shape[0]


def small_arrays_planted(rounds):
    import numpy as np
    import xarray as xr
    x, total = xr.DataArray(np.arange(10.0), dims="x"), 0.0
    for i in range(rounds):
        total += float((x * 2 + i).mean())
    return total


def small_arrays_repaired(rounds):
    import numpy as np
    import xarray as xr
    x, total = xr.DataArray(np.arange(10.0), dims="x").values, 0.0
    for i in range(rounds):
        total += float((x * 2 + i).mean())
    return total


def vectorized_planted(rounds):
    import numpy as np
    import xarray as xr
    x = xr.DataArray(np.ones((rounds, 4)), dims=("a", "b"))
    return float(xr.apply_ufunc(lambda row: row.sum(), x, input_core_dims=[["b"]], vectorize=True)[0])


def vectorized_repaired(rounds):
    import numpy as np
    import xarray as xr
    x = xr.DataArray(np.ones((rounds, 4)), dims=("a", "b"))
    return float(xr.apply_ufunc(lambda rows: rows.sum(axis=-1), x, input_core_dims=[["b"]])[0])


def climate_planted(rounds):
    import numpy as np
    import xarray as xr
    x = xr.DataArray(np.ones((rounds, 4)), dims=("time", "b"), coords={"time": np.arange(rounds) % (rounds // 4 + 1)})
    return float(x.groupby("time").map(lambda part: part.mean("time")).sum())


def climate_repaired(rounds):
    import numpy as np
    keys, values = np.arange(rounds) % (rounds // 4 + 1), np.ones((rounds, 4))
    sums = np.zeros((rounds // 4 + 1, 4))
    np.add.at(sums, keys, values)
    return float((sums / np.bincount(keys)[:, None]).sum())


def polars_keys_planted(rounds):
    import polars as pl
    frame, total = pl.DataFrame({"key": [i % 2000 for i in range(20000)], "x": range(20000)}), 0
    for key in range(rounds):
        total += frame.filter(pl.col("key") == key)["x"].sum()
    return total


def polars_keys_repaired(rounds):
    import polars as pl
    frame = pl.DataFrame({"key": [i % 2000 for i in range(20000)], "x": range(20000)})
    sums = dict(frame.group_by("key").agg(pl.col("x").sum()).iter_rows())
    return sum(sums.get(key, 0) for key in range(rounds))


def polars_columns_planted(rounds):
    import polars as pl
    frame = pl.DataFrame({"x": range(100)})
    for i in range(rounds):
        frame = frame.with_columns((pl.col("x") * i).alias("c%d" % (i % 20)))
    return frame.width


def polars_columns_repaired(rounds):
    import polars as pl
    frame = pl.DataFrame({"x": range(100)})
    for _ in range(rounds // 20):
        frame = frame.with_columns([(pl.col("x") * i).alias("c%d" % i) for i in range(20)])
    return frame.width


if __name__ == "__main__":
    globals()["%s_%s" % (sys.argv[1], sys.argv[2])](int(sys.argv[3]))
