/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The course of the live heap, in stretches of one length.
 *
 * For any length of the recording there are at most SESSION_MOMENTS: when they run out, pairs are
 * merged and the length doubles.
 */
#ifndef MODEL_MOMENTS_H
#define MODEL_MOMENTS_H

#include <stdint.h>

#include "model/session_heap.h"

/* The live and mapped memory at an instant. */
struct moments_state {
    uint64_t bytes;
    uint64_t blocks;
    uint64_t mapped_bytes;
    double ratio; /* usable to requested bytes; 0: unknown */
    uint64_t obtained_blocks; /* obtained so far */
    uint64_t obtained_bytes;
};

struct moments {
    struct session_moment *closed; /* their times are in ticks since the start */
    double *ratios;                /* one for each moment, at its end */
    size_t count;
    uint64_t start; /* ticks */
    uint64_t length;
    uint64_t end; /* end of the open stretch */
    uint64_t min; /* minimum of the open stretch */
    uint64_t max;
};

/* Start with nothing live at `start`, in ticks.  Stretches have from the start the length that
 * merging up to `end` would give; the result is the same.
 */
void moments_init(struct moments *moments, uint64_t start, uint64_t end);

void moments_fini(struct moments *moments);

/* Close the stretches that end at or before `ticks`; until then the state was `state`. */
void moments_close(struct moments *moments, uint64_t ticks, const struct moments_state *state);

/* Close the last stretch at `ticks`, the end of the recording. */
void moments_finish(struct moments *moments, uint64_t ticks, const struct moments_state *state);

/* Returns: bytes in another unit; unchanged if damage would make them too large. */
static inline uint64_t moments_scale(uint64_t bytes, double ratio)
{
    double scaled = (double)bytes * ratio;

    return scaled < 0x1p63 ? (uint64_t)scaled : bytes;
}

/* Set each unknown ratio to the next known one; after the last known one, to `last`. */
void moments_settle_ratios(struct moments *moments, double last);

/* Returns: the ratio at the start of a stretch; the ratios are settled. */
static inline double moments_ratio(const struct moments *moments, size_t index)
{
    return index < moments->count ? moments->ratios[index] : 1;
}

/* Multiply the live bytes of the closed stretches by their ratios, of the open one by `last`. */
void moments_convert(struct moments *moments, double last);

/* Ask whether moments_close must be called before the next change. */
static inline bool moments_are_over(const struct moments *moments, uint64_t ticks)
{
    return ticks >= moments->end;
}

/* Note that this much is live now. */
static inline void moments_raise(struct moments *moments, uint64_t bytes)
{
    moments->max = bytes > moments->max ? bytes : moments->max;
}

static inline void moments_lower(struct moments *moments, uint64_t bytes)
{
    moments->min = bytes < moments->min ? bytes : moments->min;
}

#endif
