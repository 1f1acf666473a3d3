/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of only tprof waits.
 */
#ifndef WAITS_WAITS_OPTIONS_H
#define WAITS_WAITS_OPTIONS_H

#include <stdbool.h>

struct waits_options {
    bool plot; /* four courses over time instead of the rows */
};

#endif
