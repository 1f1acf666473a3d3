/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The operations of futex(2) that wait, with a bit for each: FUTEX_WAIT (0), LOCK_PI (6),
 * WAIT_BITSET (9), WAIT_REQUEUE_PI (11) and LOCK_PI2 (13); and those that wake: FUTEX_WAKE (1) and
 * WAKE_BITSET (10).  Source: linux/futex.h, which assembly cannot read.
 */
#ifndef PLATFORM_SYSCALL_FUTEX_H
#define PLATFORM_SYSCALL_FUTEX_H

#define FUTEX_WAITS 0x2a41
#define FUTEX_WAKES 0x0402
#define FUTEX_TAKEN 0x2e43 /* both */
#define FUTEX_OPERATION 0x7f /* without the flags */

#endif
