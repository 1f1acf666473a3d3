#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: planted_numpy small planted|repaired ROUNDS
#
# Like plants.c, in numpy: products of eight rows each, one by one from Python or all at once.
import sys

import numpy

BLOCKS, ROWS, SIDE = 2000, 8, 32
blocks = numpy.ones((BLOCKS, ROWS, SIDE), numpy.float32)
weights = numpy.full((SIDE, SIDE), 0.5, numpy.float32)
result = numpy.empty_like(blocks)

for _ in range(int(sys.argv[3])):
    if sys.argv[2] == "planted":
        for i in range(BLOCKS):
            numpy.dot(blocks[i], weights, out=result[i])
    else:
        numpy.dot(blocks.reshape(-1, SIDE), weights, out=result.reshape(-1, SIDE))
print("%.3g" % result.sum())
