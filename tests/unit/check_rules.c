/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shim's table of unwind rules: packed rules, rules stored as a whole, repeated look-ups, and
 * rules found while the table grows.
 */
#include <string.h>
#include <sys/mman.h>

#include "suite.h"
#include "unwind/cfi.h"
#include "unwind/objects.h"
#include "unwind/rules.h"

enum { BASE = 0x100000, MANY = 50000, CODE_SIZE = 16, ROOM = 3 * CODE_SIZE };

/* Code is checked before and after an address, so there is room on both sides. */

/* Behind a call: call rel32 of x86-64, bl of AArch64. */
#if defined(__aarch64__)
static const unsigned char behind_call[ROOM] = {[CODE_SIZE - 1] = 0x94};
#else
static const unsigned char behind_call[ROOM] = {[CODE_SIZE - 5] = 0xe8};
#endif
static const unsigned char behind_nothing[ROOM];

/* The code that a signal handler returns to: mov x8, #139 and svc #0; mov $15, %rax and syscall. */
#if defined(__aarch64__)
static const unsigned char sigreturn_room[ROOM] = {
    [CODE_SIZE] = 0x68, 0x11, 0x80, 0xd2, 1, 0, 0, 0xd4};
#else
static const unsigned char sigreturn_room[ROOM] = {
    [CODE_SIZE] = 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 5};
#endif
static const unsigned char *const sigreturn = sigreturn_room + CODE_SIZE;

/* ---- in place of the unwind tables ------------------------------------------ */

static struct unwind_rule told;
static enum cfi_result result;
static uintptr_t first_instruction; /* of a function */
static uintptr_t asked;             /* for, the first time since ask() */
static unsigned questions;
static bool is_missed; /* the object may be unknown as yet */

enum cfi_result cfi_find_rule(uintptr_t pc, struct unwind_rule *rule)
{
    if (questions++ == 0)
        asked = pc;
    memset(rule, 0, sizeof *rule);
    objects_missed = is_missed;
    if (result == CFI_FOUND)
        *rule = told;
    return result;
}

bool cfi_begins_function(uintptr_t pc)
{
    return pc == first_instruction;
}

/* Code that has a table is looked at: there is nothing but zeros. */
static void map_code(void)
{
    enum { PAGE = 65536, SIZE = 3 << 20 };

    ck_assert_ptr_eq(mmap((void *)(BASE - PAGE), PAGE + SIZE, PROT_READ,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0),
                     (void *)(BASE - PAGE));
}

static void setup(void)
{
    ck_assert(rules_init());
    rules_forget(1);
    told = (struct unwind_rule){.kind = UNWIND_END};
    result = CFI_FOUND;
    first_instruction = 0;
    is_missed = false;
}

/* ---- rules -------------------------------------------------------------------- */

static struct unwind_rule frame_of(unsigned cfa, unsigned fp, enum unwind_base base)
{
    return (struct unwind_rule){
        .kind = UNWIND_FRAME,
        .cfa = {(int32_t)(cfa * UNWIND_CFA_UNIT), base},
        .pc = {(int32_t)unwind_packed_pc_place(0, fp), UNWIND_CFA},
        .fp = {-(int32_t)(fp * UNWIND_FP_UNIT), UNWIND_CFA},
    };
}

static bool learn(uintptr_t pc, bool is_exact, struct unwind_rule *rule)
{
    questions = 0;
    memset(rule, 0xff, sizeof *rule);
    return rules_learn(pc, is_exact, rule);
}

/* Learn `told` at an address.  Returns: its form in the table. */
static uint32_t keep(uintptr_t pc)
{
    struct unwind_rule rule;

    learn(pc, false, &rule);
    ck_assert_mem_eq(&rule, &told, sizeof rule);
    return rules_find(rules_now(), pc);
}

static void check_usual(unsigned cfa, unsigned fp, enum unwind_base base)
{
    uint32_t packed;

    told = frame_of(cfa, fp, base);
    packed = keep(BASE);
    ck_assert(packed != 0 && !rules_is_special(packed));
    ck_assert_uint_eq(unwind_packed_base(packed), base == UNWIND_FP);
    ck_assert_uint_eq(unwind_packed_cfa(packed), cfa);
    ck_assert_uint_eq(unwind_packed_fp(packed), fp);
    rules_forget(1);
}

static void check_special(const struct unwind_rule *rule)
{
    uint32_t packed;

    told = *rule;
    packed = keep(BASE);
    ck_assert(packed != 0 && rules_is_special(packed));
    ck_assert_mem_eq(rules_get_special(packed), rule, sizeof *rule);
    rules_forget(1);
}

