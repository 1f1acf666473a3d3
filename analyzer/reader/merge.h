/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The events of all lanes in one stream, by time.
 *
 * Events of one lane keep their order whatever their times; at equal times the lower lane comes
 * first.
 */
#ifndef READER_MERGE_H
#define READER_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/cursor.h"

/* Events for each call.  So the caller can prefetch memory for all of them at once. */
enum { MERGE_BATCH = 64 };

struct merge_source;

struct merge {
    struct merge_source *sources; /* a lane each, by number */
    size_t source_count;
    uint64_t *keys;   /* by source: the time of its next event; MERGE_ENDED */
    uint32_t *losers; /* the tree: which source each match was lost by */
    size_t leaves;
    uint32_t winner;                  /* the source of the next event, or of the last one */
    bool is_spent;                    /* all its events were returned */
    uint64_t read_bytes;              /* bytes read of the event chunks */
    uint64_t whole_bytes;             /* read_bytes at the end */
    uint64_t bad_records;             /* bad records of lanes that have ended */
    uint64_t torn_chunks;
    const struct reader_event *batch[MERGE_BATCH]; /* the batch of merge_next */
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
 * Returns: how many; 0 at the end.  The events are valid until the next call.
 */
size_t merge_read(struct merge *merge, const struct reader_event **events);

/* Give the next event.
 *
 * Returns: an event that is valid until the next call; NULL at the end.
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
