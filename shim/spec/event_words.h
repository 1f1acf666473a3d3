/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The length of records, for walking through a chunk of events.
 */
#ifndef SPEC_EVENT_WORDS_H
#define SPEC_EVENT_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "spec/trace.h"

static inline uint64_t kind_of_record(const uint64_t *record)
{
    return record[0] & ((1 << TRACE_KIND_BITS) - 1);
}

/* Returns: the fewest words of a record of this kind; 1 for an unknown kind. */
static inline size_t words_of_kind(uint64_t kind)
{
    static const unsigned char words[1 << TRACE_KIND_BITS] = {
#define EVENT(kind, name, words, help) [TRACE_EVENT_##kind] = words,
#include "spec/events.def"
#undef EVENT
    };

    return words[kind] > 0 ? words[kind] : 1;
}

/* Returns: the words of this record beyond the fewest of its kind. */
static inline size_t words_beyond_kind(const uint64_t *record)
{
    enum { COUNT_SHIFT = 12, COUNT_MASK = 255 };
    uint64_t kind = kind_of_record(record);

    if (kind == TRACE_EVENT_EXTENDED)
        return (size_t)(record[0] >> COUNT_SHIFT & COUNT_MASK);
    return ((kind >= TRACE_EVENT_MALLOC && kind <= TRACE_EVENT_ALIGNED) ||
            kind == TRACE_EVENT_DRAWN) &&
           (record[1] & TRACE_SIZE_LARGE) == TRACE_SIZE_LARGE;
}

#endif
