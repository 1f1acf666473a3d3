/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shim's reading of unwind tables, byte by byte: each instruction, each form of the entries
 * around them, and rows that no rule can hold.  tests/system/chains.test compares whole chains with
 * libunwind; compilers write few of these.
 */
#include <link.h>
#include <string.h>

#include "platform/next.h"
#include "suite.h"
#include "unwind/cfi.h"
#include "unwind/machine.h"
#include "unwind/objects.h"

enum {
    HEADER_SIZE = 20,
    IMAGE_SIZE = 512,
    CODE_SIZE = 100,
    WORD = 8,
    SP = UNWIND_DWARF_SP,
    FP = UNWIND_DWARF_FP,
    PC = UNWIND_DWARF_PC,
    OTHER = 3,    /* a register that no rule needs */
    BREG = 0x70,  /* DW_OP_breg0 */
    DEREF = 0x06, /* DW_OP_deref */
    RELATIVE_4 = 0x1b
};

/* ---- an object whose tables are known -------------------------------------- */

struct bytes {
    unsigned char at[64];
    size_t count;
};

#define BYTES(...) ((struct bytes){{__VA_ARGS__}, sizeof((const unsigned char[]){__VA_ARGS__})})

/* The contents of the common entry, and the instructions of both. */
struct tables {
    const char *augmentation;
    struct bytes data;   /* of the augmentation */
    struct bytes common; /* instructions */
    struct bytes own;
    unsigned version;
    unsigned encoding; /* of addresses */
};

static unsigned char code[CODE_SIZE];
static _Alignas(8) unsigned char image[IMAGE_SIZE];
static unsigned char *image_end;
static unsigned char *own_entry;
static unsigned char *own_end;
static bool has_code;
static bool has_header;

struct next next;

static int find_object(void *address, struct found_object *object)
{
    (void)address;
    object->eh_frame = has_header ? image : NULL;
    return has_code ? 0 : -1;
}

/* Replaces the dynamic linker's list (ld --wrap): before glibc 2.35 there is no other. */
int __wrap_dl_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *), void *data);
int __wrap_dl_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *), void *data)
{
    const ElfW(Phdr) headers[] = {
        {.p_type = PT_LOAD, .p_vaddr = (uintptr_t)code - 1, .p_memsz = sizeof code + 2},
        {.p_type = has_header ? PT_GNU_EH_FRAME : PT_NULL, .p_vaddr = (uintptr_t)image}};
    struct dl_phdr_info info = {.dlpi_phdr = headers, .dlpi_phnum = 2};

    return has_code ? visit(&info, sizeof info, data) : 0;
}

static void put(const void *from, size_t size)
{
    memcpy(image_end, from, size);
    image_end += size;
}

static void put_byte(unsigned value)
{
    const unsigned char byte = (unsigned char)value;

    put(&byte, 1);
}

static void put_word(size_t value)
{
    const uint32_t word = (uint32_t)value;

    put(&word, sizeof word);
}

static void put_address(uintptr_t address, unsigned encoding)
{
    if (encoding == RELATIVE_4)
        put_word(address - (uintptr_t)image_end);
    else
        put(&address, sizeof address);
}

/* Write the length of the entry that begins at `start`. */
static void close_entry(unsigned char *start)
{
    const uint32_t size = (uint32_t)(image_end - start - 4);

    memcpy(start, &size, sizeof size);
}

static void put_common(const struct tables *tables)
{
    unsigned char *start = image_end;

    put_word(0); /* its length, later */
    put_word(0); /* a common entry */
    put_byte(tables->version);
    put(tables->augmentation, strlen(tables->augmentation) + 1);
    put_byte(1);    /* code unit */
    put_byte(0x78); /* data unit: -8 */
    put_byte(PC);
    if (tables->augmentation[0] == 'z')
        put_byte((unsigned)tables->data.count);
    put(tables->data.at, tables->data.count);
    put(tables->common.at, tables->common.count);
    close_entry(start);
}

static void put_own(const struct tables *tables, const unsigned char *common)
{
    const uintptr_t size = CODE_SIZE;
    unsigned char *start = image_end;

    put_word(0);
    put_word((size_t)(image_end - common));
    put_address((uintptr_t)code, tables->encoding);
    put(&size, tables->encoding == RELATIVE_4 ? 4 : 8);
    if (tables->augmentation[0] == 'z')
        put_byte(0);
    put(tables->own.at, tables->own.count);
    close_entry(start);
}

