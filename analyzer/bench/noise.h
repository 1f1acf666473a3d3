/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Doubts about the times of a benchmark, each with advice.
 */
#ifndef BENCH_NOISE_H
#define BENCH_NOISE_H

#include "base/text_list.h"
#include "bench/results.h"

/* The state of the machine before the first run; NULL or NAN: unknown. */
struct noise_machine {
    double load; /* runnable processes, mean of a minute */
    double processors;
    const char *governor;
    const char *turbo;
};

/* Add a sentence for each doubt. */
void noise_find(const struct results *results, const struct noise_machine *machine,
                struct text_list *warnings);

#endif
