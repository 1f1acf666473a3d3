/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a sample, a kernel or a call belongs to, as a row of processor time: for cpu_time.c and
 * its neighbours.
 */
#ifndef CPU_CPU_ROWS_H
#define CPU_CPU_ROWS_H

#include "base/array.h"
#include "base/status.h"
#include "base/text_index.h"
#include "cpu/cpu_row.h"
#include "places/places.h"

struct session_sample;
struct session_slot;

/* The rows while they are made. */
struct cpu_rows {
    struct cpu_time *time;
    enum cpu_by by;
    struct text_index keys; /* the number of a key is the index of its row */
    struct text key;        /* for whoever needs one */
    struct array of_functions; /* uint32_t by function: the row of the op that it is of, and one */
};

void cpu_rows_init(struct cpu_rows *rows, struct cpu_time *time, enum cpu_by by);
void cpu_rows_fini(struct cpu_rows *rows);

/* Find a row that the name alone tells apart. */
void cpu_rows_find(struct cpu_rows *rows, enum cpu_kind kind, const char *name, uint32_t *row);

/* Find the row of a sample's own time. */
void cpu_rows_of_sample(struct cpu_rows *rows, const struct session_sample *sample, uint32_t *row);

/* Find the row of a kernel's own time: of a slot, or of a binding where no slot is known. */
void cpu_rows_of_slot(struct cpu_rows *rows, const struct session_slot *slot, uint32_t *row);
void cpu_rows_of_binding(struct cpu_rows *rows, const struct session_sample *sample,
                         uint32_t binding, uint32_t *row);

/* Find the row of an op, which is not 0. */
void cpu_rows_of_op(struct cpu_rows *rows, uint32_t op, uint32_t *row);

/* Find the row of a function on the way to a sample.
 * Returns: SESSION_NONE if these rows have no callers. */
void cpu_rows_of_place(struct cpu_rows *rows, const struct place *place, uint32_t *row);

#endif
