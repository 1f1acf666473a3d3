/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads a table of lines from its start.
 *
 * An entry covers some instructions.  Its first byte has bit 7 set, a code of four bits, and the
 * number of instructions less one; the code defines the rest.
 */
#include "model/python_lines.h"

#include <stdbool.h>

enum {
    ENTRY_BIT = 0x80,
    CODE_SHIFT = 3,
    CODE_MASK = 15,
    COUNT_MASK = 7,
    INSTRUCTION_SIZE = 2,
    /* Codes: below this the line stays the same; up to LINE_2 it grows by code - LINE_0. */
    CODE_LINE_0 = 10,
    CODE_LINE_2 = 12,
    CODE_NO_COLUMNS = 13,
    CODE_LONG = 14,
    CODE_NONE = 15,
    GROUP_BITS = 6,
    GROUP_MASK = 63,
    GROUP_GOES_ON = 64,
    SHIFT_MOST = 30
};

struct table {
    const unsigned char *at;
    const unsigned char *end;
    bool is_bad;
};

/* Groups of six bits, the lowest first. */
static uint32_t read_number(struct table *table)
{
    uint32_t value = 0;

    for (unsigned shift = 0; shift <= SHIFT_MOST && table->at < table->end; shift += GROUP_BITS) {
        unsigned group = *table->at++;

        value |= (uint32_t)(group & GROUP_MASK) << shift;
        if (!(group & GROUP_GOES_ON))
            return value;
    }
    table->is_bad = true;
    return 0;
}

/* The lowest bit is the sign. */
static int64_t read_signed(struct table *table)
{
    uint32_t value = read_number(table);

    return value & 1 ? -(int64_t)(value >> 1) : (int64_t)(value >> 1);
}

/* The change of the line by an entry.  The rest is skipped up to the first byte of the next entry,
 * as only first bytes have bit 7. */
static int64_t read_step(struct table *table, unsigned code)
{
    int64_t step = 0;

    if (code >= CODE_LINE_0 && code <= CODE_LINE_2)
        step = (int64_t)code - CODE_LINE_0;
    else if (code == CODE_NO_COLUMNS || code == CODE_LONG)
        step = read_signed(table);
    while (table->at < table->end && !(*table->at & ENTRY_BIT))
        table->at++;
    return step;
}

uint32_t python_lines_find(const unsigned char *bytes, size_t size, int32_t first_line,
                           uint32_t offset)
{
    struct table table = {bytes, bytes + size, false};
    int64_t line = first_line;
    uint64_t end = 0;

    while (table.at < table.end) {
        unsigned entry = *table.at++;
        unsigned code = entry >> CODE_SHIFT & CODE_MASK;

        if (!(entry & ENTRY_BIT))
            return 0;
        line += read_step(&table, code);
        end += INSTRUCTION_SIZE * ((entry & COUNT_MASK) + 1);
        if (table.is_bad)
            return 0;
        if (offset < end)
            return code == CODE_NONE || line <= 0 || line > INT32_MAX ? 0 : (uint32_t)line;
    }
    return 0;
}
