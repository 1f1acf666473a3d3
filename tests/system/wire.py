# SPDX-License-Identifier: GPL-3.0-or-later
#
# Reads the wire format of Protocol Buffers, for the tests of the exports: numbers, and the fields of
# a message as pairs of a field's number and its value, a number or bytes.


def number(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    at = 0
    while at < len(data):
        key, at = number(data, at)
        if key & 7 == 0:
            value, at = number(data, at)
        else:
            assert key & 7 == 2, key
            size, at = number(data, at)
            value, at = data[at:at + size], at + size
        yield key >> 3, value
