/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the functions of one file start and end, from its unwind table.
 *
 * Compilers write .eh_frame for nearly all code and strip leaves it there, so a function
 * without a symbol still has a place: "prog+0x5a30".
 */
#ifndef SYMBOLS_FUNCTION_RANGES_H
#define SYMBOLS_FUNCTION_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/intervals.h"

/* The bytes of a section .eh_frame, and where in the file's addresses they lie. */
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

/* Read a section of a file for a 64-bit little-endian machine, which holds ranges of the one
 * machine word that programs are made for.
 *
 * Source: Linux Standard Base Core 5.0, 10.6 (Exception Frames).
 */
void function_ranges_read(struct function_ranges *ranges,
                          const struct function_ranges_section *section);

/* Returns: the function that holds an address, or NULL. */
const struct interval *function_ranges_find(const struct function_ranges *ranges, uint64_t address);

#endif
