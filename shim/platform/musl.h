/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Differences where the C library is musl.
 */
#ifndef PLATFORM_MUSL_H
#define PLATFORM_MUSL_H

struct next;

/* Replace those functions of musl that call exported functions of ours.  Does nothing with
 * another C library. */
void musl_replace(struct next *found);

#endif
