# SPDX-License-Identifier: GPL-3.0-or-later
"""Forbids a page in the middle of a large object, then computes and allocates."""
import ctypes
import mmap
import time

PAGE = mmap.PAGESIZE
libc = ctypes.CDLL(None, use_errno=True)
libc.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)

heap = bytearray(8 * PAGE)
start = ctypes.addressof(ctypes.c_char.from_buffer(heap))
page = (start + PAGE) // PAGE * PAGE


def forbid(protection):
    if libc.mprotect(page, PAGE, protection) != 0:
        raise OSError(ctypes.get_errno(), "mprotect")


def work():
    end = time.thread_time() + 0.4
    total = 0
    while time.thread_time() < end:
        total = len([bytes(600 + i) for i in range(100)])
    return total


forbid(0)
print(work())
forbid(mmap.PROT_READ | mmap.PROT_WRITE)
