/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Leaves of CPUID, as the C library has read them.  Reading one again traps in a virtual machine,
 * which takes 2 to 20 us.
 *
 * Source: sys/platform/x86.h of glibc 2.33 and later; Intel SDM 2A, CPUID; 1, 13.3, XCR0.
 *
 * Safety: any thread.
 */
#ifndef PLATFORM_CPU_LEAF_H
#define PLATFORM_CPU_LEAF_H

#include <stdbool.h>

#include "platform/attributes.h"

/* glibc's function; NULL: the instruction is used.  Set once, at the start. */
extern const unsigned *(*cpu_leaf_of_libc)(unsigned index)HIDDEN;

/* Has this machine registers of 32 bytes, or of 64, that the kernel saves? */
bool cpu_leaf_has_avx(void);
bool cpu_leaf_has_avx512(void);

/* Has the kernel enabled protection keys (OSPKE)? */
bool cpu_leaf_has_keys(void);

/* Does the counter run at one speed (invariant TSC)? */
bool cpu_leaf_has_constant_counter(void);

#endif
