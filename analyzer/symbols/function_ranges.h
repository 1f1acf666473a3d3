/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The start and end of a file's functions, from its unwind table.
 *
 * Compilers write .eh_frame for nearly all code, and strip leaves it in place, so even a function
 * without a symbol has a place: "prog+0x5a30".
 */
#ifndef SYMBOLS_FUNCTION_RANGES_H
#define SYMBOLS_FUNCTION_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/intervals.h"

/* The bytes of an .eh_frame section, and their position in the file's addresses. */
struct function_ranges_section {
    const unsigned char *bytes;
    size_t size;
    uint64_t address;
};

struct function_ranges {
    struct intervals intervals;
    bool is_torn; /* the table ends in invalid bytes; the entries before them are used */
};

void function_ranges_init(struct function_ranges *ranges);

void function_ranges_fini(struct function_ranges *ranges);

/* Read a section of a file for a 64-bit little-endian machine.
 *
 * Source: Linux Standard Base Core 5.0, 10.6 (Exception Frames).
 */
void function_ranges_read(struct function_ranges *ranges,
                          const struct function_ranges_section *section);

/* Returns: the function that holds an address, or NULL. */
const struct interval *function_ranges_find(const struct function_ranges *ranges, uint64_t address);

#endif
