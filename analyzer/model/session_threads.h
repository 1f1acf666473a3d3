/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The threads of a session, and the regions that ran in them.
 */
#ifndef MODEL_SESSION_THREADS_H
#define MODEL_SESSION_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "statistics/partial.h"

struct session;

struct session_thread {
    uint32_t id; /* kernel thread id */
    uint32_t lane;
    uint64_t first_ns;
    uint64_t last_ns;   /* its end, or the last that is known of it */
    bool has_ended;     /* last_ns is its end */
    uint64_t born_ns;   /* processor time that it had before first_ns */
    uint64_t cpu_ns;    /* since; UNKNOWN when its end was not seen */
    uint64_t delay_ns;  /* for which it wanted a processor and had none; UNKNOWN */
    uint64_t kernel_ns; /* inside kernels, nested ones not twice */
    uint64_t allocations;
    uint64_t allocated_bytes;
    uint64_t frees;
    uint64_t failed_allocations;
    uint64_t lost_records;
    uint64_t unmatched;
    uint64_t records; /* that its tallies say were written or tried */
};

/* The processor time of a region, by calls whose clock was read: model/region_cpu.h. */
struct session_region_cpu {
    const char *unknown; /* why, or NULL: the rest holds */
    struct partial partial;
    double border_ns; /* by which the borders of its calls are not known */
    double own_ns;    /* of recording, which the thread's clock has and the region has not */
};

/* A region, merged over the threads that ran it; the path tells it apart.
 * Region 0 is the root: what ran in no region. */
struct session_region {
    const char *label;
    const char *path; /* "model/layer0/attention"; "" for the root */
    uint32_t parent;
    uint32_t depth; /* of the root 0 */
    uint64_t calls;
    bool is_estimated;             /* calls and times, by drawn calls in a window */
    uint64_t inclusive_ns;         /* completed calls, summed over threads */
    uint64_t exclusive_ns;         /* without the regions inside */
    uint64_t cpu_ns;               /* inclusive; UNKNOWN */
    struct session_region_cpu cpu; /* of cpu_ns; not of the root */
    uint64_t kernel_ns;            /* exclusive: kernels called right here, nested not twice */
    uint64_t allocations;          /* these are exclusive too */
    uint64_t allocated_bytes;
    uint64_t frees;
    bool has_estimated_heap;   /* the next four, by drawn blocks */
    uint64_t freed_bytes;      /* UNKNOWN when not every record is there */
    uint64_t begin_heap_bytes; /* live heap when it began first: its baseline; UNKNOWN */
    uint64_t end_heap_bytes;   /* live heap when it ended last; UNKNOWN */
    uint64_t peak_heap_bytes;  /* highest live heap while it was open in any thread; UNKNOWN */
    uint64_t items;
    uint32_t threads;
};

/* A call of a region that was seen to begin and end. */
struct session_lap {
    uint64_t start_ns;
    uint64_t end_ns;
    uint32_t region;
    uint32_t thread;
};

/* The thread's clock at the end of a lap. */
struct session_clock {
    size_t lap;       /* index in laps */
    double drawn_of;  /* the call was drawn of so many; 0: it was not */
    double passed_ns; /* processor time since the reading before it */
    double before_ns; /* from that reading to the call's begin */
};

/* Returns: the name of a thread by its number in the operating system; NULL: it is not known. */
const char *session_find_thread_name(const struct session *session, uint32_t id);

#endif
