/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The traces of a folder, look after look: a profile of each window, alerts, and metrics of all.
 *
 * A profile is of one trace and one window, and windows are aligned to the clock, so those of a
 * fleet belong together.  The profiles are the only memory between two watches: a window that has
 * a whole one is not read again.
 *
 * Nothing is asked of the processes, and nothing is locked.
 */
#ifndef WATCH_WATCH_H
#define WATCH_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/text_list.h"

struct watch_request {
    const char *folder;                 /* where the files go */
    uint64_t every_ns;                  /* length of a window, at least a second */
    bool unicode;                       /* lines may have characters beyond ASCII */
    void (*complain)(const char *line); /* what could not be done */
    void (*announce)(const char *line); /* an alert */
    bool (*is_stopped)(void);           /* the look is to end soon; the last look is not asked */
};

struct watch {
    struct watch_request request;
    struct array traces; /* of struct watch_trace: watch_parts.h */
    char *failure;       /* why the last look could not write; NULL: it could */
};

void watch_init(struct watch *watch, const struct watch_request *request);
void watch_fini(struct watch *watch);

/* Look at the traces of the folder.  The last look also writes windows that go on, at most two
 * windows of each trace. */
void watch_look(struct watch *watch, const struct text_list *paths, bool is_last);

#endif
