/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processes that waited for one another: from job_links.c to job_advice.c.
 */
#ifndef RUNS_JOB_LINKS_PARTS_H
#define RUNS_JOB_LINKS_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/status.h"
#include "base/text.h"

struct job_links;

struct link_process {
    const char *name;
    const char *host; /* inodes and process ids are valid within one host; or NULL */
    uint32_t pid;
    uint32_t parent_pid;
    double wall_ns;
    double cpu_ns;        /* NAN: unknown */
    double waiting_ns;    /* time when its first thread was blocked, not waiting for a processor */
    double waiting_share; /* share of the time when that thread was blocked or running */
};

/* The calls of one name in a thread, on a pipe or for children. */
struct link_end {
    uint32_t process; /* index in processes */
    uint32_t thread;
    const char *name; /* "read pipe" */
    uint64_t inode;   /* 0: a wait for children */
    bool writes;
    double waiting_ns;
};

/* The other processes that a process waited for. */
struct link {
    uint32_t process; /* index in processes */
    const struct link_end *end; /* the first of the combined ones */
    double waiting_ns;
    struct text peers; /* "1234 1235": their numbers */
    uint32_t peer;     /* the first */
    size_t peer_count;
};

/* Fill an uninitialized array of struct link, longest waits first. */
void links_sum_up(struct array *sums, const struct job_links *links);
void links_fini(struct array *sums);

const struct link_process *links_process(const struct job_links *links, uint32_t index);

/* Returns: whether a process reads from a pipe that another writes to, even without waiting. */
bool links_reads_from(const struct job_links *links, uint32_t reader, uint32_t writer);

/* Returns: whether a process waited for the process `pid`. */
bool link_has_peer(const struct link *link, uint32_t pid);

#endif
