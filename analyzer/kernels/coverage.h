/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Coverage in the record of a report.
 */
#ifndef KERNELS_COVERAGE_H
#define KERNELS_COVERAGE_H

#include "base/attributes.h"
#include "base/status.h"

struct coverage;
struct document;

/* Add the record of a report.  Errors: STATUS_OUT_OF_MEMORY. */
enum status coverage_add_record(struct document *document,
                                const struct coverage *coverage) MUST_CHECK;

#endif
