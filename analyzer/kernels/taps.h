/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Windows of a convolution along one dimension: the taps that fall on data.
 *
 * Frameworks count the whole window at each place.  Taps that fall on padding need no
 * arithmetic, and libraries leave them out.
 */
#ifndef KERNELS_TAPS_H
#define KERNELS_TAPS_H

/* More taps are not walked one by one. */
enum { TAPS_MOST = 10000 };

struct taps_line {
    long double size;    /* size of the data */
    long double places;  /* number of places of the window */
    long double kernel;  /* taps of the window */
    long double stride;  /* distance from place to place */
    long double padding; /* before the data */
    long double spacing; /* distance from tap to tap; 1: dense */
};

/* Count the taps of all places that fall on data: those with
 * 0 <= place stride - padding + tap spacing < size. */
long double taps_count(const struct taps_line *line);

#endif
