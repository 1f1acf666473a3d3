/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The waits of a job's processes for one another.
 *
 * Both ends of a pipe share an inode: the reader waits for the writer, and the writer for the
 * reader when the pipe is full.  A process that waits for children waits for the processes that it
 * started.
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

/* Take the waits of a session's process. */
void job_links_take(struct job_links *links, const struct session *session);

/* Called for each wait: the process (its place among the added ones), the function ("read pipe"),
 * and the processes it waited for.  Longest waits come first. */
typedef void (*job_link_taker)(void *of, uint32_t process, const char *function, const char *peers);

/* Call it for all. */
void job_links_tell(const struct job_links *links, job_link_taker take, void *of);

/* Add the table, at most `most` rows for people; no table when no process waited. */
void job_links_add(const struct job_links *links, struct document *document,
                   enum section_place place, size_t most);

#endif
