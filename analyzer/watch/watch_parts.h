/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of watch.h: a trace, and a look at all.
 */
#ifndef WATCH_WATCH_PARTS_H
#define WATCH_WATCH_PARTS_H

#include "alerts/alert_rules.h"
#include "base/attributes.h"
#include "base/status.h"
#include "base/text.h"
#include "export/metrics.h"
#include "model/session.h"
#include "spec/trace.h"
#include "watch/watch.h"

/* Units: nanoseconds since 1970, unless said otherwise. */
struct watch_trace {
    char *path;
    uint64_t start_ns; /* of its recording */
    uint64_t done_ns;  /* end of the windows that were written */
    uint64_t told_ns;  /* end of the alerts that were written */
    uint32_t raised;   /* alerts that were written and are not over: a bit each */
    struct alert alerts[ALERTS]; /* the raised ones */
    bool is_known;     /* the windows were found out */
    bool has_raised;   /* and the alerts */
    bool is_over;      /* it ended, and all is written */
    uint64_t ending;   /* two words of its header at that look: */
    uint64_t latest;   /* a change means that it goes on */
    bool is_seen;    /* in this look */
    char *complaint; /* the last one; NULL: none */
};

struct watch_look {
    struct watch *watch;
    uint64_t now_ns;
    bool is_last;
    bool has_failed; /* a file could not be written: no other is tried */
    struct metrics metrics;
};

/* Say that a file could not be written (errno), unless the last look said the same. */
void watch_fail(struct watch_look *look, const char *path);

/* Say why a trace could not be read, but not twice. */
void watch_complain(const struct watch_look *look, struct watch_trace *trace,
                    const struct diagnostic *diagnostic);

/* Find how much earlier watches wrote of a trace, which is known until `until_ns`. */
void watch_find_told(const struct watch *watch, struct watch_trace *trace, uint64_t until_ns);

/* Write the profiles of the complete windows until a time, and of the rest if it is over.
 * Returns: false when there is more to do. */
bool watch_write_windows(struct watch_look *look, struct watch_trace *trace, uint64_t until_ns,
                         bool is_over) MUST_CHECK;

/* Tell the alerts of the windows that were written.  Those of a trace that is over end.
 * Returns: false when there is more to do. */
bool watch_tell_alerts(struct watch_look *look, struct watch_trace *trace, bool is_over) MUST_CHECK;

/* Append readings of the machine: pressure, disks, temperatures.  Files are those below `root`: ""
 * except in tests. */
void watch_append_machine(struct text *text, const char *root);

/* "2026-11-26T12:30:00Z", or, for names of files, "20261126T123000Z". */
enum { WATCH_TIME_SIZE = 24 };
const char *watch_format_time(char text[WATCH_TIME_SIZE], uint64_t time_ns, bool is_name);

/* Append the path of a file of the output. */
void watch_append_path(struct text *path, const struct watch *watch, const char *name);

#endif
