/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of the start and end of functions by their unwind table, byte by byte.
 * tests/unit/check_symbols.c tests those that a compiler wrote.
 */
#include <string.h>

#include "suite.h"
#include "symbols/function_ranges.h"

enum {
    TABLE_SIZE = 512,
    TABLE_AT = 0x4000, /* address of the section */
    RELATIVE_4 = 0x1b,
    ABSOLUTE_8 = 0x00
};

static unsigned char table[TABLE_SIZE];
static size_t table_size;
static struct function_ranges ranges;

static void set_up(void)
{
    memset(table, 0, sizeof table);
    table_size = 0;
    function_ranges_init(&ranges);
}

static void tear_down(void)
{
    function_ranges_fini(&ranges);
}

static void add(const void *bytes, size_t size)
{
    ck_assert_uint_le(table_size + size, TABLE_SIZE);
    if (size > 0)
        memcpy(table + table_size, bytes, size);
    table_size += size;
}

static void add_32(uint32_t value)
{
    add(&value, sizeof value);
}

static void add_64(uint64_t value)
{
    add(&value, sizeof value);
}

/* The length precedes the data. */
static size_t begin(void)
{
    size_t at = table_size;

    add_32(0);
    return at;
}

static void end(size_t at)
{
    uint32_t length = (uint32_t)(table_size - at - sizeof length);

    memcpy(table + at, &length, sizeof length);
}

/* An entry in common of this augmentation.  Returns: where it starts. */
static size_t add_common(const char *augmentation, const void *data, size_t size)
{
    static const unsigned char numbers[] = {1, 0x78, 16}; /* factors, return address */
    static const unsigned char version = 1;
    size_t at = begin();

    add_32(0);
    add(&version, 1);
    add(augmentation, strlen(augmentation) + 1);
    add(numbers, sizeof numbers);
    add(data, size);
    end(at);
    return at;
}

static size_t add_plain_common(void)
{
    return add_common("zR", (const unsigned char[]){1, RELATIVE_4}, 2);
}

static void add_function(size_t common, uint64_t start, uint32_t size)
{
    size_t at = begin();

    add_32((uint32_t)(table_size - common));
    add_32((uint32_t)(start - (TABLE_AT + table_size)));
    add_32(size);
    add_32(0);
    end(at);
}

static void read_table(void)
{
    const struct function_ranges_section section = {table, table_size, TABLE_AT};

    function_ranges_read(&ranges, &section);
}

static void assert_is_in(uint64_t address, uint64_t start, uint64_t end_address)
{
    const struct interval *range = function_ranges_find(&ranges, address);

    ck_assert_ptr_nonnull(range);
    ck_assert_uint_eq(range->start, start);
    ck_assert_uint_eq(range->end, end_address);
}

START_TEST(ranges_are_those_of_the_functions)
{
    size_t common = add_plain_common();

    add_function(common, 0x1000, 0x20);
    add_function(common, 0x1020, 0x10);
    add_function(common, 0x800, 0x100);
    add_32(0);
    read_table();
    assert_is_in(0x1000, 0x1000, 0x1020);
    assert_is_in(0x101f, 0x1000, 0x1020);
    assert_is_in(0x1020, 0x1020, 0x1030);
    assert_is_in(0x8ff, 0x800, 0x900);
    ck_assert_ptr_null(function_ranges_find(&ranges, 0x1030));
    ck_assert_ptr_null(function_ranges_find(&ranges, 0x7ff));
    ck_assert(!ranges.is_torn);
}
END_TEST

/* Of C++: a personality and where its tables are. */
START_TEST(ranges_are_found_behind_other_data_of_an_entry)
{
    static const unsigned char data[] = {7, 0x9b, 1, 2, 3, 4, 0x1b, RELATIVE_4};
    size_t common = add_common("zPLR", data, sizeof data);

    add_function(common, 0x1000, 0x20);
    read_table();
    assert_is_in(0x1010, 0x1000, 0x1020);
}
END_TEST

START_TEST(ranges_may_be_told_by_whole_addresses)
{
    size_t common = add_common("", NULL, 0);
    size_t at = begin();

    add_32((uint32_t)(table_size - common));
    add_64(0x1000);
    add_64(0x40);
    end(at);
    read_table();
    assert_is_in(0x103f, 0x1000, 0x1040);
}
END_TEST

START_TEST(ranges_of_unknown_forms_are_passed_over)
{
    size_t odd = add_common("zX", (const unsigned char[]){1, RELATIVE_4}, 2);
    size_t none = add_common("zR", (const unsigned char[]){1, 0xff}, 2);
    size_t leb = add_common("zR", (const unsigned char[]){1, 0x01}, 2);
    size_t data = add_common("zR", (const unsigned char[]){1, 0x3b}, 2);
    size_t plain = add_plain_common();

    add_function(odd, 0x1000, 0x10);
    add_function(none, 0x2000, 0x10);
    add_function(leb, 0x3000, 0x10);
    add_function(data, 0x5000, 0x10);
    add_function(plain, 0x6000, 0x10);
    read_table();
    ck_assert_uint_eq(ranges.intervals.items.count, 1);
    assert_is_in(0x6000, 0x6000, 0x6010);
    ck_assert(!ranges.is_torn);
}
END_TEST

START_TEST(ranges_before_the_damage_are_used)
{
    size_t common = add_plain_common();

    add_function(common, 0x1000, 0x20);
    add_32(0x7fffffff);
    read_table();
    ck_assert(ranges.is_torn);
    assert_is_in(0x1010, 0x1000, 0x1020);
}
END_TEST

START_TEST(ranges_of_a_table_that_ends_anywhere_are_inside_it)
{
    size_t common = add_plain_common();
    size_t whole;

    add_function(common, 0x1000, 0x20);
    add_function(common, 0x1020, 0x20);
    whole = table_size;
    for (table_size = 0; table_size < whole; table_size++) {
        function_ranges_fini(&ranges);
        function_ranges_init(&ranges);
        read_table();
        ck_assert_uint_le(ranges.intervals.items.count, 1);
    }
}
END_TEST

START_TEST(ranges_lead_to_no_entry_outside_the_table)
{
    size_t at = begin();

    add_32(0x10000); /* this far back */
    add_32(0x1000);
    add_32(0x10);
    end(at);
    at = begin();
    add_32((uint32_t)(table_size)); /* to the first, which is no common one */
    add_32(0x1000);
    add_32(0x10);
    end(at);
    read_table();
    ck_assert_uint_eq(ranges.intervals.items.count, 0);
}
END_TEST

int check_function_ranges(void)
{
    Suite *suite = suite_create("function_ranges");
    TCase *all = tcase_create("all");

    tcase_add_checked_fixture(all, set_up, tear_down);
    tcase_add_test(all, ranges_are_those_of_the_functions);
    tcase_add_test(all, ranges_are_found_behind_other_data_of_an_entry);
    tcase_add_test(all, ranges_may_be_told_by_whole_addresses);
    tcase_add_test(all, ranges_of_unknown_forms_are_passed_over);
    tcase_add_test(all, ranges_before_the_damage_are_used);
    tcase_add_test(all, ranges_of_a_table_that_ends_anywhere_are_inside_it);
    tcase_add_test(all, ranges_lead_to_no_entry_outside_the_table);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
