/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Assigns a sample, a kernel or a call to a row of processor time: for cpu_time.c and its
 * neighbours.
 */
#ifndef CPU_CPU_ROWS_H
#define CPU_CPU_ROWS_H

#include "base/array.h"
#include "cpu/cpu_row.h"
#include "places/places.h"
#include "rows/fold.h"

struct session_sample;
struct session_slot;

/* The rows while they are made. */
struct cpu_rows {
    struct cpu_time *time;
    enum cpu_by by;
    struct fold fold;     /* the fold of the rows of `time` */
    struct fold known;    /* the fold of functions and lines that have a row */
    struct array indices; /* uint32_t: the index of the row, plus one */
};

void cpu_rows_init(struct cpu_rows *rows, struct cpu_time *time, enum cpu_by by);
/* All these return the index of a row.  The name is the only key of this row. */
uint32_t cpu_rows_find(struct cpu_rows *rows, enum cpu_kind kind, const char *name);

/* The row of a sample's own time. */
uint32_t cpu_rows_of_sample(struct cpu_rows *rows, const struct session_sample *sample);

/* The row of a kernel's own time: by slot, or by binding where no slot is known. */
uint32_t cpu_rows_of_slot(struct cpu_rows *rows, const struct session_slot *slot);
uint32_t cpu_rows_of_binding(struct cpu_rows *rows, const struct session_sample *sample,
                             uint32_t binding);

/* The row of an op, not 0. */
uint32_t cpu_rows_of_op(struct cpu_rows *rows, uint32_t op);

/* The row of a function on the path to a sample; SESSION_NONE for rows without callers. */
uint32_t cpu_rows_of_place(struct cpu_rows *rows, const struct place *place);

#endif
