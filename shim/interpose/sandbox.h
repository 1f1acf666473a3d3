/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ways into a sandbox by syscall().
 */
#ifndef INTERPOSE_SANDBOX_H
#define INTERPOSE_SANDBOX_H

/* As syscall() with the number of prctl(2). */
long sandbox_take_prctl(long number, int option, unsigned long first, unsigned long second,
                        unsigned long third, unsigned long fourth);

/* The same for seccomp(2). */
long sandbox_take_seccomp(long number, unsigned operation, unsigned flags, void *filter);

#endif
