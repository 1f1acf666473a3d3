/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Taps on data, a tap after the other.
 */
#include "kernels/taps.h"

#include <math.h>

static long double count_places(const struct taps_line *line, long double tap)
{
    long double shift = line->padding - tap * line->spacing;
    long double first = fmaxl(0, ceill(shift / line->stride));
    long double last = fminl(line->places - 1, floorl((line->size - 1 + shift) / line->stride));

    return last >= first ? last - first + 1 : 0;
}

long double taps_count(const struct taps_line *line)
{
    long double taps = 0;

    for (long double tap = 0; tap < line->kernel; tap++)
        taps += count_places(line, tap);
    return taps;
}
