# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plants of well-known costs of Python's standard library, and their repaired twins: part two.
#
# usage: standard.py NAME planted|repaired ROUNDS
#
# Each plant imports what it needs, so that no plant pays for another.
import sys


def archive(locked):
    # An archive of one member of 4000 bytes.  zipfile reads what is encrypted, but writes none.
    import io
    import zipfile
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as z:
        z.writestr("a.txt", b"0123456789" * 400)
    data = file.getvalue()
    if not locked:
        return zipfile.ZipFile(io.BytesIO(data))
    info = zipfile.ZipFile(file).getinfo("a.txt")
    plain = bytes(11) + bytes([info.CRC >> 24]) + b"0123456789" * 400
    guess = bytearray(len(plain))
    # The cipher's state depends on the plain text alone: find each byte by its key.
    table = [zipfile._gen_crc(i) for i in range(256)]
    k0, k1, k2 = 0x12345678, 0x23456789, 0x34567890
    for i, c in enumerate(b"secret" + plain):
        if i >= 6:
            k = k2 | 2
            guess[i - 6] = c ^ (k * (k ^ 1) >> 8 & 255)
        k0 = k0 >> 8 ^ table[(k0 ^ c) & 255]
        k1 = (k1 + (k0 & 255)) * 134775813 + 1 & 0xffffffff
        k2 = k2 >> 8 ^ table[(k2 ^ k1 >> 24) & 255]
    head = bytearray(data[:35])
    head[6] |= 1
    head[18:22] = (4012).to_bytes(4, "little")
    tail = bytearray(data[35 + 4000:])
    tail[8] |= 1
    tail[20:24] = (4012).to_bytes(4, "little")
    tail[-6:-2] = (35 + 4012).to_bytes(4, "little")
    return zipfile.ZipFile(io.BytesIO(bytes(head + guess + tail)))


def zip_password_planted(rounds):
    z = archive(True)
    return sum(len(z.read("a.txt", pwd=b"secret")) for _ in range(rounds))


def zip_password_repaired(rounds):
    z = archive(False)
    return sum(len(z.read("a.txt")) for _ in range(rounds))


def colour_class():
    import enum
    return enum.Enum("Colour", "RED GREEN BLUE")


def enum_keys_planted(rounds):
    colour = colour_class()
    colours = list(colour) * 100
    counts = dict.fromkeys(colours, 0)
    for _ in range(rounds):
        for c in colours:
            counts[c] += 1
    return counts


def enum_keys_repaired(rounds):
    import enum
    colour = enum.IntEnum("Colour", "RED GREEN BLUE")
    colours = [int(c) for c in colour] * 100
    counts = dict.fromkeys(colours, 0)
    for _ in range(rounds):
        for c in colours:
            counts[c] += 1
    return counts


def enum_values_planted(rounds):
    colours = list(colour_class()) * 100
    return sum(c.value for _ in range(rounds) for c in colours)


def enum_values_repaired(rounds):
    colours = [c.value for c in colour_class()] * 100
    return sum(c for _ in range(rounds) for c in colours)


def anagrams_planted(rounds):
    import collections
    words = ["listen", "silent", "banana", "enlist"]
    found = 0
    for i in range(rounds):
        a = collections.Counter(words[i % 4])
        found += a["n"]
    return found


def anagrams_repaired(rounds):
    words = ["listen", "silent", "banana", "enlist"]
    found = 0
    for i in range(rounds):
        found += words[i % 4].count("n")
    return found


def word_counts_planted(rounds):
    import collections
    counts = collections.Counter()
    for i in range(rounds):
        counts.update(["word%d" % (i % 50)])
    return counts


def word_counts_repaired(rounds):
    import collections
    counts = collections.Counter()
    for i in range(rounds):
        counts["word%d" % (i % 50)] += 1
    return counts


def most_common_planted(rounds):
    import collections
    counts = collections.Counter()
    best = None
    for i in range(rounds):
        counts[i * 7919 % 997] += 1
        best = counts.most_common(1)[0]
    return best


def most_common_repaired(rounds):
    import collections
    counts = collections.Counter()
    best, most = None, 0
    for i in range(rounds):
        key = i * 7919 % 997
        counts[key] += 1
        if counts[key] > most:
            best, most = key, counts[key]
    return best, most


def same_letters_planted(rounds):
    import collections
    a = collections.Counter("the quick brown fox")
    b = collections.Counter("xof nworb kciuq eht")
    return sum(a == b for _ in range(rounds))


def same_letters_repaired(rounds):
    a = dict.fromkeys("the quick brown fox", 1)
    b = dict.fromkeys("xof nworb kciuq eht", 1)
    return sum(a == b for _ in range(rounds))


