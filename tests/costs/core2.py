# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plants of well-known costs of Python's own types, and their repaired twins.
#
# usage: core2.py NAME planted|repaired ROUNDS
#
# Each plant imports what it needs, so that no plant pays for another.
import sys


class Report:
    text = ""


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
