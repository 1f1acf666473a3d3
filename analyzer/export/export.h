/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call stacks in the formats of other tools.
 */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/attributes.h"
#include "base/status.h"
#include "export/stacks.h"

struct export_format {
    const char *name;
    bool is_binary;
    bool has_all; /* weights, in one file */
    const char *help;
    /* Write the stacks.  `weight` is the one that is shown first, or alone.
     * Errors: STATUS_OUT_OF_MEMORY; what cannot be written is an error of `out`. */
    enum status (*write)(const struct export_stacks *stacks, enum export_weight weight, FILE *out);
};

/* Give the formats one by one.  Returns: NULL past the last. */
const struct export_format *export_format_at(size_t index);

#define FORMAT(id, ...)                                                                            \
    enum status export_##id(const struct export_stacks *stacks, enum export_weight weight,         \
                            FILE *out) MUST_CHECK;
#include "export/formats.def"
#undef FORMAT

#endif
