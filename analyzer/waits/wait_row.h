/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of waits: wait_rows.c makes them.
 */
#ifndef WAITS_WAIT_ROW_H
#define WAITS_WAIT_ROW_H

#include <stdint.h>

#include "base/array.h"
#include "rows/fold.h"
#include "spec/trace.h"

struct wait_row {
    const char *name;     /* "read data/train.bin"; texts live as long as the wait_rows */
    const char *kind;     /* a key of wait_classes.def, or "unhooked"; NULL: several, where rows
                             are neither of a call nor of a kind */
    const char *place;    /* "data.c:31 load"; NULL: not known, or of several */
    uint64_t calls;       /* 0: the call is unknown */
    uint64_t bytes;       /* SESSION_UNKNOWN where calls lack them */
    double total_ns;      /* from start to end of all calls */
    double waiting_ns;    /* of it, on no processor */
    double main_path_ns;  /* of this, in the thread that the program began with */
    double main_total_ns; /* of the total, in that thread */
    uint64_t max_ns;
    enum trace_waited_kind waited; /* kind of the last counted call's descriptor */
    uint32_t owner;                /* thread that held the lock for most of it; 0: not known */
    double owner_ns;
    double held_ns;   /* of waits for the interpreter's lock: the time whose holder is known */
    const char *holder; /* its main holder by time: "spin  train.py:88"; or NULL */
    double holder_ns;   /* for how long */
    uint32_t chain;      /* of its longest call that has one; SESSION_NONE: none has */
    uint64_t chained_ns; /* how long that was */
    uint32_t threads;
    uint32_t last_thread; /* that was counted last */
};

struct wait_rows {
    struct array rows; /* of struct wait_row */
    struct fold fold;
    uint32_t *row_of; /* by wait of the session: its row; owned */
};

#endif
