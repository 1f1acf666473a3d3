/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processor in unwinding, one file each:
 *
 *   UNWIND_DWARF_SP, UNWIND_DWARF_FP, UNWIND_DWARF_PC   register numbers in unwind tables
 *   unwind_caller()      the frame that called this function
 *   unwind_address(value) the address in a return address as it stands in memory
 *   unwind_follows_call  does a call instruction end here?
 *   UNWIND_TRAMPOLINE    code that programs make without a table or a frame pointer, where
 *                        there is such code; its call ends at UNWIND_TRAMPOLINE_CALL, and
 *                        the CFA is UNWIND_TRAMPOLINE_CFA above the stack pointer then
 *   UNWIND_SIGRETURN     the code that a signal handler returns to, its bytes
 *   UNWIND_SIGNAL_*      where the interrupted registers stand then, from the stack pointer
 *   packed rules         the usual rules in 17 bits, beside their address in a word
 */
#ifndef UNWIND_MACHINE_H
#define UNWIND_MACHINE_H

#include "platform/attributes.h"
#include "unwind/rule.h"

enum {
    UNWIND_RULE_BITS = 17,
    UNWIND_CFA_BITS = 10,
    UNWIND_FP_BITS = 6,
    /* The CFA field of a rule that does not fit: base and FP fields are then the number of a
     * special rule. */
    UNWIND_CFA_SPECIAL = (1 << UNWIND_CFA_BITS) - 1,
    UNWIND_SPECIALS = 1 << (1 + UNWIND_FP_BITS)
};

/* A packed rule: whether the CFA is relative to the frame pointer, the distance to the CFA, and how
 * far below the CFA the frame pointer is saved, both in the units of the machine; 0 when it is not
 * saved.  No rule is 0. */
static ALWAYS_INLINE uint32_t unwind_pack(unsigned base, unsigned cfa, unsigned fp)
{
    return base | cfa << 1 | fp << (1 + UNWIND_CFA_BITS);
}

static ALWAYS_INLINE unsigned unwind_packed_base(uint32_t packed)
{
    return packed & 1;
}

static ALWAYS_INLINE unsigned unwind_packed_cfa(uint32_t packed)
{
    return packed >> 1 & UNWIND_CFA_SPECIAL;
}

static ALWAYS_INLINE unsigned unwind_packed_fp(uint32_t packed)
{
    return packed >> (1 + UNWIND_CFA_BITS);
}

#if defined(__x86_64__)
#include "unwind/machine_x86_64.h"
#elif defined(__aarch64__)
#include "unwind/machine_aarch64.h"
#else
#error "tprof unwinds x86-64 and AArch64"
#endif

#endif
