/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The registers of code that a signal interrupted.
 *
 * Decision: doc/decisions/subnormal-flag.
 */
#ifndef PLATFORM_INTERRUPTED_H
#define PLATFORM_INTERRUPTED_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

struct interrupted {
    uintptr_t pc;
    uintptr_t sp;
    uintptr_t fp;
    long result; /* result of a system call, if one was interrupted */
};

#if defined(__x86_64__)
static inline struct interrupted interrupted_of(const ucontext_t *context)
{
    const greg_t *registers = context->uc_mcontext.gregs;

    return (struct interrupted){(uintptr_t)registers[REG_RIP], (uintptr_t)registers[REG_RSP],
                                (uintptr_t)registers[REG_RBP], (long)registers[REG_RAX]};
}

/* Ask whether the thread has read a subnormal number: the flag DE of MXCSR, which only the program
 * clears.  Source: Intel SDM 1, 10.2.3. */
static inline bool interrupted_read_subnormals(const ucontext_t *context)
{
    enum { DENORMAL = 2 };

    return context->uc_mcontext.fpregs && context->uc_mcontext.fpregs->mxcsr & DENORMAL;
}
#elif defined(__aarch64__)
static inline struct interrupted interrupted_of(const ucontext_t *context)
{
    const mcontext_t *registers = &context->uc_mcontext;

    return (struct interrupted){registers->pc, registers->sp, registers->regs[29],
                                (long)registers->regs[0]};
}

/* This processor has such a flag only for numbers that it flushes to zero. */
static inline bool interrupted_read_subnormals(const ucontext_t *context)
{
    (void)context;
    return false;
}
#endif

#endif