def largest_planted(rounds):
    import heapq
    values = [i * 7919 % 10007 for i in range(300)]
    return [heapq.nlargest(20, values)[-1] for _ in range(rounds)]


def largest_repaired(rounds):
    values = [i * 7919 % 10007 for i in range(300)]
    return [sorted(values, reverse=True)[19] for _ in range(rounds)]


def seeded_planted(rounds):
    import random
    result = 0
    for i in range(rounds):
        generator = random.Random("user%d" % i)
        result += generator.random()
    return result


def seeded_repaired(rounds):
    import zlib
    result = 0
    for i in range(rounds):
        result += zlib.crc32(b"user%d" % i) / 2**32
    return result


def quartiles_planted(rounds):
    import statistics
    values = sorted(i * 7919 % 1009 for i in range(40))
    return [statistics.quantiles(values, n=4)[0] for _ in range(rounds)]


def quartiles_repaired(rounds):
    values = sorted(i * 7919 % 1009 for i in range(40))
    return [values[9] + (values[10] - values[9]) * 0.25 for _ in range(rounds)]


def sliding_mode_planted(rounds):
    import statistics
    values = [i * 7919 % 1009 for i in range(2000)]
    return [statistics.mode(values[i % 1000:i % 1000 + 50]) for i in range(rounds)]


def sliding_mode_repaired(rounds):
    values = [i * 7919 % 1009 for i in range(2000)]
    known = {}
    return [known.get(i % 1000) or known.setdefault(i % 1000, values[i % 1000]) for i in range(rounds)]


def month_ends_planted(rounds):
    import calendar
    return [calendar.monthrange(2000 + i % 40, 1 + i % 12)[1] for i in range(rounds)]


def month_ends_repaired(rounds):
    import calendar
    ends = {(y, m): calendar.monthrange(y, m)[1] for y in range(2000, 2040) for m in range(1, 13)}
    return [ends[2000 + i % 40, 1 + i % 12] for i in range(rounds)]


def mail_dates_planted(rounds):
    import email.utils
    return [email.utils.parsedate_to_datetime("Mon, 30 Nov 2026 18:48:%02d +0100" % (i % 60)).second
            for i in range(rounds)]


def mail_dates_repaired(rounds):
    import datetime
    return [datetime.datetime.fromisoformat("2026-11-30T18:48:%02d+01:00" % (i % 60)).second
            for i in range(rounds)]


def mail_names_planted(rounds):
    import email.utils
    return [email.utils.parseaddr("Anna Beta <anna%d@example.org>" % (i % 9))[1] for i in range(rounds)]


def mail_names_repaired(rounds):
    return [("Anna Beta <anna%d@example.org>" % (i % 9)).rpartition("<")[2].rstrip(">")
            for i in range(rounds)]


def load_library_planted(rounds):
    import ctypes
    return [ctypes.CDLL("libm.so.6").abs(-i) for i in range(rounds)]


def load_library_repaired(rounds):
    import ctypes
    function = ctypes.CDLL("libm.so.6").abs
    return [function(-i) for i in range(rounds)]


def allocations_planted(rounds):
    import tracemalloc
    tracemalloc.start()
    blocks = [[i] for i in range(3000)]
    return [len(tracemalloc.take_snapshot().statistics("lineno")) + len(blocks) for _ in range(rounds)]


def allocations_repaired(rounds):
    import resource
    blocks = [[i] for i in range(3000)]
    return [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss + len(blocks) for _ in range(rounds)]


def async_queue_planted(rounds):
    import asyncio

    async def main():
        queue = asyncio.Queue()
        total = 0
        for i in range(rounds):
            await queue.put(i)
            total += await queue.get()
        return total
    return asyncio.run(main())


def async_queue_repaired(rounds):
    import asyncio

    async def main():
        queue = asyncio.Queue()
        total = 0
        for i in range(0, rounds, 1000):
            await queue.put(range(i, min(i + 1000, rounds)))
            total += sum(await queue.get())
        return total
    return asyncio.run(main())


def small_coroutines_planted(rounds):
    import asyncio

    async def double(x):
        return 2 * x

    async def main():
        total = 0
        for i in range(rounds):
            total += sum(await asyncio.gather(*(double(j) for j in range(100))))
        return total
    return asyncio.run(main())


def small_coroutines_repaired(rounds):
    import asyncio

    async def double(x):
        return 2 * x

    async def main():
        total = 0
        for i in range(rounds):
            for j in range(100):
                total += await double(j)
        return total
    return asyncio.run(main())


