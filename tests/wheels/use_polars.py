# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups and joins of polars, whose allocator is its own."""
import polars as pl

rows = 3_000_000
frame = pl.DataFrame({"key": pl.int_range(rows, eager=True) * 7919 % 1000,
                      "value": pl.int_range(rows, eager=True) % 97})
for _ in range(8):
    groups = frame.group_by("key").agg(pl.col("value").sum(), pl.col("value").max().alias("most"))
    joined = frame.join(groups, on="key").sort("key", "value").select(pl.col("most").sum())
print(groups["value"].sum(), joined.item())
