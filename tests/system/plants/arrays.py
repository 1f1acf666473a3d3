#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: planted_arrays loop|lists planted|repaired SIZE
#
# Rows that are weighted and multiplied one by one, with a loop of Python around each product, or
# all at once.  A list of numbers that becomes an array in each round, or once.
import sys

import numpy

ROWS, SIDE, TERMS, NUMBERS = 2000, 16, 20, 20000


def multiply_one_by_one(rows, weights, result):
    for i in range(ROWS):
        weight = 0
        for k in range(TERMS):
            weight += i * k % 7
        numpy.dot(rows[i], weights, out=result[i])
        result[i] *= weight


def multiply_at_once(rows, weights, result):
    factors = (numpy.arange(ROWS)[:, None] * numpy.arange(TERMS) % 7).sum(1)
    numpy.dot(rows, weights, out=result)
    result *= factors[:, None]


def sum_lists(numbers, rounds):
    total = 0
    for _ in range(rounds):
        total += numpy.array(numbers).sum()
    return total


def sum_array(numbers, rounds):
    kept, total = numpy.array(numbers), 0
    for _ in range(rounds):
        total += kept.sum()
    return total


what, how, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
if what == "loop":
    rows = numpy.ones((ROWS, SIDE))
    weights = numpy.full((SIDE, SIDE), 0.5)
    result = numpy.empty_like(rows)
    for _ in range(size):
        (multiply_one_by_one if how == "planted" else multiply_at_once)(rows, weights, result)
    print("%.3g" % result.sum())
else:
    print("%.3g" % (sum_lists if how == "planted" else sum_array)([0.5] * NUMBERS, size))