/* A header of one row, then the two entries; a reader that goes on after them finds more data. */
static void make(const struct tables *tables)
{
    unsigned char *common;

    has_code = true;
    has_header = true;
    memset(image, 0x7f, sizeof image);
    image_end = image + HEADER_SIZE;
    common = image_end;
    put_common(tables);
    own_entry = image_end;
    put_own(tables, common);
    own_end = image_end;
    image_end = image;
    put(&(const unsigned char[]){1, RELATIVE_4, 0x03, 0x3b}, 4);
    put_word(0);
    put_word(1);
    put_word((uintptr_t)code - (uintptr_t)image);
    put_word((size_t)(own_entry - image));
}

/* As gcc writes them; the caller's address is right below the CFA, which is SP plus 8. */
static struct tables usual(struct bytes own)
{
    return (struct tables){"zR", BYTES(RELATIVE_4), BYTES(0x0c, SP, WORD, 0x80 | PC, 1), own,
                           1,    RELATIVE_4};
}

static enum cfi_result find_at(size_t offset, struct unwind_rule *rule)
{
    return cfi_find_rule((uintptr_t)code + offset, rule);
}

static bool is_place(struct unwind_place place, uint32_t base, int32_t offset)
{
    return place.base == base && place.offset == offset;
}

static enum cfi_result find_with(struct bytes own, size_t offset, struct unwind_rule *rule)
{
    const struct tables tables = usual(own);

    make(&tables);
    return find_at(offset, rule);
}

/* ---- the tests ------------------------------------------------------------- */

START_TEST(a_row_holds_from_its_address_to_the_one_before_the_next)
{
    /* push fp; mov sp, fp; ...; leave; ret */
    const struct tables tables = usual(
        BYTES(0x41, 0x0e, 16, 0x80 | FP, 2, 0x43, 0x0d, FP, 0x02, 60, 0x0c, SP, 8, 0xc0 | FP));
    struct unwind_rule rule;

    make(&tables);
    ck_assert_int_eq(find_at(0, &rule), CFI_FOUND);
    ck_assert(is_place(rule.cfa, UNWIND_SP, 8) && is_place(rule.pc, UNWIND_CFA, -8));
    ck_assert(is_place(rule.fp, UNWIND_NONE, 0));
    for (size_t at = 1; at < 4; at++) {
        ck_assert_int_eq(find_at(at, &rule), CFI_FOUND);
        ck_assert(is_place(rule.cfa, UNWIND_SP, 16) && is_place(rule.fp, UNWIND_CFA, -16));
    }
    for (size_t at = 4; at < 64; at++) {
        ck_assert_int_eq(find_at(at, &rule), CFI_FOUND);
        ck_assert(is_place(rule.cfa, UNWIND_FP, 16) && is_place(rule.fp, UNWIND_CFA, -16));
    }
    ck_assert_int_eq(find_at(64, &rule), CFI_FOUND);
    ck_assert(is_place(rule.cfa, UNWIND_SP, 8) && is_place(rule.fp, UNWIND_NONE, 0));
    ck_assert_int_eq(find_at(CODE_SIZE - 1, &rule), CFI_FOUND);
    ck_assert_int_eq(find_at(CODE_SIZE, &rule), CFI_NO_TABLE);
    ck_assert_int_eq(find_at((size_t)-1, &rule), CFI_NO_TABLE);
}
END_TEST

