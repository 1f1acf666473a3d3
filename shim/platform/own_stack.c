/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far down a thread's stack has been used; and the stack of the first thread, which the kernel
 * made and which grows.
 *
 * Decision: doc/decisions/stacks-that-are-compared.
 */
#include "platform/own_stack.h"

#include <sys/auxv.h>

#include "platform/calls.h"
#include "platform/readable.h"

enum { PAGE = 4096 };

/* An address farther away than this counts as another stack, without a system call. */
#define FIRST_STACK_MAX (UINT64_C(1) << 30)

_Thread_local struct own_stack own_stack INITIAL_EXEC;

/* The stack pointer at the first instruction of the program, from glibc's linker. */
extern void *__libc_stack_end __attribute__((weak));

/* Without it, the arguments are near: the stack ends where the kernel put its random bytes. */
static uintptr_t end_of_first_stack(void)
{
    return &__libc_stack_end ? (uintptr_t)__libc_stack_end
                             : getauxval(AT_RANDOM) & ~(sizeof(uintptr_t) - 1);
}

/* Other memory may be below the first thread's stack, as near as the gap of 1 MiB that the kernel
 * keeps free there.  This happens if the program asked for that place, if no other place was free,
 * if addresses are not random and the environment is large, and under qemu.  Memory mapped without
 * a gap up to the known part is the same stack.  The exception is memory that a program forced
 * there (MAP_FIXED); the stack could then no longer grow. */
static bool is_same_stack(uintptr_t page)
{
    return own_stack.high != end_of_first_stack() || readable_is_mapped(page, own_stack.low);
}

/* Checks each page once, from the known part downwards.  An unreadable page ends the stack: it is a
 * guard, with another stack below. */
COLD bool own_stack_reaches(uintptr_t sp)
{
    uintptr_t page = sp & ~(uintptr_t)(PAGE - 1);

    if (sp >= own_stack.low || sp < own_stack.floor || !is_same_stack(page))
        return false;
    while (own_stack.low > page) {
        uintptr_t next = (own_stack.low - 1) & ~(uintptr_t)(PAGE - 1);

        if (!readable(next, 1)) {
            own_stack.floor = own_stack.low;
            return false;
        }
        own_stack_set(next, own_stack.high, own_stack.floor);
    }
    return true;
}

void own_stack_begin_thread(int32_t thread)
{
    uintptr_t high = end_of_first_stack();

    if (own_stack.high == 0 && thread == calls_getpid())
        own_stack_set(high, high, high - FIRST_STACK_MAX);
}
