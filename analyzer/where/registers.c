/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Registers by number.  Source: the psABI of each processor, DWARF register numbers.
 */
#include "where/registers.h"

#include <string.h>

#if defined __x86_64__

void registers_fill(uint64_t *values, const struct user_regs_struct *registers)
{
    const uint64_t in_order[REGISTERS_COUNT] = {
        registers->rax, registers->rdx, registers->rcx, registers->rbx, registers->rsi,
        registers->rdi, registers->rbp, registers->rsp, registers->r8,  registers->r9,
        registers->r10, registers->r11, registers->r12, registers->r13, registers->r14,
        registers->r15, registers->rip};

    memcpy(values, in_order, sizeof in_order);
}

#else

void registers_fill(uint64_t *values, const struct user_regs_struct *registers)
{
    memcpy(values, registers->regs, sizeof registers->regs);
    values[REGISTERS_STACK] = registers->sp;
    values[REGISTERS_INSTRUCTION] = registers->pc;
}

#endif
