/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers that look random and are the same on each run: weights and
 * synthetic data are drawn from here.  One state belongs to one thread; many
 * streams of one seed let each item of a batch be drawn by any worker.
 */
#ifndef SAMPLES_RANDOM_H
#define SAMPLES_RANDOM_H

#include <stdint.h>

struct random_stream {
    uint64_t state;
};

/* Start stream number `stream` of a seed. */
struct random_stream random_open(uint64_t seed, uint64_t stream);

/* Draw 64 bits. */
uint64_t random_next(struct random_stream *random);

/* Draw a whole number below `limit`, which is not 0. */
uint32_t random_below(struct random_stream *random, uint32_t limit);

/* Draw a float, -1 or more and less than 1, with equal chance. */
float random_uniform(struct random_stream *random);

#endif