START_TEST(usual_rules_are_packed_up_to_their_widest)
{
    check_usual(1, 1, UNWIND_SP);
    check_usual(2, 1, UNWIND_FP);
    check_usual(UNWIND_CFA_SPECIAL - 1, (1 << UNWIND_FP_BITS) - 1, UNWIND_SP);
}
END_TEST

/* If the return address is found next to a frame pointer alone, it is another rule. */
START_TEST(a_frame_pointer_that_is_left_alone_is_not_looked_for)
{
    uint32_t packed;

    told = frame_of(2, 0, UNWIND_SP);
    told.fp = (struct unwind_place){0, UNWIND_NONE};
    packed = keep(BASE);
    ck_assert_uint_ne(packed, 0);
    ck_assert_uint_eq(rules_is_special(packed), !unwind_pc_fits(&told, 0));
    if (rules_is_special(packed))
        ck_assert_mem_eq(rules_get_special(packed), &told, sizeof told);
    else
        ck_assert_uint_eq(unwind_packed_fp(packed), 0);
}
END_TEST

START_TEST(other_rules_are_kept_whole)
{
    struct unwind_rule rules[] = {
        frame_of(UNWIND_CFA_SPECIAL, 1, UNWIND_SP),
        frame_of(2, 1 << UNWIND_FP_BITS, UNWIND_SP),
        frame_of(2, 1, UNWIND_SP),
        frame_of(2, 1, UNWIND_SP),
        frame_of(2, 1, UNWIND_SP),
        frame_of(2, 1, UNWIND_SP),
        frame_of(2, 1, UNWIND_SP),
        frame_of(2, 1, UNWIND_SP),
    };

    rules[2].is_indirect = 1;
    rules[3].kind = UNWIND_SIGNAL;
    rules[4].cfa.offset++;
    rules[5].fp.base = UNWIND_SP;
    rules[6].fp.offset = 8;
    rules[7].pc.offset++;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        check_special(&rules[i]);
    check_special(&(struct unwind_rule){.kind = UNWIND_END});
}
END_TEST

START_TEST(a_rule_is_kept_whole_once)
{
    uint32_t packed;

    told = (struct unwind_rule){.kind = UNWIND_END};
    packed = keep(BASE);
    ck_assert_uint_eq(keep(BASE + 64), packed);
}
END_TEST

/* Then the tables are read each time. */
START_TEST(where_no_more_rules_can_be_kept_whole_they_are_told_all_the_same)
{
    for (unsigned i = 0; i < 2 * UNWIND_SPECIALS; i++) {
        told = frame_of(2, 1, UNWIND_SP);
        told.kind = UNWIND_SIGNAL;
        told.cfa.offset += (int32_t)i;
        keep(BASE + 64 * i);
    }
    ck_assert_uint_eq(rules_find(rules_now(), BASE + 64 * (2 * UNWIND_SPECIALS - 1)), 0);
    told = frame_of(3, 1, UNWIND_SP);
    ck_assert_uint_ne(keep(BASE), 0);
}
END_TEST

/* ---- addresses ------------------------------------------------------------------ */

START_TEST(of_a_return_address_the_call_before_it_is_asked_for)
{
    struct unwind_rule rule;

    told = frame_of(2, 1, UNWIND_SP);
    ck_assert(learn(BASE, false, &rule));
    ck_assert_uint_eq(asked, BASE - 1);
}
END_TEST

START_TEST(where_a_signal_came_the_address_itself_is_asked_for_and_kept_apart)
{
    struct unwind_rule rule;

    told = frame_of(2, 1, UNWIND_SP);
    ck_assert(learn(BASE, true, &rule));
    ck_assert_uint_eq(asked, BASE);
    ck_assert_uint_eq(rules_find(rules_now(), BASE), 0);
    ck_assert_uint_eq(unwind_packed_cfa(rules_find_exact(BASE)), 2);
    ck_assert_uint_eq(rules_find_exact(BASE + 64), 0);
    rules_forget(1);
    ck_assert_uint_eq(rules_find_exact(BASE), 0);
}
END_TEST

START_TEST(what_is_no_address_of_code_is_lost)
{
    const uintptr_t places[] = {0, UNWIND_CALL_BYTES,
                                (uintptr_t)1 << (UNWIND_PC_BITS + UNWIND_PC_SHIFT), UINTPTR_MAX};
    struct unwind_rule rule;

    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        ck_assert(!learn(places[i], false, &rule));
        ck_assert_uint_eq(rule.kind, UNWIND_NO_CODE);
        ck_assert_uint_eq(questions, 0);
    }
}
END_TEST

