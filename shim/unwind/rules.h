/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rules of known return addresses: a table that all threads of the process share.
 *
 * An entry is one word, the address and the packed rule, so it is read and replaced as a whole and
 * nothing is locked.  An address belongs to one cache line.  When the line is full, the newest
 * entry replaces another; when the table is full, a bigger one replaces it.  The table is kept
 * small, because a program that allocates a lot leaves the shim little of the cache.  When an
 * object leaves the load map, all rules are forgotten.
 *
 * Budget of rules_find: one cache line.
 *
 * Safety: any thread, signal handlers too.
 */
#ifndef UNWIND_RULES_H
#define UNWIND_RULES_H

#include <stdatomic.h>

#include "platform/hash.h"
#include "unwind/machine.h"

enum { RULES_LINE = 8, RULES_FIRST_BITS = 8, RULES_LAST_BITS = 15 };

struct rules_table {
    unsigned bits; /* bits of the number of a line */
    atomic_uint count;
    CACHE_ALIGNED _Atomic uint64_t lines[][RULES_LINE];
};

/* NULL before rules_init. */
extern struct rules_table *_Atomic rules_table HIDDEN;

/* Rules that do not fit their bits. */
extern struct unwind_rule rules_special[UNWIND_SPECIALS] HIDDEN;

/* The epoch of the load map since which no object has left it. */
extern atomic_uint rules_epoch HIDDEN;

/* Take memory for the table.  Called before the first record; does nothing the
 * second time.  Returns: false when it is refused. */
bool rules_init(void);

/* Forget all rules: an object has left, and this epoch begins. */
void rules_forget(unsigned epoch);

/* The line of an address. */
static ALWAYS_INLINE _Atomic uint64_t *rules_line(struct rules_table *table, uintptr_t pc)
{
    return table
        ->lines[(pc >> UNWIND_PC_SHIFT) * HASH_FACTOR >> (64 - table->bits)];
}

static ALWAYS_INLINE uint64_t rules_key(uintptr_t pc)
{
    return (uint64_t)pc >> UNWIND_PC_SHIFT << UNWIND_RULE_BITS;
}

/* Find the packed rule of a return address.  Returns: 0 when unknown. */
static ALWAYS_INLINE uint32_t rules_find(struct rules_table *table, uintptr_t pc)
{
    uint64_t key = rules_key(pc);
    const _Atomic uint64_t *line = rules_line(table, pc);

    for (int i = 0; i < RULES_LINE; i++) {
        uint64_t entry = atomic_load_explicit(&line[i], memory_order_acquire);

        if ((entry ^ key) >> UNWIND_RULE_BITS == 0)
            return (uint32_t)(entry & ((1 << UNWIND_RULE_BITS) - 1));
        if (entry == 0)
            break;
    }
    return 0;
}

/* The present table. */
static ALWAYS_INLINE struct rules_table *rules_now(void)
{
    return atomic_load_explicit(&rules_table, memory_order_acquire);
}

/* Ask whether a packed rule is a number in rules_special. */
static ALWAYS_INLINE bool rules_is_special(uint32_t packed)
{
    return unwind_packed_cfa(packed) == UNWIND_CFA_SPECIAL;
}

static ALWAYS_INLINE const struct unwind_rule *rules_get_special(uint32_t packed)
{
    return &rules_special[unwind_packed_base(packed) | unwind_packed_fp(packed) << 1];
}

/* The same for an address where a signal came, which is no return address. */
uint32_t rules_find_exact(uintptr_t pc);

/* Find the rule of new code, and enter it in the table.
 * `is_exact`: a signal came at this address, which is no return address; it is entered for
 * rules_find_exact.
 * Returns: false when `rule` says the frame is lost. */
REALIGNED bool rules_learn(uintptr_t pc, bool is_exact, struct unwind_rule *rule);

#endif
