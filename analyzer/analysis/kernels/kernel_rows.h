/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns that the tables of kernels have in common, and their filling.
 */
#ifndef ANALYSIS_KERNEL_ROWS_H
#define ANALYSIS_KERNEL_ROWS_H

#include "analysis/kernels/groups.h"
#include "analysis/table.h"

/* Set a quotient, unknown when the divisor is 0 or unknown. */
void kernel_rows_set_ratio(struct value *value, long double dividend, long double divisor);

/* Set a count that may be SESSION_UNKNOWN. */
void kernel_rows_set_known(struct value *value, uint64_t count);

/* Set a count that may be unknown or beyond 63 bits. */
void kernel_rows_set_count(struct value *value, long double count);

/* Fill the cells of name, shape and library.  Errors: STATUS_OUT_OF_MEMORY. */
enum status kernel_rows_set_names(struct value *name, struct value *shape, struct value *library,
                                  const struct group *group) MUST_CHECK;

/* Fill the cells of what was called and what served it.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status kernel_rows_set_origin(struct value *symbol, struct value *implementation,
                                   const struct group *group) MUST_CHECK;

/* Name the rows whose time is known badly, with its error.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status kernel_rows_add_rough_note(struct table *table, const struct groups *groups) MUST_CHECK;

/* Name the rows whose first calls cost much beyond the others, which no mean tells.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status kernel_rows_add_first_note(struct table *table, const struct session *session,
                                       const struct groups *groups) MUST_CHECK;

/* Say of a table how many calls were timed, where some were only counted, and the same.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status kernel_rows_add_estimate_note(struct table *table,
                                          const struct groups *groups) MUST_CHECK;

/* Note where the names of places come from, where rows stand for places.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status kernel_rows_add_name_notes(struct table *table, const struct session *session,
                                       enum analysis_by by) MUST_CHECK;

#endif
