/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The other part of the interpreter's loop.
 *
 * Compilers move code of a function elsewhere that seldom ran when they measured it: of Debian's
 * 3.14 most of _PyEval_EvalFrameDefault.  No exported symbol tells where it is, but the loop jumps
 * to several places in there, and unwind tables tell where it begins and ends.
 */
#ifndef SPEC_PYTHON_LOOP_H
#define SPEC_PYTHON_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct python_range {
    uint64_t start;
    uint64_t end;
};

/* Tells the range of addresses that an entry of the unwind tables describes. */
typedef bool (*python_range_finder)(void *of, uint64_t address, struct python_range *range);

/* Find the part that the code of the loop jumps to, of which `code` are the bytes.
 * Returns: zeros when there is none. */
struct python_range python_loop_find_rest(const unsigned char *code, struct python_range loop,
                                          python_range_finder finder, void *of);

#endif
