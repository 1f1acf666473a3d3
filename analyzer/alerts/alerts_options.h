/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of only tprof alerts.
 */
#ifndef ALERTS_ALERTS_OPTIONS_H
#define ALERTS_ALERTS_OPTIONS_H

#include <stdbool.h>

struct alerts_options {
    bool fails; /* an alert is a failure */
};

#endif