/* Another function may end there. */
START_TEST(nobody_called_from_before_the_first_instruction)
{
    struct unwind_rule rule;

    first_instruction = BASE;
    told = frame_of(2, 1, UNWIND_SP);
    for (result = CFI_FOUND; result <= CFI_STRANGE; result++) {
        rules_forget(1);
        ck_assert(learn(BASE, false, &rule));
        ck_assert_uint_eq(rule.kind, UNWIND_END);
    }
    result = CFI_FOUND;
    ck_assert(learn(BASE, true, &rule));
    ck_assert_mem_eq(&rule, &told, sizeof rule);
}
END_TEST

START_TEST(behind_a_call_that_does_not_return_a_function_may_begin)
{
    first_instruction = (uintptr_t)behind_call + CODE_SIZE;
    told = frame_of(2, 1, UNWIND_SP);
    ck_assert_uint_ne(keep(first_instruction), 0);
}
END_TEST

/* ---- code without tables ---------------------------------------------------------- */

START_TEST(behind_a_call_the_frame_pointer_is_believed)
{
    const uintptr_t end = (uintptr_t)behind_call + CODE_SIZE;
    struct unwind_rule rule;

    for (result = CFI_NO_CODE; result <= CFI_NO_TABLE; result++) {
        rules_forget(1);
        ck_assert(learn(end, false, &rule));
        ck_assert(rule.kind == UNWIND_FRAME && rule.cfa.base == UNWIND_FP &&
                  rule.cfa.offset == 16 && rule.pc.base == UNWIND_FP && rule.pc.offset == 8 &&
                  rule.fp.base == UNWIND_FP && rule.fp.offset == 0);
    }
}
END_TEST

/* The interrupted registers are above the stack pointer.  A table without signal information may
 * start there. */
START_TEST(the_end_of_a_signal_handler_is_known_by_its_code)
{
    struct unwind_rule rule;

    for (result = CFI_NO_CODE; result <= CFI_NO_TABLE; result++)
        for (int is_exact = 0; is_exact < 2; is_exact++) {
            rules_forget(1);
            first_instruction = is_exact ? 0 : (uintptr_t)sigreturn;
            ck_assert(learn((uintptr_t)sigreturn, is_exact, &rule));
            ck_assert_uint_eq(rule.kind, UNWIND_SIGNAL);
            ck_assert(rule.is_indirect && rule.cfa.base == UNWIND_SP && rule.pc.base == UNWIND_SP &&
                      rule.fp.base == UNWIND_SP);
            ck_assert(rule.cfa.offset == UNWIND_SIGNAL_SP && rule.pc.offset == UNWIND_SIGNAL_PC &&
                      rule.fp.offset == UNWIND_SIGNAL_FP);
        }
    ck_assert_uint_eq(rules_find_exact((uintptr_t)sigreturn), 0);
    first_instruction = 0;
    result = CFI_STRANGE;
    rules_forget(1);
    ck_assert(!learn((uintptr_t)sigreturn, false, &rule));
    result = CFI_NO_CODE;
    for (size_t i = 0; i < sizeof(const unsigned char[]){UNWIND_SIGRETURN}; i++) {
        unsigned char room[ROOM] = {0}, *code = room + CODE_SIZE;

        memcpy(code, sigreturn, CODE_SIZE);
        code[i]++;
        ck_assert(!learn((uintptr_t)code, true, &rule));
    }
}
END_TEST

#if defined(__x86_64__)
/* sub $8, %rsp; call *%rcx; add $8, %rsp; ret */
START_TEST(the_code_around_a_function_of_python_is_known)
{
    static const unsigned char trampoline[CODE_SIZE] = {0x48, 0x83, 0xec, 8, 0xff, 0xd1,
                                                        0x48, 0x83, 0xc4, 8, 0xc3};
    enum { SIZE = 11 };
    unsigned char room[ROOM] = {0}, *code = room + CODE_SIZE;
    struct unwind_rule rule;

    result = CFI_NO_CODE;
    memcpy(code, trampoline, CODE_SIZE);
    ck_assert(learn((uintptr_t)code + 6, false, &rule));
    ck_assert_uint_eq(rule.kind, UNWIND_FRAME);
    ck_assert(rule.cfa.base == UNWIND_SP && rule.cfa.offset == 16);
    ck_assert(rule.pc.base == UNWIND_CFA && rule.pc.offset == -8);
    ck_assert_uint_eq(rule.fp.base, UNWIND_NONE);
    for (size_t i = 0; i < SIZE; i++) {
        memcpy(code, trampoline, CODE_SIZE);
        code[i] ^= 1;
        rules_forget(1);
        ck_assert(!learn((uintptr_t)code + 6, false, &rule) || rule.cfa.base == UNWIND_FP);
    }
}
END_TEST
#endif

