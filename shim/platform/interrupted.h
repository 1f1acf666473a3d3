/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The registers of code that a signal interrupted.
 */
#ifndef PLATFORM_INTERRUPTED_H
#define PLATFORM_INTERRUPTED_H

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
#elif defined(__aarch64__)
static inline struct interrupted interrupted_of(const ucontext_t *context)
{
    const mcontext_t *registers = &context->uc_mcontext;

    return (struct interrupted){registers->pc, registers->sp, registers->regs[29],
                                (long)registers->regs[0]};
}
#endif

#endif
