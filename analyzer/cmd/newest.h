/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The trace that a command without a name means, and the traces related to it.
 */
#ifndef CMD_NEWEST_H
#define CMD_NEWEST_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "base/status.h"
#include "base/text.h"
#include "base/text_list.h"

/* Ask whether a path is a folder to search for traces. */
bool newest_is_folder(const char *path);

/* Ask whether a path is a trace, or a folder that may have some. */
bool newest_can_read(const char *path);

/* Find the trace to read in a folder.  NULL means the working directory, and paths then have no
 * folder.  The chosen trace has the most processor time of the newest trace, its parents and its
 * children.  `relatives` gets the names of the others, or is empty.
 * Errors: STATUS_IO when there is no trace; the diagnostic says what to do. */
enum status newest_find(const char *folder, char path[PATH_MAX], struct text *relatives,
                        struct diagnostic *diagnostic) MUST_CHECK;

/* The other processes of a run: those that a process began, directly or by one of them, and those
 * that it became. */
struct newest_kin {
    size_t count;
    uint64_t cpu_ns;     /* processor time of all of them */
    uint64_t own_ns;     /* of the process itself */
    uint64_t heap_bytes; /* the highest peak of their heaps */
    uint64_t own_heap_bytes;
    uint64_t busiest_ns;    /* of the one with most */
    char busiest[PATH_MAX]; /* the trace of the one with most processor time */
    char largest[PATH_MAX]; /* the trace of the one with the largest heap */
    char busier[PATH_MAX];  /* of the whole run, the trace of the one with more processor time than
                               any other; "" if it is the given process, or none is known */
};

/* Find the traces of these processes, in the same folder. */
void newest_find_kin(const char *path, struct newest_kin *kin);

/* Add the paths of a trace and of the others of its run, in the same folder, by name. */
void newest_list_run_of(const char *path, struct text_list *traces);

/* Add the paths of the newest trace of the working directory and of the others of the same
 * run to a list, by name.  Errors: the same. */
enum status newest_list_run(struct text_list *traces, struct diagnostic *diagnostic) MUST_CHECK;

/* Add those of all traces of a folder.  Errors: the same. */
enum status newest_list_all(const char *folder, struct text_list *traces,
                            struct diagnostic *diagnostic) MUST_CHECK;

/* The same for a folder that may have no trace yet, or be gone: its traces now, by name. */
void newest_list_present(const char *folder, struct text_list *traces);

#endif
