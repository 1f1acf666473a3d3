/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the threads of a process were in when its recording ended without an ending: it was killed,
 * or still runs.
 *
 * Calls are counted when they end, so the totals have none of these.
 */
#ifndef MODEL_SESSION_OPENED_H
#define MODEL_SESSION_OPENED_H

#include <stdint.h>

struct facts;
struct reader;
struct tallies;
struct text;
struct trace_slot;
struct trace_wait;

/* A thread that had not ended. */
struct session_opened {
    uint32_t thread;        /* index in threads */
    const char *call;       /* of a kernel, "cblas_sgemm m=64 n=64 k=64"; NULL: none */
    uint64_t call_since_ns; /* its start; UNKNOWN */
    const char *wait; /* call that waits, by itself or in the kernel, "read data"; NULL: none */
    uint64_t wait_since_ns;
    const char *region; /* innermost region or op; NULL: none */
    uint64_t region_since_ns;
};

/* Fill in the threads.  The tallies are read. */
void session_opened_fill(struct tallies *tallies, const struct reader *reader);

/* Append what a cell is of: "cblas_sgemm m=64 n=64 k=64", "read data/train.bin"; and a label. */
void session_opened_append_slot(struct text *text, struct tallies *tallies,
                                const struct trace_slot *raw);
void session_opened_append_wait(struct text *text, struct tallies *tallies,
                                const struct trace_wait *raw);
void session_opened_append_label(struct text *text, const struct facts *facts, uint32_t label);

#endif
