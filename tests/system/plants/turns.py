#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: planted_python turns planted|repaired THOUSANDS
#
# Two loops of Python: in two threads, which take turns in the interpreter, or in two processes.
import os
import sys
import threading


def count(rounds):
    total = 0
    for i in range(rounds):
        total += i * i
    return total


def count_in_threads(rounds):
    sums = [0, 0]

    def work(index):
        sums[index] = count(rounds)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sums


def count_in_processes(rounds):
    pipes = []
    for _ in range(2):
        to_read, to_write = os.pipe()
        if os.fork() == 0:
            os.write(to_write, b"%d" % count(rounds))
            os._exit(0)
        os.close(to_write)
        pipes.append(to_read)
    sums = [int(os.read(pipe, 64)) for pipe in pipes]
    for _ in pipes:
        os.wait()
    return sums


rounds = 1000 * int(sys.argv[3])
print(sum((count_in_threads if sys.argv[2] == "planted" else count_in_processes)(rounds)))
