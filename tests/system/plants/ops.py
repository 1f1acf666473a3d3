# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: ops.py planted|repaired
#
# Avoidable costs in programs of PyTorch, in one run: a function for each.  The program prints the
# same in both ways.  The file "begin" has the seconds of its imports: these are no fault of its
# own, and take most of the time on a busy machine.
import os
import sys
import time

import torch
from torch.utils.data import DataLoader, Dataset

with open("/proc/self/stat") as stat, open("begin", "w") as begin:
    started = int(stat.read().rsplit(")", 1)[1].split()[19]) / os.sysconf("SC_CLK_TCK")
    print(f"{time.clock_gettime(time.CLOCK_BOOTTIME) - started:.2f}", file=begin)

planted = sys.argv[1] == "planted"
torch.manual_seed(1)
torch.set_num_threads(1)


def elementwise():
    x = torch.arange(2.0**22)
    for step in range(25):
        y = (x * 2 + 2) * 0.5 - 1 if planted else x * 1
    return y.sum().item()


def small_ops():
    rows = torch.arange(4096.0).reshape(1024, 4)
    for step in range(350):
        total = torch.zeros(4)
        if planted:
            for i in range(1024):
                total += rows[i]
        else:
            total += rows.sum(0)
    return total.sum().item()


def layout():
    x = torch.arange(2.0**22).reshape(2048, 2048)
    y = x.t().contiguous()
    for step in range(120 if planted else 0):
        y = x.t().contiguous()
    return y[0, 1].item()


def types():
    x = torch.arange(2.0**22)
    y = x.double()
    for step in range(90 if planted else 0):
        y = x.double()
    return y[1].item()


def dropout():
    layer = torch.nn.Dropout(0.5)
    x = torch.ones(2**21)
    if not planted:
        layer.eval()
    for step in range(40):
        y = layer(x)
    return y.shape[0]


def gradients():
    layer = torch.nn.Linear(64, 64)
    x = torch.ones(8, 64)
    with torch.inference_mode(not planted):
        for step in range(200):
            y = layer(x)
    return y.shape[0]


class Slow(Dataset):
    def __len__(self):
        return 40

    def __getitem__(self, index):
        end = time.process_time() + (0.022 if planted else 0)
        while time.process_time() < end:
            pass
        return torch.tensor(float(index))


def loader():
    return sum(batch.sum().item() for batch in DataLoader(Slow(), batch_size=3))


for part in elementwise, small_ops, layout, types, dropout, gradients, loader:
    print(part.__name__, part())
