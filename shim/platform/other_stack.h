/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs a function on another stack, for signal handlers, whose stack may be small.  On x86-64 the
 * including code is compiled without floating registers, so none is named.
 */
#ifndef PLATFORM_OTHER_STACK_H
#define PLATFORM_OTHER_STACK_H

#include <stdint.h>

#if defined(__SSE__)
#error "to be compiled with -mgeneral-regs-only"
#endif

typedef void (*other_stack_function)(void *argument);

/* Call `run` on the stack that ends at `top`, a multiple of 16.  The old stack pointer is in a
 * register that calls keep. */
static inline void other_stack_call(uintptr_t top,
                                                              other_stack_function run,
                                                              void *argument)
{
#if defined(__x86_64__)
    __asm__ volatile("mov %%rsp, %%rbx\n\t"
                     "mov %[top], %%rsp\n\t"
                     "call *%[run]\n\t"
                     "mov %%rbx, %%rsp"
                     : "+D"(argument)
                     : [top] "r"(top), [run] "r"(run)
                     : "rbx", "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "cc", "memory");
#elif defined(__aarch64__)
    register void *first __asm__("x0") = argument;

    __asm__ volatile("mov x19, sp\n\t"
                     "mov sp, %[top]\n\t"
                     "blr %[run]\n\t"
                     "mov sp, x19"
                     : "+r"(first)
                     : [top] "r"(top), [run] "r"(run)
                     : "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12",
                       "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x30", "v0", "v1", "v2",
                       "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14",
                       "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25",
                       "v26", "v27", "v28", "v29", "v30", "v31", "cc", "memory");
#endif
}

#endif
