/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Copies a code object of CPython to the form of a CODE fact.
 *
 * Texts are turned into UTF-8, and cut at a bound: a name may have 64 KiB.  A line table longer
 * than its bound has the lines of its first instructions only.
 *
 * Safety: the same as the reader's; nothing is allocated, and nothing read is trusted.
 */
#ifndef SPEC_PYTHON_CODE_H
#define SPEC_PYTHON_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spec/python_layout.h"
#include "spec/trace.h"

enum {
    PYTHON_CODE_NAME = 256, /* most characters */
    PYTHON_CODE_FILE = 1024,
    PYTHON_CODE_LINES = 1 << 16, /* bytes */
    PYTHON_CODE_CHARACTER = 4,
    PYTHON_CODE_SIZE = sizeof(struct trace_code) +
                       (PYTHON_CODE_NAME + PYTHON_CODE_FILE + 2) * PYTHON_CODE_CHARACTER +
                       PYTHON_CODE_LINES
};

/* The memory with a code object. */
struct python_memory {
    bool (*read)(void *of, uint64_t address, void *bytes, size_t size); /* false: unreadable */
    void *of;
};

/* Copy a code object to a record of PYTHON_CODE_SIZE bytes; its id stays 0.
 * Returns: its size; 0 when it cannot be read. */
size_t python_code_copy(const struct python_memory *memory, const struct python_layout *layout,
                        uint64_t code, struct trace_code *record);

/* Copy a text as UTF-8, without a terminator; a longer one is cut.
 * Returns: its size; 0 when it cannot be read, or is empty. */
size_t python_text_copy(const struct python_memory *memory, const struct python_layout *layout,
                        uint64_t object, char *to, size_t size);

#endif