/* Instructions, and the rule after them, at the second byte of the code. */
static const struct {
    struct bytes own;
    struct unwind_place cfa;
    struct unwind_place fp;
    uint32_t is_indirect;
} INSTRUCTIONS[] = {
    /* advance_loc1, 2 and 4, to where it holds and beyond */
    {BYTES(0x02, 1, 0x0e, 24), {24, UNWIND_SP}, {0, UNWIND_NONE}, 0},
    {BYTES(0x02, 2, 0x0e, 24), {8, UNWIND_SP}, {0, UNWIND_NONE}, 0},
    {BYTES(0x03, 1, 0, 0x0e, 24), {24, UNWIND_SP}, {0, UNWIND_NONE}, 0},
    {BYTES(0x03, 1, 1, 0x0e, 24), {8, UNWIND_SP}, {0, UNWIND_NONE}, 0},
    {BYTES(0x04, 1, 0, 0, 0, 0x0e, 24), {24, UNWIND_SP}, {0, UNWIND_NONE}, 0},
    {BYTES(0x04, 1, 0, 0, 1, 0x0e, 24), {8, UNWIND_SP}, {0, UNWIND_NONE}, 0},
    /* nop; offset_extended, with a number of two bytes; restore_extended */
    {BYTES(0x00, 0x05, FP, 0x82, 1), {8, UNWIND_SP}, {-8 * 130, UNWIND_CFA}, 0},
    {BYTES(0x05, FP, 2, 0x06, FP), {8, UNWIND_SP}, {0, UNWIND_NONE}, 0},
    /* undefined and same_value */
    {BYTES(0x05, FP, 2, 0x07, FP), {8, UNWIND_SP}, {0, UNWIND_NONE}, 0},
    {BYTES(0x05, FP, 2, 0x08, FP), {8, UNWIND_SP}, {0, UNWIND_NONE}, 0},
    /* register, val_offset, val_offset_sf and val_expression of what no rule needs */
    {BYTES(0x09, OTHER, 1, 0x0e, 24), {24, UNWIND_SP}, {0, UNWIND_NONE}, 0},
    {BYTES(0x14, OTHER, 1, 0x0e, 24), {24, UNWIND_SP}, {0, UNWIND_NONE}, 0},
    {BYTES(0x15, OTHER, 1, 0x0e, 24), {24, UNWIND_SP}, {0, UNWIND_NONE}, 0},
    {BYTES(0x16, OTHER, 2, 1, 2, 0x0e, 24), {24, UNWIND_SP}, {0, UNWIND_NONE}, 0},
    /* remember_state and restore_state, one in the other */
    {BYTES(0x0a, 0x0e, 24, 0x0a, 0x0c, FP, 32, 0x0b), {24, UNWIND_SP}, {0, UNWIND_NONE}, 0},
    {BYTES(0x0a, 0x0e, 24, 0x0a, 0x0c, FP, 32, 0x0b, 0x0b), {8, UNWIND_SP}, {0, UNWIND_NONE}, 0},
    /* def_cfa_register; def_cfa_sf and def_cfa_offset_sf count in data units */
    {BYTES(0x0d, FP), {8, UNWIND_FP}, {0, UNWIND_NONE}, 0},
    {BYTES(0x12, FP, 0x7e), {16, UNWIND_FP}, {0, UNWIND_NONE}, 0},
    {BYTES(0x13, 0x7c), {32, UNWIND_SP}, {0, UNWIND_NONE}, 0},
    /* def_cfa_expression: a register and an offset, with and without a load; then none again */
    {BYTES(0x0f, 2, BREG + FP, 0x78), {-8, UNWIND_FP}, {0, UNWIND_NONE}, 0},
    {BYTES(0x0f, 3, BREG + FP, 0x78, DEREF), {-8, UNWIND_FP}, {0, UNWIND_NONE}, 1},
    {BYTES(0x0f, 2, BREG + FP, 0x78, 0x0c, SP, 16), {16, UNWIND_SP}, {0, UNWIND_NONE}, 0},
    /* expression; offset_extended_sf; GNU_negative_offset_extended */
    {BYTES(0x10, FP, 2, BREG + FP, 0), {8, UNWIND_SP}, {0, UNWIND_FP}, 0},
    {BYTES(0x11, FP, 2), {8, UNWIND_SP}, {-16, UNWIND_CFA}, 0},
    {BYTES(0x11, FP, 0x7e), {8, UNWIND_SP}, {16, UNWIND_CFA}, 0},
    {BYTES(0x2f, FP, 2), {8, UNWIND_SP}, {16, UNWIND_CFA}, 0},
    /* GNU_args_size; AARCH64_negate_ra_state */
    {BYTES(0x2e, 0x90, 1, 0x2d, 0x0e, 24), {24, UNWIND_SP}, {0, UNWIND_NONE}, 0},
};

START_TEST(each_instruction_does_what_the_standard_says)
{
    struct unwind_rule rule;

    ck_assert_int_eq(find_with(INSTRUCTIONS[_i].own, 1, &rule), CFI_FOUND);
    ck_assert_uint_eq(rule.kind, UNWIND_FRAME);
    ck_assert_uint_eq(rule.is_indirect, INSTRUCTIONS[_i].is_indirect);
    ck_assert(is_place(rule.cfa, INSTRUCTIONS[_i].cfa.base, INSTRUCTIONS[_i].cfa.offset));
    ck_assert(is_place(rule.fp, INSTRUCTIONS[_i].fp.base, INSTRUCTIONS[_i].fp.offset));
    ck_assert(is_place(rule.pc, UNWIND_CFA, -8));
}
END_TEST

