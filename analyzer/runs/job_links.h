/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which processes of a job waited for which.
 *
 * Both ends of a pipe have one inode: who reads from it waits for who writes to it, and the other
 * way round when it is full.  Who waits for children waits for the processes that it started.
 */
#ifndef RUNS_JOB_LINKS_H
#define RUNS_JOB_LINKS_H

#include <stdint.h>

#include "base/array.h"
#include "base/text_list.h"
#include "document/document.h"

struct session;

struct job_links {
    struct array processes; /* of struct link_process, see job_links.c */
    struct array ends;      /* of struct link_end */
    struct text_list texts;
};

void job_links_init(struct job_links *links);
void job_links_fini(struct job_links *links);

/* Take what a session tells of its process. */
void job_links_take(struct job_links *links, const struct session *session);

/* Is told whom a process, by its place among those that were taken, waited for in a function,
 * "read pipe"; longest waits first. */
typedef void (*job_link_taker)(void *of, uint32_t process, const char *function, const char *peers);

/* Tell all. */
void job_links_tell(const struct job_links *links, job_link_taker take, void *of);

/* Add the table, at most `most` rows for people; no table where nobody waited. */
void job_links_add(const struct job_links *links, struct document *document,
                   enum section_place place, size_t most);

#endif
