/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Learns rules from the unwind tables.  Code without tables, such as code compiled at run time,
 * gets a rule with the frame pointer, if its return address follows a call.
 *
 * Decisions: doc/decisions/memory-of-the-shim, own-unwinder.
 */
#include "unwind/rules.h"

#include <string.h>
#include <sys/mman.h>

#include "platform/memory.h"
#include "platform/readable.h"
#include "unwind/cfi.h"
#include "unwind/objects.h"

struct rules_table *_Atomic rules_table;
struct unwind_rule rules_special[UNWIND_SPECIALS];
atomic_uint rules_epoch = 1;

/* The rules of interrupted addresses: samples hit the same addresses again, and then need not read
 * tables.  Entries are the same as in the table; a new one replaces another. */
enum { EXACT_PLACES = 2048 };
static _Atomic uint64_t exact_rules[EXACT_PLACES];

static atomic_uint special_count;
static atomic_bool special_is_ready[UNWIND_SPECIALS];

static size_t size_of(unsigned bits)
{
    return sizeof(struct rules_table) + ((size_t)RULES_LINE * sizeof(uint64_t) << bits);
}

static struct rules_table *new_table(unsigned bits)
{
    struct rules_table *table = memory_map(size_of(bits));

    if (table)
        table->bits = bits;
    return table;
}

bool rules_init(void)
{
    struct rules_table *none = NULL;
    struct rules_table *table;

    if (rules_now())
        return true;
    table = new_table(RULES_FIRST_BITS);
    if (table && !atomic_compare_exchange_strong(&rules_table, &none, table))
        memory_unmap(table, size_of(RULES_FIRST_BITS));
    return rules_now() != NULL;
}

void rules_forget(unsigned epoch)
{
    struct rules_table *table = rules_now();

    if (!table)
        return;
    for (size_t line = 0; line < (size_t)1 << table->bits; line++)
        for (unsigned i = 0; i < RULES_LINE; i++)
            atomic_store_explicit(&table->lines[line][i], 0, memory_order_relaxed);
    atomic_store(&table->count, 0);
    for (size_t i = 0; i < EXACT_PLACES; i++)
        atomic_store_explicit(&exact_rules[i], 0, memory_order_relaxed);
    atomic_store(&rules_epoch, epoch);
}

/* Returns: `offset` in units, or `limit` when it is not a number of units below the limit. */
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

/* The index of a rule among the special ones; a few suffice for a process.
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

/* Returns: whether it replaced another entry. */
static bool put(struct rules_table *table, uint64_t entry)
{
    uintptr_t pc = (uintptr_t)(entry >> UNWIND_RULE_BITS << UNWIND_PC_SHIFT);
    _Atomic uint64_t *line = rules_line(table, pc);
    unsigned at = 0;

    while (at < RULES_LINE && atomic_load_explicit(&line[at], memory_order_relaxed) != 0)
        at++;
    if (at < RULES_LINE) {
        atomic_store_explicit(&line[at], entry, memory_order_release);
        atomic_fetch_add(&table->count, 1);
        return false;
    }
    at = (unsigned)(pc >> UNWIND_PC_SHIFT) % RULES_LINE;
    atomic_store_explicit(&line[at], entry, memory_order_release);
    return true;
}

/* Another thread may still read the old table, so its addresses and its head stay.  The memory of
 * its lines is freed, and they read as empty. */
static void retire(struct rules_table *table)
{
    enum { HEAD = 4096 };

    madvise((char *)table + HEAD, size_of(table->bits) - HEAD, MADV_DONTNEED);
}

static void grow(struct rules_table *table)
{
    struct rules_table *bigger = new_table(table->bits + 1);
    struct rules_table *old = table;

    if (!bigger)
        return;
    for (size_t line = 0; line < (size_t)1 << table->bits; line++)
        for (unsigned i = 0; i < RULES_LINE; i++) {
            uint64_t entry = atomic_load_explicit(&table->lines[line][i], memory_order_relaxed);

            if (entry != 0)
                put(bigger, entry);
        }
    if (atomic_compare_exchange_strong(&rules_table, &table, bigger))
        retire(old);
    else
        memory_unmap(bigger, size_of(bigger->bits));
}

/* A half-full table overflows in many lines; before that, overflow is chance. */
static void enter(uintptr_t pc, uint32_t packed)
{
    struct rules_table *table = rules_now();

    if (put(table, rules_key(pc) | packed) && table->bits < RULES_LAST_BITS &&
        atomic_load(&table->count) > (unsigned)RULES_LINE << table->bits >> 1)
        grow(table);
}

static _Atomic uint64_t *exact_place(uintptr_t pc)
{
    return &exact_rules[(pc >> UNWIND_PC_SHIFT) * HASH_FACTOR >> 32 & (EXACT_PLACES - 1)];
}

uint32_t rules_find_exact(uintptr_t pc)
{
    uint64_t entry = atomic_load_explicit(exact_place(pc), memory_order_relaxed);

    if ((entry ^ rules_key(pc)) >> UNWIND_RULE_BITS != 0)
        return 0;
    return (uint32_t)(entry & ((1 << UNWIND_RULE_BITS) - 1));
}

