/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of only tprof requests.
 */
#ifndef REQUESTS_REQUESTS_OPTIONS_H
#define REQUESTS_REQUESTS_OPTIONS_H

#include <stddef.h>

struct requests_options {
    size_t slowest; /* requests in the second table */
};

#endif
