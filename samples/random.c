/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The generator is SplitMix64: a counter whose values are mixed, so that any
 * start is a good start and a stream costs eight bytes.
 *
 * Source: Steele, Lea, Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014; the three constants of the mixer are Stafford's
 * variant 13, as in java.util.SplittableRandom.
 */
#include "random.h"

static uint64_t mix(uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

struct random_stream random_open(uint64_t seed, uint64_t stream)
{
    /* Mixed twice, or stream 1 of seed 1 would be stream 0 of seed 2. */
    return (struct random_stream){mix(mix(seed) + stream)};
}

uint64_t random_next(struct random_stream *random)
{
    random->state += 0x9e3779b97f4a7c15u;
    return mix(random->state);
}

uint32_t random_below(struct random_stream *random, uint32_t limit)
{
    /* The high 32 bits times the limit: no division, and a bias of at most
     * limit / 2^32, which no sample can see. */
    return (uint32_t)(((random_next(random) >> 32) * limit) >> 32);
}

float random_uniform(struct random_stream *random)
{
    /* 24 bits are what the significand of a float holds. */
    return (float)(random_next(random) >> 40) * 0x1p-23f - 1.0f;
}
