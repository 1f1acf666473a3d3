/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns that the tables of kernels have in common, and their filling.
 */
#ifndef KERNELS_KERNEL_ROWS_H
#define KERNELS_KERNEL_ROWS_H

#include "document/table.h"
#include "kernels/groups.h"

/* Fill the cells of name, shape and library. */
void kernel_rows_set_names(struct value *name, struct value *shape, struct value *library,
                           const struct group *group);

/* Fill the cells of the called symbol and its implementation. */
void kernel_rows_set_origin(struct value *symbol, struct value *implementation,
                            const struct group *group);

/* Name the rows whose time is known badly, with the error, and explain the mark of estimates. */
void kernel_rows_add_rough_note(struct table *table, const struct groups *groups);

/* Name the rows whose first calls cost much more than the others; no mean shows this. */
void kernel_rows_add_first_note(struct table *table, const struct session *session,
                                const struct groups *groups);

/* Say below a table how many calls were timed, if some were only counted, and from when on only
 * drawn calls have a record. */
void kernel_rows_add_estimate_note(struct table *table, const struct session *session,
                                   const struct groups *groups);

#endif
