# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plants of well-known costs of Python's own types, and their repaired twins.
#
# usage: core2.py NAME planted|repaired ROUNDS
#
# Each plant imports what it needs, so that no plant pays for another.
import sys


def queue_planted(rounds):
    waiting, total = list(range(100000)), 0
    for i in range(rounds):
        total += waiting.pop(0)
        waiting.append(i)
    return total


def queue_repaired(rounds):
    import collections
    waiting, total = collections.deque(range(100000)), 0
    for i in range(rounds):
        total += waiting.popleft()
        waiting.append(i)
    return total


def packets_planted(rounds):
    data, total = b"abcdefgh" * rounds, 0
    while data:
        total += data[0]
        data = data[8:]
    return total


def packets_repaired(rounds):
    data, total = memoryview(b"abcdefgh" * rounds), 0
    while data:
        total += data[0]
        data = data[8:]
    return total


def received_planted(rounds):
    data = b""
    for _ in range(rounds):
        data += b"abcdefgh"
    return len(data)


def received_repaired(rounds):
    data = bytearray()
    for _ in range(rounds):
        data += b"abcdefgh"
    return len(data)


class Report:
    text = ""


def pages_planted(rounds):
    report = Report()
    for i in range(rounds):
        report.text += "line %d\n" % i
    return len(report.text)


def pages_repaired(rounds):
    lines = []
    for i in range(rounds):
        lines.append("line %d\n" % i)
    return len("".join(lines))


def pattern_planted(rounds):
    import re
    text, total = "a" * 18 + "!", 0
    for _ in range(rounds):
        total += re.match(r"(a+)+$", text) is None
    return total


def pattern_repaired(rounds):
    import re
    text, total = "a" * 18 + "!", 0
    for _ in range(rounds):
        total += re.match(r"a+$", text) is None
    return total


def times_planted(rounds):
    import datetime
    now, total = datetime.datetime(2026, 11, 30), 0
    for _ in range(rounds):
        total += len(now.strftime("%Y-%m-%d %H:%M:%S"))
    return total


def times_repaired(rounds):
    import datetime
    now, total = datetime.datetime(2026, 11, 30), 0
    for _ in range(rounds):
        total += len(now.isoformat(" ", "seconds"))
    return total


def records_planted(rounds):
    import struct
    data, total = b"\1\0\0\0\0\0\0\0\2\0\0\0" * rounds, 0
    for i in range(0, len(data), 12):
        total += struct.unpack("<qi", data[i:i + 12])[1]
    return total


def records_repaired(rounds):
    import numpy as np
    data = b"\1\0\0\0\0\0\0\0\2\0\0\0" * rounds
    return int(np.frombuffer(data, dtype="<i8,<i4")["f1"].sum())


def answers_planted(rounds):
    import json
    row, total = {"id": 1, "tags": ["a", "b"], "x": [0.5] * 20}, 0
    for _ in range(rounds):
        total += len(json.dumps(row))
    return total


def answers_repaired(rounds):
    import json
    row, total = {"id": 1, "tags": ["a", "b"], "x": [0.5] * 20}, 0
    text = json.dumps(row)
    for _ in range(rounds):
        total += len(text)
    return total


def sums_planted(rounds):
    import hashlib
    block, total = bytes(1 << 20), 0
    for _ in range(rounds):
        total += hashlib.md5(block).digest()[0]
    return total


def sums_repaired(rounds):
    import zlib
    block, total = bytes(1 << 20), 0
    for _ in range(rounds):
        total += zlib.crc32(block) & 255
    return total


def kept_planted(rounds):
    import pickle
    rows = [{"id": i, "x": i * 0.5, "name": "n%d" % i} for i in range(1000)]
    return sum(len(pickle.loads(pickle.dumps(rows))) for _ in range(rounds))


def kept_repaired(rounds):
    rows = [{"id": i, "x": i * 0.5, "name": "n%d" % i} for i in range(1000)]
    return sum(len([dict(row) for row in rows]) for _ in range(rounds))


def loaded_planted(rounds):
    import importlib
    total = 0
    for _ in range(rounds):
        total += importlib.import_module("os.path").sep == "/"
    return total


def loaded_repaired(rounds):
    import importlib
    path, total = importlib.import_module("os.path"), 0
    for _ in range(rounds):
        total += path.sep == "/"
    return total


def prices_planted(rounds):
    from decimal import Decimal, localcontext
    total = Decimal(0)
    for i in range(rounds):
        with localcontext() as context:
            context.prec = 12
            total += Decimal("1.10") * i
    return float(total)


def prices_repaired(rounds):
    from decimal import Decimal, localcontext
    total, price = Decimal(0), Decimal("1.10")
    with localcontext() as context:
        context.prec = 12
        for i in range(rounds):
            total += price * i
    return float(total)


if __name__ == "__main__":
    globals()["%s_%s" % (sys.argv[1], sys.argv[2])](int(sys.argv[3]))
