/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rate of products of matrices on this machine, and the time of one.
 */
#ifndef FINDINGS_RATES_H
#define FINDINGS_RATES_H

#include "findings/context.h"
#include "model/slots.h"

struct product_rate rates_of_products(const struct findings_context *context,
                                      enum machine_precision precision);

/* Say the rate of products of matrices. */
void rates_say(struct text *text, const struct product_rate *rate);

/* The time of one product of m by k with k by n, if a call has `count` of them, with the program's
 * share of the processors.
 * Units: nanoseconds; NAN when no rate is known. */
double rates_product_ns(const struct findings_context *context, enum machine_precision precision,
                        const struct slots_product *product);

/* The same with the calibrated BLAS, which must be known, on this many undisturbed threads. */
double rates_product_on_ns(const struct findings_context *context, enum machine_precision precision,
                           const struct slots_product *product, unsigned threads);

/* The least time of all calls of a row: at the roof, of products at the rate of the best, with the
 * share of a processor that the program got.
 * Units: nanoseconds; NAN when no roof is known, or its rate is invalid. */
double rates_least_ns(const struct findings_context *context, size_t row);

/* The least time for `threads` threads to read `bytes` bytes once from the cache or memory that
 * holds them.
 * Units: nanoseconds; 0 when nothing was calibrated. */
double rates_pass_ns(const struct findings_context *context, double bytes, unsigned threads);

/* Add up the successions of the slots of a group. */
struct succession rates_find_succession(const struct findings_context *context,
                                        const struct group *group);

#endif
