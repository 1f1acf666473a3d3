/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The open spans of the process, by their keys.  Any thread may end a span.
 *
 * A table of buckets without a lock.  A bucket's keys fill a cache line.  A key of the shim's own
 * tells its place, and each thread takes the first free one near its last one: short spans stay in
 * the cache.  A key of the program's own is in the bucket of its hash.  65,000 spans may be open.
 *
 *   operation     free key         busy key            own key
 *   spans_add     becomes busy     looks on            -
 *   spans_put     becomes busy     looks on            -
 *   spans_take    looks on         looks on            becomes busy, then free
 *
 * Budget: a compare-and-swap and a release store each.
 *
 * Safety: any thread.  A forked child finds the table empty.
 */
#ifndef RANGES_SPANS_H
#define RANGES_SPANS_H

#include <stdbool.h>
#include <stdint.h>

struct span {
    uint64_t start; /* ticks */
    uint64_t payload;
    uint32_t label; /* of its node */
    uint32_t thread;
    uint32_t payload_type;
};

/* Map the table.  The caller holds the process lock. */
bool spans_open(void);

/* Add a span.  `thread` and `number`: the number of its lane, and of the span in it.
 * Returns: its key, which spans_find removes; 0 when there is no room. */
uint64_t spans_add(uint32_t thread, uint32_t number, const struct span *span);
bool spans_find(uint64_t key, struct span *span);

/* Add a span by a key of the program's own.  `key`: above 1.
 * Returns: false when there is no room. */
bool spans_put(uint64_t key, const struct span *span);

/* Remove such a span.  Returns: false when none has this key. */
bool spans_take(uint64_t key, struct span *span);

#endif
