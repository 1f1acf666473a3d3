# Functions and lines that take known shares of a thread's processor time; prints "NAME SHARE" in
# thousandths, by the thread's own clock.
import sys
import threading
import time


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
    return sorted(range(n), key=sort_key)


def run(seconds, sums):
    clock = time.thread_time
    end = clock() + seconds
    while clock() < end:
        for function, n in ((loop, 30000), (count, 20000), (consume, 20000), (sort, 10000)):
            start = clock()
            function(n)
            sums[function.__name__] = sums.get(function.__name__, 0) + clock() - start


sums = {}
others = {}
thread = threading.Thread(target=run, args=(float(sys.argv[1]) / 2, others))
thread.start()
thread.join()
run(float(sys.argv[1]) / 2, sums)
for name in others:
    sums[name] += others[name]
whole = sum(sums.values())
for name in sorted(sums):
    print(name, round(1000 * sums[name] / whole))
