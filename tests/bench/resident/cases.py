# SPDX-License-Identifier: GPL-3.0-or-later
"""Python programs whose resident memory is of several kinds: cases.py NAME."""
import ctypes
import json
import os
import sys

MOMENTS = 10
MIB = 1 << 20


def moment(number, **truth):
    label = "m%d" % number
    snapshot = getattr(ctypes.CDLL(None), "tprof_record_snapshot", None)
    if snapshot:
        snapshot(label.encode())
    with open("/proc/self/statm") as file:
        rss = int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    print(json.dumps({"label": label, "pid": os.getpid(), "rss": rss, **truth}), flush=True)


def lists():
    keep = []
    for i in range(MOMENTS):
        keep.append([{"k%d" % k: k + 1000} for k in range(15000)])
        moment(i)


def arrays():
    import numpy
    keep = []
    for i in range(MOMENTS):
        keep.append(numpy.ones(4 * MIB // 8))
        small = [numpy.ones(1000) for _ in range(200)]
        del small
        moment(i, heap_least=(i + 1) * 4 * MIB)


def memmap():
    import numpy
    numpy.zeros(40 * MIB, numpy.uint8).tofile("memmap.file")
    memory = numpy.memmap("memmap.file", numpy.uint8, "r")
    for i in range(MOMENTS):
        memory[i * 4 * MIB:(i + 1) * 4 * MIB].sum()
        moment(i, files=(i + 1) * 4 * MIB)
    os.unlink("memmap.file")


def training():
    import torch
    torch.set_num_threads(1)
    model = torch.nn.Sequential(torch.nn.Linear(512, 1024), torch.nn.ReLU(), torch.nn.Linear(1024, 10))
    optimizer = torch.optim.Adam(model.parameters())
    for i in range(MOMENTS):
        loss = model(torch.randn(256 * (i + 1), 512)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        moment(i)


def loader():
    import torch
    torch.set_num_threads(1)

    class Rows(torch.utils.data.Dataset):
        def __len__(self):
            return 40

        def __getitem__(self, index):
            return torch.ones(100000)

    batches = []
    for i, batch in enumerate(torch.utils.data.DataLoader(Rows(), batch_size=4, num_workers=2)):
        batches.append(batch)
        moment(i)


def frames():
    import numpy
    import pandas
    keep = []
    for i in range(MOMENTS):
        keep.append(pandas.DataFrame({"a": numpy.arange(100000), "b": numpy.random.rand(100000)}))
        keep[-1].groupby("a").b.mean()
        moment(i, heap_least=(i + 1) * 1600000)


def polars():
    import polars as pl
    keep = []
    for i in range(MOMENTS):
        keep.append(pl.DataFrame({"a": list(range(50000)), "b": [str(k) for k in range(50000)]}))
        moment(i)


def database():
    import sqlite3
    base = sqlite3.connect(":memory:")
    base.execute("create table t(a integer, b text)")
    for i in range(MOMENTS):
        base.executemany("insert into t values(?, ?)", ((k, "x" * 200) for k in range(10000)))
        moment(i)


def segments():
    from multiprocessing import shared_memory
    keep = []
    for i in range(MOMENTS):
        keep.append(shared_memory.SharedMemory(create=True, size=2 * MIB))
        keep[-1].buf[:] = b"x" * (2 * MIB)
        moment(i, shm=(i + 1) * 2 * MIB)
    for segment in keep:
        segment.close()
        segment.unlink()


def jitted():
    import jax
    keep = []
    for i in range(MOMENTS):
        keep.append(jax.jit(lambda x: (x * (i + 1)).sum())(jax.numpy.ones(500000)))
        moment(i)


globals()[sys.argv[1]]()
