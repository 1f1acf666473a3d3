/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a series becomes steady: how long a program took to warm up.
 */
#ifndef STATISTICS_STEADINESS_H
#define STATISTICS_STEADINESS_H

#include <stddef.h>
#include <stdint.h>

enum steadiness_from {
    STEADINESS_UNKNOWN,     /* too few values */
    STEADINESS_NEVER,       /* never, or only in the later half of the examined values */
    STEADINESS_NO_CHANGE,   /* noisy, but no noisier or slower at the start */
    STEADINESS_BY_EVENNESS, /* the first ten in a row that differ by less than 2 % */
    STEADINESS_BY_CHANGE    /* values fell, in a series too noisy for evenness */
};

struct steadiness {
    enum steadiness_from from;
    size_t before; /* values before it was steady */
};

enum {
    STEADINESS_WINDOW = 10,  /* values in a row */
    STEADINESS_LEAST = 20,   /* fewer prove nothing */
    STEADINESS_LOOKED = 1000 /* values examined, from the start */
};

/* Find where a series becomes steady.  A series with a quiet later half is steady from the first
 * ten values with a coefficient of variation below 2 %. A noisy series is steady after its ranks
 * fall, if chance explains such a fall at most once in a thousand series.
 *
 * Source: Georges, Buytaert and Eeckhout, OOPSLA 2007, for the first; Pettitt, Appl. Stat.
 * 28 (1979) 126, for the second. */
struct steadiness steadiness_of(const uint64_t *values, size_t count);

#endif
