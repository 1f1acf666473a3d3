/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The events of all lanes in one stream, by time.
 *
 * Events of one lane keep their order whatever their times; at equal times the
 * lower lane comes first.
 */
#ifndef READER_MERGE_H
#define READER_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/cursor.h"

/* Events a call.  The caller can prefetch memory for all of them at once. */
enum { MERGE_BATCH = 64 };

struct merge_source;

struct merge {
    struct merge_source *sources; /* a lane each, by number */
    size_t source_count;
    uint64_t *keys;   /* of each source: when its next event was; MERGE_ENDED */
    uint32_t *losers; /* the tree: which source each match was lost by */
    size_t leaves;
    uint32_t winner;                  /* the source whose event comes next, or was the last */
    bool is_spent;                    /* all its events were given */
    uint64_t read_bytes;              /* of the event chunks */
    uint64_t whole_bytes;             /* read_bytes at the end */
    uint64_t bad_records;             /* of lanes that have ended */
    uint64_t torn_chunks;
    const struct reader_event *batch[MERGE_BATCH]; /* of merge_next */
    size_t next;
    size_t count;
};

/* Open the event chunks of a trace. */
void merge_open(struct merge *merge, const struct reader *reader);

void merge_close(struct merge *merge);

/* Tell the number of the lane that source `source` reads. */
uint32_t merge_lane(const struct merge *merge, size_t source);

/* Give the next events.  Shape: room for MERGE_BATCH.
 *
 * Returns: how many; 0 at the end.  They are good until the next call.
 */
size_t merge_read(struct merge *merge, const struct reader_event **events);

/* Give the next event.
 *
 * Returns: NULL at the end; else an event that is good until the next call.
 */
static inline const struct reader_event *merge_next(struct merge *merge)
{
    if (merge->next == merge->count) {
        merge->count = merge_read(merge, merge->batch);
        merge->next = 0;
    }
    return merge->next < merge->count ? merge->batch[merge->next++] : NULL;
}

#endif
