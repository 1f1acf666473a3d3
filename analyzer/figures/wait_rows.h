/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The waits of a session as rows: by what is waited for and where, or by one of these alone.
 */
#ifndef FIGURES_WAIT_ROWS_H
#define FIGURES_WAIT_ROWS_H

#include "base/array.h"
#include "base/attributes.h"
#include "base/status.h"
#include "base/text_index.h"
#include "figures/analysis.h"
#include "spec/trace.h"

struct session;
struct session_wait;
struct text;

struct wait_row {
    char *name;           /* "read data/train.bin"; owned */
    const char *kind;     /* a key of wait_classes.def, or "unhooked" */
    char *place;          /* "load  data.c:31"; owned; NULL: not known, or of several */
    uint64_t calls;       /* 0: it is not known what was called */
    uint64_t bytes;       /* SESSION_UNKNOWN where calls do not tell */
    double total_ns;      /* from begin to end of all calls */
    double waiting_ns;    /* of it, on no processor */
    double main_path_ns;  /* of this, in the thread that the program began with */
    double main_total_ns; /* of the total, in that thread */
    uint64_t max_ns;
    enum trace_waited_kind waited; /* what the last counted call's descriptor stands for */
    uint32_t owner;                /* thread that held the lock for most of it; 0: not known */
    double owner_ns;
    double held_ns;   /* of waits for the interpreter's lock: the time whose holder is known */
    char *holder;     /* who held it for most of that time: "spin  train.py:88"; owned; or NULL */
    double holder_ns; /* for how long */
    uint32_t chain;      /* of its longest call that has one; SESSION_NONE: none has */
    uint64_t chained_ns; /* how long that was */
    uint32_t threads;
    uint32_t last_thread; /* that was counted last */
};

struct wait_rows {
    struct array rows; /* of struct wait_row */
    struct text_index index;
    uint32_t *row_of; /* by wait of the session: its row; owned */
};

/* Append what is called, and for what: "read data/train.bin", "poll pipe". */
void wait_append_call(struct text *text, const struct session_wait *wait);

/* Gather them.  `by`: what a row stands for.
 * Errors: STATUS_OUT_OF_MEMORY; finish them all the same. */
enum status wait_rows_init(struct wait_rows *rows, const struct session *session,
                           enum analysis_by by) MUST_CHECK;

void wait_rows_fini(struct wait_rows *rows);

#endif
