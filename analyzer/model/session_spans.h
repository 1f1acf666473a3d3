/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the program marked for other tools, by NVTX or ITT: how regions look, spans, and moments.
 *
 * A span starts and ends by an id, on any threads.  Spans overlap, so they have no shares.
 */
#ifndef MODEL_SESSION_SPANS_H
#define MODEL_SESSION_SPANS_H

#include <stdbool.h>
#include <stdint.h>

struct storage;

/* How a range was marked.  Texts are NULL where there is none. */
struct session_look {
    const char *interface; /* "nvtx", "itt"; NULL: of tprof.h */
    const char *domain;    /* NULL: the default domain */
    const char *category;  /* its name, or its number */
    bool is_library;       /* a library marks its own calls: library_domains.def */
    bool has_colour;
    uint32_t colour; /* alpha, red, green, blue, from the highest byte */
};

/* The spans or moments of one name, domain and interface. */
struct session_span_row {
    struct session_look look;
    const char *name;
    bool is_mark;
    uint64_t calls; /* that ended; of moments, all */
    uint64_t total_ns;
    uint64_t open;     /* that never ended */
    uint64_t recorded; /* in the session's spans */
    bool is_estimated; /* calls and total, by drawn ones in a window */
};

/* A recorded span or moment. */
struct session_span {
    uint64_t start_ns;
    uint64_t end_ns;
    uint32_t row;
    uint32_t thread;     /* that it ended in: index in the session's threads */
    uint32_t started_in; /* number of the thread in the operating system */
    uint32_t calls;      /* it stands for */
};

/* At most these are kept, some 40 MB. */
enum { SESSION_SPANS_MOST = 1 << 20 };

/* The parts of the string of a range.  Returns: its name; the look gets interface and domain. */
const char *session_split_range(struct storage *storage, const char *text,
                                struct session_look *look);

/* "#76b900", or "" without a colour. */
enum { SESSION_COLOUR_SIZE = 8 };
void session_write_colour(const struct session_look *look, char text[SESSION_COLOUR_SIZE]);

#endif
