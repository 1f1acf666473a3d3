# Functions and lines that take known shares of the processor time of a process, each in two
# threads; prints "NAME SHARE" and "shares.py:LINE SHARE" in thousandths, by the thread's own
# clock.
#
# Each part takes many ticks of the clock.  If others wait for the processor, Linux lets them run
# at a system call, such as reading this clock: parts shorter than a tick would run between ticks.
import asyncio
import random
import sys
import threading
import time

clock = time.thread_time


def loop(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


def count(n):
    i = 0
    while i < n:
        i += 1
    return i


def numbers(n):
    for i in range(n):
        yield i * 3


def consume(n):
    total = 0
    for x in numbers(n):
        total ^= x
    return total


def sort_key(x):
    return (x * 7919) % 10007


def sort(n):
    for _ in range(n // 500):
        sorted(range(500), key=sort_key)


async def part(n):
    total = 0
    for i in range(n):
        total += i
        if i % 10000 == 0:
            await asyncio.sleep(0)
    return total


async def gather(n):
    await asyncio.gather(part(n), part(n))


def switch(n):
    asyncio.run(gather(n))


def lines(n):
    times = (
        clock(),
        sum(range(40 * n)),
        clock(),
        sum(range(80 * n)),
        clock(),
        sum(map(abs, range(20 * n))),
        clock(),
        min(range(10 * n), key=lambda x: -x),
        clock(),
        sum(x & 3 for x in range(10 * n)),
        clock())
    for k in range(0, 10, 2):
        add("shares.py:%d" % (lines.__code__.co_firstlineno + 3 + k), times[k + 2] - times[k])


def add(name, seconds):
    sums[name] = sums.get(name, 0) + seconds


def run(seconds):
    end = clock() + seconds
    work = ((loop, 700000), (count, 1000000), (consume, 500000), (sort, 300000), (switch, 300000),
            (lines, 60000))
    while clock() < end:
        for function, n in work:
            start = clock()
            function(int(n * random.uniform(0.5, 1)))
            add(function.__name__, clock() - start)


sums = {}
thread = threading.Thread(target=run, args=(float(sys.argv[1]) / 2,))
thread.start()
thread.join()
run(float(sys.argv[1]) / 2)
whole = time.process_time()
for name in sorted(sums):
    print(name, round(1000 * sums[name] / whole))