/* An address in the instructions is written as that of the code. */
START_TEST(a_row_may_begin_at_an_address_that_is_told_in_full)
{
    struct tables tables = {"", {.count = 0}, BYTES(0x0c, SP, WORD, 0x80 | PC, 1), {.count = 0}, 1,
                            0};
    const uintptr_t place = (uintptr_t)code + 40;
    struct unwind_rule rule;

    tables.own = BYTES(0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0x0e, 24);
    memcpy(tables.own.at + 1, &place, sizeof place);
    make(&tables);
    ck_assert_int_eq(find_at(39, &rule), CFI_FOUND);
    ck_assert(is_place(rule.cfa, UNWIND_SP, 8));
    ck_assert_int_eq(find_at(40, &rule), CFI_FOUND);
    ck_assert(is_place(rule.cfa, UNWIND_SP, 24));
}
END_TEST

/* Instructions that no rule can hold, and unknown ones. */
static const struct bytes STRANGE[] = {
    BYTES(0x09, FP, OTHER), /* in another register */
    BYTES(0x14, FP, 1),
    BYTES(0x15, FP, 1),                         /* a value, not a place */
    BYTES(0x16, FP, 2, BREG + SP, 0),           /* a value, computed */
    BYTES(0x08, PC),                            /* the caller's address is nowhere */
    BYTES(0x0c, OTHER, 8),                      /* the CFA counts from another register */
    BYTES(0x0c, SP, 0x80, 0x80, 0x80, 0x80, 8), /* by 2 GiB */
    BYTES(0x05, FP, 0x80, 0x80, 0x80, 0x80, 2), /* saved 4 GiB away */
    BYTES(0x0f, 2, BREG + OTHER, 0),            /* the same two, computed */
    BYTES(0x0f, 6, BREG + SP, 0x80, 0x80, 0x80, 0x80, 8),
    BYTES(0x0f, 2, 0x6f, 0),
    BYTES(0x0f, 2, 0x90, 0),            /* no DW_OP_breg */
    BYTES(0x0f, 3, BREG + SP, 0, 0x23), /* and something more */
    BYTES(0x0f, 4, BREG + SP, 0, DEREF, DEREF),
    BYTES(0x10, FP, 3, BREG + SP, 0, DEREF), /* the loaded value is a place */
    BYTES(0x3c),
    BYTES(0x17),                                                       /* no instructions */
    BYTES(0x0b),                                                       /* nothing was remembered */
    BYTES(0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0b), /* too much was */
};

START_TEST(what_no_rule_can_hold_is_told)
{
    struct unwind_rule rule;

    ck_assert_int_eq(find_with(STRANGE[_i], 1, &rule), CFI_STRANGE);
}
END_TEST

START_TEST(nobody_called_where_the_address_of_the_caller_is_undefined)
{
    struct unwind_rule rule;

    ck_assert_int_eq(find_with(BYTES(0x07, PC, 0x0c, OTHER, 0), 1, &rule), CFI_FOUND);
    ck_assert_uint_eq(rule.kind, UNWIND_END);
}
END_TEST

START_TEST(eight_rows_are_remembered)
{
    struct unwind_rule rule;

    ck_assert_int_eq(find_with(BYTES(0x0e, 16, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0e, 24,
                                     0x0a, 0x0e, 32, 0x0b),
                               1, &rule),
                     CFI_FOUND);
    ck_assert(is_place(rule.cfa, UNWIND_SP, 24));
}
END_TEST

/* The personality and the language's data are skipped; the rest is used. */
START_TEST(the_letters_of_an_augmentation_are_read_in_their_order)
{
    struct tables tables = usual(BYTES(0x0e, 24));
    struct unwind_rule rule;

    tables.augmentation = "zPLRS";
    tables.data = BYTES(0x9b, 1, 2, 3, 4, 0x1b, RELATIVE_4);
    make(&tables);
    ck_assert_int_eq(find_at(1, &rule), CFI_FOUND);
    ck_assert_uint_eq(rule.kind, UNWIND_SIGNAL);
    ck_assert(is_place(rule.cfa, UNWIND_SP, 24));
    tables.augmentation = "zPR";
    tables.data = BYTES(0xff, RELATIVE_4);
    make(&tables);
    ck_assert_int_eq(find_at(1, &rule), CFI_FOUND);
    ck_assert_uint_eq(rule.kind, UNWIND_FRAME);
}
END_TEST

