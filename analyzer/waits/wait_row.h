/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of waits; wait_rows.c makes them.
 */
#ifndef WAITS_WAIT_ROW_H
#define WAITS_WAIT_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "rows/fold.h"
#include "spec/trace.h"

struct wait_row {
    const char *name;     /* "read data/train.bin"; texts live as long as the wait_rows */
    const char *kind;     /* a key of wait_classes.def, or "unhooked"; NULL: several, if rows are
                             neither by call nor by kind */
    const char *place;    /* "data.c:31 load"; NULL: unknown, or several */
    uint64_t calls;       /* 0: the call is unknown */
    uint64_t bytes;       /* SESSION_UNKNOWN where calls lack them */
    double total_ns;      /* time of all calls from start to end */
    double waiting_ns;    /* part of it on no processor */
    double main_path_ns;  /* part of this in the program's first thread */
    bool is_own;          /* the program waits for tprof itself */
    double main_total_ns; /* part of the total in that thread */
    uint64_t max_ns;
    enum trace_waited_kind waited; /* kind of the last counted call's descriptor */
    uint32_t owner;                /* thread that held the lock for most of it; 0: unknown */
    double owner_ns;
    double held_ns;   /* for waits on the interpreter's lock: the time with a known holder */
    const char *holder; /* its main holder by time: "spin  train.py:88"; or NULL */
    double holder_ns;   /* for how long that holder held it */
    uint32_t chain;      /* chain of its longest call that has one; SESSION_NONE: none has */
    uint64_t chained_ns; /* how long that was */
    uint32_t main_chain; /* that of the first thread */
    uint64_t main_chained_ns;
    uint32_t threads;
    uint32_t last_thread; /* the last thread counted */
};

struct wait_rows {
    struct array rows; /* of struct wait_row */
    struct fold fold;
    uint32_t *row_of; /* row of each wait of the session; owned */
};

#endif