/* Without a table the code may be another one next time. */
static void enter_exact(uintptr_t pc, const struct unwind_rule *rule)
{
    uint32_t packed = rule->kind == UNWIND_FRAME ? pack(rule) : 0;

    if (packed != 0)
        atomic_store_explicit(exact_place(pc), rules_key(pc) | packed, memory_order_relaxed);
}

/* Running code may be execute-only, and other code may not exist.
 * `is_code`: an object has it, so that asking lately is enough. */
static bool may_read(uintptr_t start, size_t size, bool is_code)
{
    struct readable_search search;

    if (!is_code)
        return readable_at_once(start, size);
    search = readable_begin();
    return readable_lately(&search, start, size);
}

static bool follows_call(uintptr_t pc, bool is_code)
{
    return may_read(pc - UNWIND_CALL_BYTES, UNWIND_CALL_BYTES, is_code) &&
           unwind_follows_call((const unsigned char *)pc);
}

/* A frame that keeps its frame pointer: the caller's registers are next to each other where it
 * points (System V ABI, AMD64 supplement, 3.2.2; AAPCS64, 6.4.6). */
static bool guess(uintptr_t pc, struct unwind_rule *rule)
{
    if (!follows_call(pc, false))
        return false;
    *rule = (struct unwind_rule){.kind = UNWIND_FRAME,
                                 .cfa = {2 * sizeof(uintptr_t), UNWIND_FP},
                                 .pc = {sizeof(uintptr_t), UNWIND_FP},
                                 .fp = {0, UNWIND_FP}};
    return true;
}

/* Under -X perf each function of Python runs in a copy of this code, which never changes. */
static bool recognize_trampoline(uintptr_t pc, struct unwind_rule *rule)
{
#ifdef UNWIND_TRAMPOLINE
    static const unsigned char trampoline[] = {UNWIND_TRAMPOLINE};
    uintptr_t start = pc - UNWIND_TRAMPOLINE_CALL;

    if (!readable_at_once(start, sizeof trampoline) ||
        memcmp((const void *)start, trampoline, sizeof trampoline) != 0)
        return false;
    *rule = (struct unwind_rule){.kind = UNWIND_FRAME,
                                 .cfa = {UNWIND_TRAMPOLINE_CFA, UNWIND_SP},
                                 .pc = {-(int32_t)sizeof(uintptr_t), UNWIND_CFA}};
    return true;
#else
    (void)pc;
    (void)rule;
    return false;
#endif
}

/* At the return address of a signal handler the stack has all interrupted registers. */
static bool recognize_sigreturn(uintptr_t pc, struct unwind_rule *rule)
{
    static const unsigned char sigreturn[] = {UNWIND_SIGRETURN};

    if (!readable_at_once(pc, sizeof sigreturn) ||
        memcmp((const void *)pc, sigreturn, sizeof sigreturn) != 0)
        return false;
    *rule = (struct unwind_rule){.kind = UNWIND_SIGNAL,
                                 .is_indirect = true,
                                 .cfa = {UNWIND_SIGNAL_SP, UNWIND_SP},
                                 .pc = {UNWIND_SIGNAL_PC, UNWIND_SP},
                                 .fp = {UNWIND_SIGNAL_FP, UNWIND_SP}};
    return true;
}

/* No call precedes the first instruction of a function.  Such a return address was put on the
 * stack, as by makecontext, and its frame is the outermost.  But another function may start after a
 * call that never returns. */
static bool is_put_there(uintptr_t pc, bool is_code)
{
    return !follows_call(pc, is_code) && cfi_begins_function(pc);
}

static void find_rule(uintptr_t pc, bool is_exact, struct unwind_rule *rule)
{
    enum cfi_result result = cfi_find_rule(is_exact ? pc : pc - 1, rule);
    bool is_code = result == CFI_FOUND || result == CFI_STRANGE;

    if (!is_code && (recognize_sigreturn(pc, rule) || recognize_trampoline(pc, rule)))
        return;
    if (!is_exact && is_put_there(pc, is_code))
        *rule = (struct unwind_rule){.kind = UNWIND_END};
    else if (result == CFI_STRANGE)
        *rule = (struct unwind_rule){.kind = UNWIND_STRANGE};
    else if (!is_code && (is_exact || !guess(pc, rule)))
        *rule = (struct unwind_rule){.kind = result == CFI_NO_CODE ? UNWIND_NO_CODE
                                                                   : UNWIND_NO_TABLE};
}

bool rules_learn(uintptr_t pc, bool is_exact, struct unwind_rule *rule)
{
    uint32_t packed;

    if (pc >> UNWIND_PC_SHIFT >> UNWIND_PC_BITS != 0 || pc <= UNWIND_CALL_BYTES) {
        *rule = (struct unwind_rule){.kind = UNWIND_NO_CODE};
        return false;
    }
    objects_missed = false;
    find_rule(pc, is_exact, rule);
    packed = is_exact || objects_missed ? 0 : pack(rule);
    if (packed != 0)
        enter(pc, packed);
    if (is_exact && !objects_missed)
        enter_exact(pc, rule);
    return !unwind_is_lost(rule);
}