def async_lock_planted(rounds):
    import asyncio

    async def main():
        lock, total = asyncio.Lock(), 0
        for i in range(rounds):
            async with lock:
                total += i
        return total
    return asyncio.run(main())


def async_lock_repaired(rounds):
    import asyncio

    async def main():
        lock, total = asyncio.Lock(), 0
        async with lock:
            for i in range(rounds):
                total += i
        return total
    return asyncio.run(main())


def slots_planted(rounds):
    import threading
    slots, total = threading.Semaphore(4), 0
    for i in range(rounds):
        with slots:
            total += i
    return total


def slots_repaired(rounds):
    import threading
    slots, total = threading.Lock(), 0
    for i in range(rounds):
        with slots:
            total += i
    return total


def equal_files_planted(rounds):
    import filecmp
    import os
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for i in range(30):
            names.append(os.path.join(folder, "%d" % i))
            with open(names[-1], "wb") as f:
                f.write(b"a" * 100000 + b"%03d" % i)
        equal = 0
        for _ in range(rounds):
            for a in names:
                for b in names:
                    equal += filecmp.cmp(a, b, shallow=False)
                    filecmp.clear_cache()
    return equal


def equal_files_repaired(rounds):
    import hashlib
    import os
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for i in range(30):
            names.append(os.path.join(folder, "%d" % i))
            with open(names[-1], "wb") as f:
                f.write(b"a" * 100000 + b"%03d" % i)
        equal = 0
        for _ in range(rounds):
            digests = {}
            for a in names:
                with open(a, "rb") as f:
                    digest = hashlib.sha1(f.read()).digest()
                digests[digest] = digests.get(digest, 0) + 1
            equal += sum(n * n for n in digests.values())
    return equal


def make_settings(base):
    class Settings(base):
        def __init__(self, data):
            self.data = data

        def __getitem__(self, key):
            return self.data[key]

        def __iter__(self):
            return iter(self.data)

        def __len__(self):
            return len(self.data)
    return Settings


def own_mapping_planted(rounds):
    import collections.abc
    settings = make_settings(collections.abc.Mapping)({"key%d" % i: i for i in range(100)})
    total = 0
    for _ in range(rounds):
        for key, value in settings.items():
            total += value
    return total


def own_mapping_repaired(rounds):
    settings = {"key%d" % i: i for i in range(100)}
    total = 0
    for _ in range(rounds):
        for key, value in settings.items():
            total += value
    return total


def zip_names_planted(rounds):
    import io
    import zipfile
    archive = zipfile.ZipFile(io.BytesIO(), "w")
    for i in range(2000):
        archive.writestr("part%d" % i, b"")
    return sum("part1999" in archive.namelist() for _ in range(rounds))


def zip_names_repaired(rounds):
    import io
    import zipfile
    archive = zipfile.ZipFile(io.BytesIO(), "w")
    for i in range(2000):
        archive.writestr("part%d" % i, b"")
    names = set(archive.namelist())
    return sum("part1999" in names for _ in range(rounds))


def handler(event):
    return event + 1


def dispatch_planted(rounds):
    import inspect
    total = 0
    for i in range(rounds):
        if not inspect.iscoroutinefunction(handler):
            total += handler(i)
    return total


def dispatch_repaired(rounds):
    import inspect
    total = 0
    plain = not inspect.iscoroutinefunction(handler)
    for i in range(rounds):
        if plain:
            total += handler(i)
    return total


def lzma_planted(rounds):
    import lzma
    data = b"".join(b"%d;%d;name %d\n" % (i, i * 7919 % 1009, i % 17) for i in range(20000))
    return [len(lzma.compress(data)) for _ in range(rounds)]


def lzma_repaired(rounds):
    import zlib
    data = b"".join(b"%d;%d;name %d\n" % (i, i * 7919 % 1009, i % 17) for i in range(20000))
    return [len(zlib.compress(data)) for _ in range(rounds)]


def bz2_planted(rounds):
    import bz2
    data = b"".join(b"%d;%d;name %d\n" % (i, i * 7919 % 1009, i % 17) for i in range(20000))
    packed = bz2.compress(data)
    return [len(bz2.decompress(packed)) for _ in range(rounds)]


def bz2_repaired(rounds):
    import zlib
    data = b"".join(b"%d;%d;name %d\n" % (i, i * 7919 % 1009, i % 17) for i in range(20000))
    packed = zlib.compress(data)
    return [len(zlib.decompress(packed)) for _ in range(rounds)]


if __name__ == "__main__":
    globals()["%s_%s" % (sys.argv[1], sys.argv[2])](int(sys.argv[3]))
