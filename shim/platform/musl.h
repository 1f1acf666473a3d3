/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is otherwise where the C library is musl.
 */
#ifndef PLATFORM_MUSL_H
#define PLATFORM_MUSL_H

struct next;

/* Have blocks given by functions of musl's that call none of ours.  Does nothing where the
 * C library is another. */
void musl_replace(struct next *found);

#endif
