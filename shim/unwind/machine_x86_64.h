/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Unwinding on x86-64.  Included only by unwind/machine.h.
 *
 * Source: System V ABI, AMD64 supplement, 3.2 and 3.6.2.
 */
#ifndef UNWIND_MACHINE_X86_64_H
#define UNWIND_MACHINE_X86_64_H

enum {
    UNWIND_DWARF_SP = 7,
    UNWIND_DWARF_FP = 6,
    UNWIND_DWARF_PC = 16,
    UNWIND_CFA_UNIT = 8,
    UNWIND_FP_UNIT = 8,
    UNWIND_PC_SHIFT = 0, /* bits that all addresses of code have clear at the end */
    UNWIND_PC_BITS = 47
};

/* Using the frame pointer here makes the caller's register and stack pointer known under any
 * compiler options. */
static ALWAYS_INLINE struct unwind_state unwind_caller(void)
{
    const uintptr_t *frame = __builtin_frame_address(0);

    return (struct unwind_state){frame[1], (uintptr_t)(frame + 2), frame[0]};
}

static ALWAYS_INLINE uintptr_t unwind_address(uintptr_t value)
{
    return value;
}

/* The return address is right below the CFA. */
static ALWAYS_INLINE uintptr_t unwind_packed_pc_place(uintptr_t cfa, unsigned fp)
{
    (void)fp;
    return cfa - sizeof(uintptr_t);
}

static inline bool unwind_pc_fits(const struct unwind_rule *rule, unsigned fp)
{
    (void)fp;
    return rule->pc.base == UNWIND_CFA && rule->pc.offset == -(int)sizeof(uintptr_t);
}

/* call rel32 is E8 and four bytes; call through a register or memory is FF, with 2 in the middle of
 * the next byte, and up to five bytes more. */
static inline bool unwind_follows_call(const unsigned char *end)
{
    if (end[-5] == 0xe8)
        return true;
    for (int size = 2; size <= 7; size++)
        if (end[-size] == 0xff && (end[1 - size] >> 3 & 7) == 2)
            return true;
    return false;
}

enum { UNWIND_CALL_BYTES = 7 };

/* The code around a call through rcx that CPython uses to show its functions to profilers
 * (Python/asm_trampoline.S): it keeps no frame pointer.  sub $8, %rsp; call *%rcx, and add $8,
 * %rsp; ret after the call. */
#define UNWIND_TRAMPOLINE 0x48, 0x83, 0xec, 0x08, 0xff, 0xd1, 0x48, 0x83, 0xc4, 0x08, 0xc3
enum { UNWIND_TRAMPOLINE_CALL = 6, UNWIND_TRAMPOLINE_CFA = 16 };

/* mov $15, %rax and syscall, which glibc has a table for and musl has not.  The stack pointer
 * is at the context (asm/ucontext.h, asm/sigcontext.h). */
#define UNWIND_SIGRETURN 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05
enum { UNWIND_SIGNAL_FP = 120, UNWIND_SIGNAL_SP = 160, UNWIND_SIGNAL_PC = 168 };

#endif
