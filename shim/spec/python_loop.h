/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The other part of the interpreter's loop.
 *
 * Compilers move the rarely run code of a function elsewhere: in Debian's 3.14, most of
 * _PyEval_EvalFrameDefault.  No exported symbol names that part, but the loop jumps to several
 * places in it, and unwind tables have its start and end.
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

/* Finds the range of addresses of an entry in the unwind tables. */
typedef bool (*python_range_finder)(void *of, uint64_t address, struct python_range *range);

/* Find the part that the loop's code jumps to; `code`: the bytes of the loop.
 * Returns: zeros when there is none. */
struct python_range python_loop_find_rest(const unsigned char *code, struct python_range loop,
                                          python_range_finder finder, void *of);

#endif