START_TEST(elsewhere_it_is_not)
{
    struct unwind_rule rule;

    result = CFI_NO_CODE;
    ck_assert(!learn((uintptr_t)behind_nothing + CODE_SIZE, false, &rule));
    ck_assert_uint_eq(rule.kind, UNWIND_NO_CODE);
    ck_assert(!learn((uintptr_t)behind_call + CODE_SIZE, true, &rule));
    ck_assert(!learn(BASE, false, &rule));
    result = CFI_NO_TABLE;
    ck_assert(!learn((uintptr_t)behind_nothing + CODE_SIZE, false, &rule));
    ck_assert_uint_eq(rule.kind, UNWIND_NO_TABLE);
    result = CFI_STRANGE;
    ck_assert(!learn((uintptr_t)behind_call + CODE_SIZE, false, &rule));
    ck_assert_uint_eq(rule.kind, UNWIND_STRANGE);
}
END_TEST

/* ---- the table --------------------------------------------------------------------- */

static uintptr_t place_of(unsigned i)
{
    return BASE + (uintptr_t)i * 52;
}

/* A rule that finds its line full may replace another, which is then learned again; none has the
 * rule of another. */
START_TEST(rules_stay_found_while_the_table_grows)
{
    unsigned lost = 0;

    for (unsigned i = 0; i < MANY; i++) {
        told = frame_of(1 + i % 1000, 1 + i % 60, UNWIND_SP);
        ck_assert_uint_ne(keep(place_of(i)), 0);
    }
    ck_assert_uint_gt(rules_now()->bits, RULES_FIRST_BITS);
    for (unsigned i = 0; i < MANY; i++) {
        uint32_t packed = rules_find(rules_now(), place_of(i));

        lost += packed == 0;
        ck_assert(packed == 0 || (unwind_packed_cfa(packed) == 1 + i % 1000 &&
                                  unwind_packed_fp(packed) == 1 + i % 60));
    }
    ck_assert_uint_lt(lost, MANY / 20);
}
END_TEST

START_TEST(what_may_not_be_known_as_yet_is_not_kept)
{
    struct unwind_rule rule;

    result = CFI_NO_CODE;
    is_missed = true;
    learn((uintptr_t)behind_call + CODE_SIZE, false, &rule);
    ck_assert_uint_eq(rules_find(rules_now(), (uintptr_t)behind_call + CODE_SIZE), 0);
    is_missed = false;
    learn((uintptr_t)behind_call + CODE_SIZE, false, &rule);
    ck_assert_uint_ne(rules_find(rules_now(), (uintptr_t)behind_call + CODE_SIZE), 0);
}
END_TEST

START_TEST(rules_of_a_library_that_left_are_forgotten)
{
    told = frame_of(2, 1, UNWIND_SP);
    for (unsigned i = 0; i < MANY; i++)
        keep(place_of(i));
    rules_forget(7);
    ck_assert_uint_eq(rules_epoch, 7);
    for (unsigned i = 0; i < MANY; i++)
        ck_assert_uint_eq(rules_find(rules_now(), place_of(i)), 0);
    told = frame_of(5, 1, UNWIND_SP);
    ck_assert_uint_eq(unwind_packed_cfa(keep(place_of(1))), 5);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rules");
    TCase *tests = tcase_create("rules");

    suite_add_tcase(suite, tests);
    tcase_add_unchecked_fixture(tests, map_code, NULL);
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, usual_rules_are_packed_up_to_their_widest);
    tcase_add_test(tests, a_frame_pointer_that_is_left_alone_is_not_looked_for);
    tcase_add_test(tests, other_rules_are_kept_whole);
    tcase_add_test(tests, a_rule_is_kept_whole_once);
    tcase_add_test(tests, where_no_more_rules_can_be_kept_whole_they_are_told_all_the_same);
    tcase_add_test(tests, of_a_return_address_the_call_before_it_is_asked_for);
    tcase_add_test(tests, where_a_signal_came_the_address_itself_is_asked_for_and_kept_apart);
    tcase_add_test(tests, what_is_no_address_of_code_is_lost);
    tcase_add_test(tests, nobody_called_from_before_the_first_instruction);
    tcase_add_test(tests, behind_a_call_that_does_not_return_a_function_may_begin);
    tcase_add_test(tests, behind_a_call_the_frame_pointer_is_believed);
    tcase_add_test(tests, the_end_of_a_signal_handler_is_known_by_its_code);
#if defined(__x86_64__)
    tcase_add_test(tests, the_code_around_a_function_of_python_is_known);
#endif
    tcase_add_test(tests, elsewhere_it_is_not);
    tcase_add_test(tests, rules_stay_found_while_the_table_grows);
    tcase_add_test(tests, what_may_not_be_known_as_yet_is_not_kept);
    tcase_add_test(tests, rules_of_a_library_that_left_are_forgotten);
    return suite_run(suite);
}
