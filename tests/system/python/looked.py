# SPDX-License-Identifier: GPL-3.0-or-later
"""Threads in known functions until the input ends; the truth is in their names."""
import os
import sys
import threading
import time


def leaf(n):
    return n * n


def middle(n):
    return sum(leaf(i) for i in range(n))


def spin():
    while not done:
        middle(200)
        sorted(range(20), key=leaf)


def numbers():
    while not done:
        time.sleep(0.01)
        yield 1


def sleep():
    for _ in numbers():
        pass


class Lock:
    def take(self):
        self.is_there = True
        with self.lock:
            pass

    def __init__(self):
        self.is_there = False
        self.lock = threading.Lock()
        self.lock.acquire()


def deep(n):
    return read(0) if n == 0 else deep(n - 1)


def read(_):
    return sys.stdin.read()


def child():
    deep(20)
    os._exit(0)


done = False
lock = Lock()
if sys.argv[1:] == ["child"]:
    number = os.fork()
    if number == 0:
        child()
    print(number, "ready", flush=True)
    os.waitpid(number, 0)
    sys.exit()
threads = [threading.Thread(target=f) for f in (spin, sleep, lock.take)]
for thread in threads:
    thread.start()
while not lock.is_there:
    time.sleep(0.01)
print("ready", flush=True)
deep(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
done = True
lock.lock.release()
for thread in threads:
    thread.join()
