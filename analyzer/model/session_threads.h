/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The threads of a session, and the regions that ran in them.
 */
#ifndef MODEL_SESSION_THREADS_H
#define MODEL_SESSION_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "model/session_spans.h"
#include "statistics/partial.h"

struct session;

struct session_thread {
    uint32_t id; /* kernel thread id */
    uint32_t lane;
    uint64_t first_ns;
    uint64_t last_ns;   /* its end, or its last known time */
    bool has_ended;     /* last_ns is its end */
    uint64_t born_ns;   /* its processor time before first_ns */
    uint64_t cpu_ns;    /* since its start; UNKNOWN if its end was not recorded */
    uint64_t delay_ns;  /* time that it was runnable without a processor; UNKNOWN */
    uint64_t kernel_ns; /* inside kernels, nested ones not twice */
    uint64_t allocations;
    uint64_t allocated_bytes;
    uint64_t frees;
    uint64_t failed_allocations;
    uint64_t lost_records;
    uint64_t unmatched;
    uint64_t records; /* written or tried, by its tallies */
};

/* Threads that could be joined, from one call chain, and that nobody joined or detached. */
struct session_unjoined {
    uint32_t chain; /* index in calls; SESSION_NONE */
    uint64_t count;
    uint64_t stack_bytes; /* their addresses, touched or not; UNKNOWN */
};

/* The processor time of a region, from calls whose clock was read: model/region_cpu.h. */
struct session_region_cpu {
    const char *unknown; /* the reason, or NULL: the rest is valid */
    struct partial partial;
    double border_ns; /* uncertainty due to the borders of its calls */
    double own_ns;    /* cost of recording in the thread's clock, not in the region */
};

/* A region, merged over the threads that ran it; its path identifies it.  Region 0 is the root: the
 * time outside of any region. */
struct session_region {
    const char *label;
    const char *path; /* "model/layer0/attention"; "" for the root.  A label has its domain and a
                         colon before it, if there is one */
    struct session_look look;
    uint32_t parent;
    uint32_t depth; /* depth of the root: 0 */
    uint64_t calls;
    bool is_estimated;             /* calls and times, by drawn calls in a window */
    uint64_t inclusive_ns;         /* completed calls, summed over threads */
    uint64_t exclusive_ns;         /* without inner regions */
    uint64_t cpu_ns;               /* inclusive; UNKNOWN */
    struct session_region_cpu cpu; /* parts of cpu_ns; not for the root */
    uint64_t kernel_ns;            /* exclusive: kernels called right here, nested not twice */
    uint64_t allocations;          /* these are exclusive, too */
    uint64_t allocated_bytes;
    uint64_t frees;
    bool has_estimated_heap;   /* the next four, by drawn blocks */
    uint64_t freed_bytes;      /* UNKNOWN when a record is missing */
    uint64_t begin_heap_bytes; /* live heap at its first start: its baseline; UNKNOWN */
    uint64_t end_heap_bytes;   /* live heap at its last end; UNKNOWN */
    uint64_t peak_heap_bytes;  /* highest live heap while it was open in any thread; UNKNOWN */
    uint64_t items;
    uint32_t threads;
};

/* Ask whether a region is that of the Python module, python/libtprof/_analyzer.py.  The program
 * waits for tprof itself there, so its time is no fault of the program. */
static inline bool session_region_is_own(const struct session_region *region)
{
    return region->label && strcmp(region->label, "libtprof: reading the trace") == 0;
}

/* A call of a region whose start and end were recorded. */
struct session_lap {
    uint64_t start_ns;
    uint64_t end_ns;
    uint32_t region;
    uint32_t thread;
};

/* The thread's clock at the end of a lap. */
struct session_clock {
    size_t lap;       /* index in laps */
    double drawn_of;  /* the call was drawn, one of this many; 0: not drawn */
    double passed_ns; /* processor time since the reading before it */
    double before_ns; /* from that reading to the call's start */
};

/* Returns: the name of a thread by its number in the operating system; NULL: unknown. */
const char *session_find_thread_name(const struct session *session, uint32_t id);

#endif
