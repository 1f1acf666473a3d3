/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The registers that ptrace gives, by their numbers in libunwind.
 */
#ifndef WHERE_REGISTERS_H
#define WHERE_REGISTERS_H

#include <stdint.h>
#include <sys/user.h>

enum {
#if defined __x86_64__
    REGISTERS_FRAME = 6,
    REGISTERS_STACK = 7,
    REGISTERS_INSTRUCTION = 16,
    REGISTERS_RED_ZONE = 128, /* bytes below the stack that a function may use */
    REGISTERS_COUNT = 17
#else
    REGISTERS_FRAME = 29,
    REGISTERS_STACK = 31,
    REGISTERS_INSTRUCTION = 32,
    REGISTERS_RED_ZONE = 0,
    REGISTERS_COUNT = 33
#endif
};

/* Shape: REGISTERS_COUNT values. */
void registers_fill(uint64_t *values, const struct user_regs_struct *registers);

#endif
