/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of waits, and the wrappers that are bound to them.
 */
#ifndef CALL_WAIT_ROW_H
#define CALL_WAIT_ROW_H

#include <stdint.h>

#include "spec/trace.h"

/* The meaning of an argument, and of a result. */
enum wait_object {
    WAIT_NOTHING,
    WAIT_DESCRIPTOR,
    WAIT_STREAM,
    WAIT_ADDRESS,
    WAIT_FILE_LOCK,
    WAIT_POLLED /* an array of struct pollfd, and their number */
};

enum wait_result {
    WAIT_RESULT_NOTHING,
    WAIT_RESULT_BYTES,
    WAIT_RESULT_ITEMS,
    WAIT_RESULT_CHECKED_ITEMS,
    WAIT_RESULT_CLOSES,
    WAIT_RESULT_OURS,
    WAIT_RESULT_WAKES
};

enum { WAIT_WORDS = 7 /* the most arguments: of a system call by syscall() */ };

struct wait_row {
    const char *name;
    const char *attempt; /* NULL: this is no lock */
    uint8_t class;       /* enum trace_wait_class */
    uint8_t object;      /* enum wait_object */
    uint8_t argument;
    uint8_t result; /* enum wait_result */
};

extern const struct wait_row wait_rows[TRACE_WAIT_CALLS];

/* A wrapper bound to one real function. */
struct wait_binding {
    void *target; /* NULL while the wrapper is free */
    void *attempt;
    uint64_t call_word; /* its cells' key word outside of kernels */
    uint32_t call;      /* enum trace_wait_call */
};

/* Wrappers of one kind. */
struct wait_pool {
    void *const *entries;
    struct wait_binding *bindings;
    unsigned count;
};

enum { WAIT_CALLS, WAIT_BYTES, WAIT_LOCKS, WAIT_POOLS };

extern const struct wait_pool wait_pools[WAIT_POOLS];

#endif
