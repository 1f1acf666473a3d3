/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shim handles syscall(2) with some numbers itself: each has a row in syscall_takers
 * (interpose/syscalls.c), which the assembly of syscall_*.S looks up.
 */
#ifndef PLATFORM_SYSCALL_TAKEN_H
#define PLATFORM_SYSCALL_TAKEN_H

#define SYSCALL_TAKERS 448 /* above all numbers that are taken */
#define SYSCALL_WORDS 7    /* the number, and the arguments */

#ifndef __ASSEMBLER__
#include <stdint.h>

#include "platform/attributes.h"

/* Returns: as syscall(2). */
typedef long (*syscall_taker)(const uint64_t words[SYSCALL_WORDS]);

/* By number; NULL: libc's function gets the call. */
extern const syscall_taker syscall_takers[SYSCALL_TAKERS] HIDDEN;
#endif

#endif
