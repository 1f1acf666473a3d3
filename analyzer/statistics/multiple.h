/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Many tests at once: p values adjusted so that all may be compared with one
 * level.  NAN stays NAN and does not count as a test.
 */
#ifndef STATISTICS_MULTIPLE_H
#define STATISTICS_MULTIPLE_H

#include <stddef.h>

/* Control the chance of even one false alarm.
 * Shape: `adjusted` has `count` entries, in the order of `p`, and may be `p`.
 * Source: Holm, Scand. J. Stat. 6 (1979) 65. */
void multiple_holm(const double *p, size_t count, double *adjusted);

/* The same for tests that were chosen among `tests` by their own samples.
 * `tests` is `count` or more. */
void multiple_holm_among(const double *p, size_t count, size_t tests, double *adjusted);

/* Control the share of false alarms among the alarms.
 * Shape, errors: as above.
 * Source: Benjamini and Hochberg, J. R. Stat. Soc. B 57 (1995) 289. */
void multiple_benjamini_hochberg(const double *p, size_t count, double *adjusted);

#endif
