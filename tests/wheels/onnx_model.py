# SPDX-License-Identifier: GPL-3.0-or-later
"""A model of two products in the format of ONNX, written by hand (onnx.proto3 has the numbers)."""
import numpy as np


def number(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(index, value):
    if isinstance(value, int):
        return number(index << 3) + number(value)
    data = value.encode() if isinstance(value, str) else value
    return number(index << 3 | 2) + number(len(data)) + data


def tensor(name, array):
    shape = b"".join(field(1, size) for size in array.shape)
    return shape + field(2, 1) + field(8, name) + field(9, array.astype("<f4").tobytes())


def value_info(name, shape):
    sizes = b"".join(field(1, field(1, size)) for size in shape)
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, sizes)))


def node(kind, inputs, output):
    return b"".join(field(1, name) for name in inputs) + field(2, output) + field(4, kind)


def two_products(batch, wide, inner):
    """x[batch, wide] @ first -> Relu -> @ second: the bytes of the file."""
    rng = np.random.default_rng(1)
    first, second = rng.normal(size=(wide, inner)) / wide, rng.normal(size=(inner, wide)) / inner
    graph = (field(1, node("MatMul", ["x", "first"], "h")) + field(1, node("Relu", ["h"], "r"))
             + field(1, node("MatMul", ["r", "second"], "y")) + field(2, "two products")
             + field(5, tensor("first", first)) + field(5, tensor("second", second))
             + field(11, value_info("x", (batch, wide))) + field(12, value_info("y", (batch, wide))))
    return field(1, 8) + field(8, field(1, "") + field(2, 17)) + field(7, graph)
