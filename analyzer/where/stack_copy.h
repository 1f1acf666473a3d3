/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The registers and the stack of a thread, as capture.h copies them.
 */
#ifndef WHERE_STACK_COPY_H
#define WHERE_STACK_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frames;

enum {
    CAPTURE_STACK_SIZE = 256 * 1024, /* the most bytes of a copy */
    CAPTURE_REGISTERS = 33           /* by their numbers in libunwind, which are those of DWARF */
};

struct capture {
    uint64_t registers[CAPTURE_REGISTERS];
    uint64_t known; /* a bit of each register that is */
    uint64_t stack; /* address of the first byte of the copy */
    size_t size;    /* size of the copy */
    bool is_stopped;
    uint64_t stopped_ns; /* upper bound: see capture_stop */
    int schedule;        /* /proc/thread-self/schedstat, or -1 */
    struct frames *frames; /* frames copied with it; NULL: none */
    _Alignas(uint64_t) unsigned char bytes[CAPTURE_STACK_SIZE];
};

#endif