START_TEST(an_entry_of_another_version_is_not_read)
{
    struct tables tables = usual(BYTES(0x0e, 24));
    struct unwind_rule rule;

    tables.version = 3;
    make(&tables);
    ck_assert_int_eq(find_at(1, &rule), CFI_FOUND);
    tables.version = 4;
    make(&tables);
    ck_assert_int_eq(find_at(1, &rule), CFI_STRANGE);
}
END_TEST

START_TEST(instructions_of_the_common_entry_that_are_not_known_make_it_strange)
{
    struct tables tables = usual(BYTES(0x0e, 24));
    struct unwind_rule rule;

    tables.common = BYTES(0x0c, SP, WORD, 0x80 | PC, 1, 0x3c);
    make(&tables);
    ck_assert_int_eq(find_at(1, &rule), CFI_STRANGE);
}
END_TEST

/* The end of all entries, and the mark of a length of 64 bits. */
START_TEST(an_entry_without_a_length_of_32_bits_is_not_read)
{
    static const uint32_t lengths[] = {0, UINT32_MAX};
    const struct tables tables = usual(BYTES(0x0e, 24));
    struct unwind_rule rule;

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        make(&tables);
        memcpy(own_entry, &lengths[i], sizeof *lengths);
        ck_assert_int_eq(find_at(1, &rule), CFI_STRANGE);
        make(&tables);
        memcpy(image + HEADER_SIZE, &lengths[i], sizeof *lengths);
        ck_assert_int_eq(find_at(1, &rule), CFI_STRANGE);
    }
}
END_TEST

/* A block of 20 bytes that are missing, with readable bytes behind its end. */
START_TEST(what_leads_out_of_an_entry_is_not_followed)
{
    const unsigned char behind[] = {0x0e, 24};
    const struct tables tables = usual(BYTES(0x16, OTHER, 20));
    struct unwind_rule rule;

    make(&tables);
    memcpy(own_end + 20, behind, sizeof behind);
    ck_assert_int_eq(find_at(1, &rule), CFI_FOUND);
    ck_assert(is_place(rule.cfa, UNWIND_SP, 8));
}
END_TEST

START_TEST(a_header_of_another_form_tells_nothing)
{
    const struct tables tables = usual(BYTES(0x0e, 24));
    struct unwind_rule rule;

    for (size_t at = 0; at < 4; at++) {
        make(&tables);
        image[at] ^= 0x40;
        ck_assert_int_eq(find_at(1, &rule), CFI_NO_TABLE);
    }
    make(&tables);
    memset(image + 8, 0, 4);
    ck_assert_int_eq(find_at(1, &rule), CFI_NO_TABLE);
}
END_TEST

START_TEST(code_without_a_table_is_told_from_no_code)
{
    const struct tables tables = usual(BYTES(0x0e, 24));
    struct unwind_rule rule;

    make(&tables);
    has_header = false;
    ck_assert_int_eq(find_at(1, &rule), CFI_NO_TABLE);
    has_code = false;
    ck_assert_int_eq(find_at(1, &rule), CFI_NO_CODE);
}
END_TEST

START_TEST(a_function_begins_where_its_table_says)
{
    const struct tables tables = usual(BYTES(0x0e, 24));

    make(&tables);
    ck_assert(cfi_begins_function((uintptr_t)code));
    ck_assert(!cfi_begins_function((uintptr_t)code + 1));
    ck_assert(!cfi_begins_function((uintptr_t)code - 1));
    ck_assert(!cfi_begins_function((uintptr_t)code + CODE_SIZE));
    has_header = false;
    ck_assert(!cfi_begins_function((uintptr_t)code));
}
END_TEST

/* Where the linker has no index, the own table comes first, and has no lock. */
START_TEST(an_object_of_the_table_is_found_without_the_list)
{
    const struct tables tables = usual(BYTES(0x0e, 24));
    struct unwind_rule rule;

    make(&tables);
    has_code = false; /* in the list */
    objects_alone = true;
    objects_add((uintptr_t)code, (uintptr_t)code + CODE_SIZE, image);
    objects_missed = false;
    ck_assert_int_eq(find_at(1, &rule), CFI_FOUND);
    ck_assert(!objects_missed);
    objects_remove((uintptr_t)code);
    ck_assert_int_eq(find_at(1, &rule), CFI_NO_CODE);
    ck_assert(objects_missed);
}
END_TEST

