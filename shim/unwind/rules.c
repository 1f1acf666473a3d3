/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Learning rules: from the unwind tables; for code without any, such as what
 * a compiler made at run time, from the frame pointer, if its return address
 * follows a call at all.
 */
#include "unwind/rules.h"

#include <string.h>

#include "cold/memory.h"
#include "unwind/cfi.h"
#include "unwind/readable.h"

_Atomic uint64_t (*rules_lines)[RULES_LINE];
struct unwind_rule rules_special[UNWIND_SPECIALS];
atomic_uint rules_epoch = 1;

static atomic_uint special_count;
static atomic_bool special_is_ready[UNWIND_SPECIALS];

bool rules_init(void)
{
    if (!rules_lines)
        rules_lines = memory_map(RULES_LINES * sizeof *rules_lines);
    return rules_lines != NULL;
}

void rules_forget(unsigned epoch)
{
    if (!rules_lines)
        return;
    for (unsigned line = 0; line < RULES_LINES; line++)
        for (unsigned i = 0; i < RULES_LINE; i++)
            if (atomic_load_explicit(&rules_lines[line][i], memory_order_relaxed) != 0)
                atomic_store_explicit(&rules_lines[line][i], 0, memory_order_relaxed);
    atomic_store(&rules_epoch, epoch);
}

/* ---- packing ----------------------------------------------------------- */

/* Returns: `offset` in units, or `limit` when it is not a number of units below it. */
static unsigned in_units(int64_t offset, int unit, unsigned limit)
{
    if (offset < 0 || offset % unit != 0 || offset / unit >= limit)
        return limit;
    return (unsigned)(offset / unit);
}

/* Returns: 0 when the rule is not one of the usual ones. */
static uint32_t pack_usual(const struct unwind_rule *rule)
{
    unsigned cfa = in_units(rule->cfa.offset, UNWIND_CFA_UNIT, UNWIND_CFA_SPECIAL);
    unsigned fp = 0;

    if (rule->fp.base != UNWIND_NONE)
        fp = in_units(-(int64_t)rule->fp.offset, UNWIND_FP_UNIT, 1 << UNWIND_FP_BITS);
    if (rule->kind != UNWIND_FRAME || rule->is_indirect || cfa == 0 || cfa == UNWIND_CFA_SPECIAL ||
        fp == 1 << UNWIND_FP_BITS || !unwind_pc_fits(rule, fp) ||
        (rule->fp.base != UNWIND_NONE && (rule->fp.base != UNWIND_CFA || fp == 0)))
        return 0;
    return unwind_pack(rule->cfa.base == UNWIND_FP, cfa, fp);
}

/* The place of a rule among the special ones; a handful serve a process.
 * Returns: UNWIND_SPECIALS when there is no more room. */
static unsigned find_special(const struct unwind_rule *rule)
{
    unsigned count = atomic_load(&special_count);
    unsigned number;

    for (unsigned i = 0; i < count && i < UNWIND_SPECIALS; i++)
        if (atomic_load(&special_is_ready[i]) && memcmp(&rules_special[i], rule, sizeof *rule) == 0)
            return i;
    if (count >= UNWIND_SPECIALS)
        return UNWIND_SPECIALS;
    number = atomic_fetch_add(&special_count, 1);
    if (number >= UNWIND_SPECIALS)
        return UNWIND_SPECIALS;
    rules_special[number] = *rule;
    atomic_store(&special_is_ready[number], true);
    return number;
}

static uint32_t pack(const struct unwind_rule *rule)
{
    uint32_t packed = pack_usual(rule);
    unsigned number = packed == 0 ? find_special(rule) : 0;

    if (packed != 0 || number == UNWIND_SPECIALS)
        return packed;
    return unwind_pack(number & 1, UNWIND_CFA_SPECIAL, number >> 1);
}

static void enter(uintptr_t pc, uint32_t packed)
{
    uint64_t hash = (pc >> UNWIND_PC_SHIFT) * UINT64_C(0x9e3779b97f4a7c15);
    _Atomic uint64_t *entries = rules_lines[hash >> (64 - RULES_LINE_BITS)];
    unsigned at = 0;

    while (at < RULES_LINE && atomic_load_explicit(&entries[at], memory_order_relaxed) != 0)
        at++;
    if (at == RULES_LINE)
        at = (unsigned)(hash >> 8) % RULES_LINE;
    atomic_store_explicit(&entries[at], rules_key(pc) | packed, memory_order_release);
}

/* ---- learning ---------------------------------------------------------- */

/* A frame that keeps its frame pointer: caller's registers stand side by side
 * where it points (System V ABI, AMD64 supplement, 3.2.2; AAPCS64, 6.4.6). */
static bool guess(uintptr_t pc, struct unwind_rule *rule)
{
    if (!readable(pc - UNWIND_CALL_BYTES, UNWIND_CALL_BYTES) ||
        !unwind_follows_call((const unsigned char *)pc))
        return false;
    *rule = (struct unwind_rule){.kind = UNWIND_FRAME,
                                 .cfa = {2 * sizeof(uintptr_t), UNWIND_FP},
                                 .pc = {sizeof(uintptr_t), UNWIND_FP},
                                 .fp = {0, UNWIND_FP}};
    return true;
}

static void find_rule(uintptr_t pc, bool is_exact, struct unwind_rule *rule)
{
    enum cfi_result result = cfi_find_rule(is_exact ? pc : pc - 1, rule);

    if (result == CFI_FOUND)
        return;
    if (result == CFI_STRANGE || is_exact || !guess(pc, rule))
        *rule = (struct unwind_rule){.kind = UNWIND_LOST};
}

bool rules_learn(uintptr_t pc, bool is_exact, struct unwind_rule *rule)
{
    uint32_t packed;

    if (pc >> UNWIND_PC_SHIFT >> UNWIND_PC_BITS != 0 || pc <= UNWIND_CALL_BYTES) {
        *rule = (struct unwind_rule){.kind = UNWIND_LOST};
        return false;
    }
    find_rule(pc, is_exact, rule);
    packed = is_exact ? 0 : pack(rule);
    if (packed != 0)
        enter(pc, packed);
    return rule->kind != UNWIND_LOST;
}
