/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report of `tprof report`: one screen for twenty seconds.
 */
#ifndef SCREEN_FIRST_SCREEN_H
#define SCREEN_FIRST_SCREEN_H

#include "screen/report_sums.h"

/* Add the first screen. */
void first_screen_add(struct document *document, const struct report_sums *sums,
                      const struct analysis_options *options);

#endif