START_TEST(who_must_not_wait_does_not_ask_the_list)
{
    const struct tables tables = usual(BYTES(0x0e, 24));
    struct unwind_rule rule;

    make(&tables);
    objects_alone = true;
    ck_assert_int_eq(find_at(1, &rule), CFI_NO_CODE);
    ck_assert(objects_missed);
    objects_alone = false;
    ck_assert_int_eq(find_at(1, &rule), CFI_FOUND);
    ck_assert(!objects_missed);
}
END_TEST

START_TEST(nothing_is_found_while_an_object_may_be_unmapped)
{
    const void *header;

    objects_add(16, 32, NULL);
    objects_add(64, 96, image);
    objects_begin_removal();
    ck_assert(!objects_find(20, &header));
    objects_remove(16);
    objects_end_removal();
    ck_assert(!objects_find(20, &header));
    ck_assert(objects_find(95, &header));
    ck_assert_ptr_eq(header, image);
    ck_assert(!objects_find(96, &header));
}
END_TEST

START_TEST(a_full_table_leaves_objects_out)
{
    const void *header;

    for (uintptr_t i = 1; i <= OBJECTS_MAX + 1; i++)
        objects_add(i * 16, i * 16 + 8, NULL);
    ck_assert(objects_find(OBJECTS_MAX * 16, &header));
    ck_assert(!objects_find((OBJECTS_MAX + 1) * 16, &header));
    objects_remove(32);
    objects_add((OBJECTS_MAX + 1) * 16, (OBJECTS_MAX + 1) * 16 + 8, NULL);
    ck_assert(objects_find((OBJECTS_MAX + 1) * 16, &header));
}
END_TEST

static void with_the_linkers_index(void)
{
    next._dl_find_object = find_object;
}

static void with_the_linkers_list(void)
{
    next._dl_find_object = NULL;
}

static TCase *add_case(Suite *suite, const char *name, void (*setup)(void))
{
    TCase *tests = tcase_create(name);

    tcase_add_checked_fixture(tests, setup, NULL);
    suite_add_tcase(suite, tests);
    return tests;
}

int main(void)
{
    Suite *suite = suite_create("cfi");
    TCase *tables = add_case(suite, "tables", with_the_linkers_index);
    TCase *list = add_case(suite, "list", with_the_linkers_list);

    tcase_add_test(tables, a_row_holds_from_its_address_to_the_one_before_the_next);
    tcase_add_loop_test(tables, each_instruction_does_what_the_standard_says, 0,
                        (int)(sizeof INSTRUCTIONS / sizeof *INSTRUCTIONS));
    tcase_add_test(tables, a_row_may_begin_at_an_address_that_is_told_in_full);
    tcase_add_loop_test(tables, what_no_rule_can_hold_is_told, 0,
                        (int)(sizeof STRANGE / sizeof *STRANGE));
    tcase_add_test(tables, nobody_called_where_the_address_of_the_caller_is_undefined);
    tcase_add_test(tables, eight_rows_are_remembered);
    tcase_add_test(tables, the_letters_of_an_augmentation_are_read_in_their_order);
    tcase_add_test(tables, an_entry_of_another_version_is_not_read);
    tcase_add_test(tables, instructions_of_the_common_entry_that_are_not_known_make_it_strange);
    tcase_add_test(tables, an_entry_without_a_length_of_32_bits_is_not_read);
    tcase_add_test(tables, what_leads_out_of_an_entry_is_not_followed);
    tcase_add_test(tables, a_header_of_another_form_tells_nothing);
    tcase_add_test(tables, code_without_a_table_is_told_from_no_code);
    tcase_add_test(tables, a_function_begins_where_its_table_says);
    tcase_add_test(list, a_row_holds_from_its_address_to_the_one_before_the_next);
    tcase_add_test(list, code_without_a_table_is_told_from_no_code);
    tcase_add_test(list, an_object_of_the_table_is_found_without_the_list);
    tcase_add_test(list, who_must_not_wait_does_not_ask_the_list);
    tcase_add_test(list, nothing_is_found_while_an_object_may_be_unmapped);
    tcase_add_test(list, a_full_table_leaves_objects_out);
    tcase_add_test(tables, a_function_begins_where_its_table_says);
    return suite_run(suite);
}
