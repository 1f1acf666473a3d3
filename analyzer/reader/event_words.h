/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_words.h: how long records are.
 */
#ifndef READER_EVENT_WORDS_H
#define READER_EVENT_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "spec/trace.h"

/* Returns: the words that a record of this kind has at least; 1 where there is
 * no such kind. */
static inline size_t words_of_kind(uint64_t kind)
{
    static const unsigned char words[1 << TRACE_KIND_BITS] = {
#define EVENT(kind, name, words, help) [TRACE_EVENT_##kind] = words,
#include "spec/events.def"
#undef EVENT
    };

    return words[kind] > 0 ? words[kind] : 1;
}

#endif
