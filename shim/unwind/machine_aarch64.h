/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Unwinding on AArch64.  Included only by unwind/machine.h.
 *
 * Source: Procedure Call Standard for the Arm 64-bit Architecture, 6.2.3 and
 * 6.4.6; DWARF for the Arm 64-bit Architecture.
 */
#ifndef UNWIND_MACHINE_AARCH64_H
#define UNWIND_MACHINE_AARCH64_H

enum {
    UNWIND_DWARF_SP = 31,
    UNWIND_DWARF_FP = 29,
    UNWIND_DWARF_PC = 30, /* the link register */
    UNWIND_CFA_UNIT = 16,
    UNWIND_FP_UNIT = 16,
    UNWIND_PC_SHIFT = 2,
    UNWIND_PC_BITS = 46
};

/* The frame record holds the caller's frame pointer and our return address. */
static ALWAYS_INLINE struct unwind_state unwind_caller(void)
{
    const uintptr_t *record = __builtin_frame_address(0);

    return (struct unwind_state){record[1] & UINT64_C(0xffffffffffff),
                                 (uintptr_t)__builtin_dwarf_cfa(), record[0]};
}

/* A signed return address has its signature in the bits above bit 47. */
static ALWAYS_INLINE uintptr_t unwind_address(uintptr_t value)
{
    return value & UINT64_C(0xffffffffffff);
}

/* Frame pointer and link register are stored as a pair. */
static ALWAYS_INLINE uintptr_t unwind_packed_pc_place(uintptr_t cfa, unsigned fp)
{
    return cfa - fp * UNWIND_FP_UNIT + sizeof(uintptr_t);
}

static inline bool unwind_pc_fits(const struct unwind_rule *rule, unsigned fp)
{
    return fp != 0 && rule->pc.base == UNWIND_CFA &&
           rule->pc.offset == (int)sizeof(uintptr_t) - (int)(fp * UNWIND_FP_UNIT);
}

/* BL, or BLR with a register. */
static inline bool unwind_follows_call(const unsigned char *end)
{
    uint32_t code = (uint32_t)end[-4] | (uint32_t)end[-3] << 8 | (uint32_t)end[-2] << 16 |
                    (uint32_t)end[-1] << 24;

    return (code & 0xfc000000) == 0x94000000 || (code & 0xfffffc1f) == 0xd63f0000;
}

enum { UNWIND_CALL_BYTES = 4 };

/* mov x8, #139 and svc #0: the kernel's own code has had no table since 5.8.  The stack pointer is
 * at the signal's information, followed by the context (asm/ucontext.h, asm/sigcontext.h). */
#define UNWIND_SIGRETURN 0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4
enum { UNWIND_SIGNAL_FP = 544, UNWIND_SIGNAL_SP = 560, UNWIND_SIGNAL_PC = 568 };

#endif
