/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns that the tables of kernels have in common, and their filling.
 */
#ifndef FIGURES_KERNEL_ROWS_H
#define FIGURES_KERNEL_ROWS_H

#include "document/table.h"
#include "figures/groups.h"

/* Fill the cells of name, shape and library.  Errors: STATUS_OUT_OF_MEMORY. */
enum status kernel_rows_set_names(struct value *name, struct value *shape, struct value *library,
                                  const struct group *group) MUST_CHECK;

/* Fill the cells of what was called and what served it.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status kernel_rows_set_origin(struct value *symbol, struct value *implementation,
                                   const struct group *group) MUST_CHECK;

/* Name the rows whose time is known badly, with its error, and say what marks estimates.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status kernel_rows_add_rough_note(struct table *table, const struct groups *groups) MUST_CHECK;

/* Name the rows whose first calls cost much beyond the others, which no mean tells.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status kernel_rows_add_first_note(struct table *table, const struct session *session,
                                       const struct groups *groups) MUST_CHECK;

/* Say of a table how many calls were timed, where some were only counted, and the same; and since
 * when drawn calls alone have a record.  Errors: STATUS_OUT_OF_MEMORY. */
enum status kernel_rows_add_estimate_note(struct table *table, const struct session *session,
                                          const struct groups *groups) MUST_CHECK;

#endif
