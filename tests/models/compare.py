# SPDX-License-Identifier: GPL-3.0-or-later
"""What `tprof ops` says of a run of train.py against its truth.

compare.py ROW: ROW is that of models.table.  The files truth, shapes.json, modules.json and
regions.json are read, the latter of `tprof ops --by shape`, `module` and `region`.  Prints a
sentence for each difference.
"""
import collections
import json
import re
import sys

WITHIN = 0.0015
UNIT = 1e9
name, published, macs = sys.argv[1].split()
macs = int(macs)
failures = []


def load(file):
    with open(file) as text:
        return json.load(text)


truth = load("truth")
rows = load("shapes.json")["rows"]


def sizes(text):
    return tuple(tuple(map(int, found.split(","))) for found in re.findall(r"\w\[([\d,]+)\]", text))


def expect(what, found, expected):
    if found != expected:
        failures.append(f"{what}: found {found}, expected {expected}")


def by_sizes(op, places, key):
    """Calls and multiply-adds of an op by those of its inputs that tell layers apart."""
    found, expected = collections.Counter(), collections.Counter()
    for row in rows:
        if row["name"].split()[0] == op:
            inputs = sizes(row["name"])
            found[tuple(inputs[i] for i in places)] += (row["flops"] or 0) // 2
    for layer in truth["convolutions"]:
        sides = {"backward": ("output", "input", "weights"), "forward": ("input", "weights")}[key]
        expected[tuple(tuple(layer[side]) for side in sides)] += layer[key]
    return found, expected


def check_layers():
    found, expected = by_sizes("aten::convolution_backward", (0, 1, 2), "backward")
    expect("sizes of convolutions with gradients", set(found), set(expected))
    for layer in expected:
        expect(f"{name}: multiply-adds of the gradients of {layer}", found[layer], expected[layer])
    found, expected = by_sizes("aten::convolution", (0, 1), "forward")
    for layer in expected:
        expect(f"{name}: multiply-adds of {layer}", found[layer], expected[layer])


def recomputed():
    """The flash kernel's backward pass computes the scores of queries and keys again."""
    macs = 0
    for row in rows:
        if "flash_attention_for_cpu_backward" in row["name"].split()[0]:
            (b, h, s, d), (_, _, t, _) = sizes(row["name"])[1:3]
            macs += row["calls"] * b * h * s * t * d
    return macs


def elementwise(op):
    """oneDNN tells of them where PyTorch 1 calls it; tables count products alone."""
    return sum(row["flops"] or 0 for row in rows if row["name"].split()[0] == op)


def check_whole():
    """One image forward, then the batch forward and backward: two products for each of the
    forward pass, but the gradients of the images."""
    (forward,) = [row["flops"] for row in load("modules.json")["rows"]
                  if "/" not in row["path"] and row["path"][0] != "("]
    whole = sum(row["flops"] or 0 for row in load("regions.json")["rows"])
    whole -= elementwise("aten::gelu") + elementwise("aten::gelu_backward")
    forward -= elementwise("aten::gelu")
    images = 1 + truth["batch"]
    expect(f"{name}: multiply-adds of {images} images", forward / 2, images * macs)
    expect(f"{name}: multiply-adds of the gradients", (whole - forward) / 2,
           2 * truth["batch"] * macs - truth["first"] + recomputed())


def check_published():
    """Within what the published figure was rounded by, where that is more."""
    rounding = 0.5 * 10.0 ** -len(published.partition(".")[2]) * UNIT
    away = abs(macs - float(published) * UNIT)
    if away > max(rounding, WITHIN * macs):
        failures.append(f"{name}: {macs} are not the published {published} * 10^9")


check_published()
check_layers()
check_whole()
print("\n".join(failures))
sys.exit(bool(failures))
