/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of mapped memory, against a simple model of pages.
 */
#include <stdbool.h>
#include <string.h>

#include "model/mappings.h"
#include "suite.h"

enum { PAGE = 4096 };

/* Two sites map; the first unless a test says otherwise. */
enum { SITES = 2 };

static void init(struct mappings *mappings, uint64_t page_size)
{
    mappings_init(mappings, page_size);
    for (int i = 0; i < SITES; i++)
        mappings_add_site(mappings);
}

static const struct mappings_site *site_of(const struct mappings *mappings, size_t site)
{
    return array_at(&mappings->sites, site);
}

static void map_at(struct mappings *mappings, uint32_t site, uint64_t address, uint64_t length)
{
    const struct mappings_extent extent = {address, length};
    const struct mappings_origin origin = {site, mappings->maps + 1, MAPPINGS_MEMORY};

    mappings_map(mappings, extent, &origin);
}

static void map_kind(struct mappings *mappings, enum mappings_kind kind, uint64_t page,
                     uint64_t pages)
{
    const struct mappings_extent extent = {page * PAGE, pages * PAGE};
    const struct mappings_origin origin = {0, mappings->maps + 1, kind};

    mappings_map(mappings, extent, &origin);
}

static void map(struct mappings *mappings, uint64_t address, uint64_t length)
{
    map_at(mappings, 0, address, length);
}

static void unmap(struct mappings *mappings, uint64_t address, uint64_t length)
{
    const struct mappings_extent extent = {address, length};

    mappings_unmap(mappings, extent);
}

/* By the second site. */
static void remap(struct mappings *mappings, struct mappings_extent from, struct mappings_extent to)
{
    const struct mappings_move move = {from, to};
    const struct mappings_origin origin = {1, 9, MAPPINGS_MEMORY};

    mappings_remap(mappings, &move, &origin);
}

static void add_visited(uint32_t site, uint64_t length, void *of)
{
    ((uint64_t *)of)[site] += length / PAGE;
}

START_TEST(parts_of_an_extent_are_visited_by_site)
{
    uint64_t pages[SITES] = {0};
    struct mappings mappings;

    init(&mappings, PAGE);
    for (uint64_t i = 0; i < 20; i++)
        map_at(&mappings, i % 2, (10 + 3 * i) * PAGE, 2 * PAGE);
    mappings_visit(&mappings, (struct mappings_extent){11 * PAGE, 6 * PAGE}, add_visited, pages);
    ck_assert(pages[0] == 2 && pages[1] == 2); /* pages 11, 16; 13, 14 */
    mappings_visit(&mappings, (struct mappings_extent){0, 1000 * PAGE}, add_visited, pages);
    ck_assert(pages[0] == 22 && pages[1] == 22);
    mappings_visit(&mappings, (struct mappings_extent){12 * PAGE, PAGE}, add_visited, pages);
    mappings_visit(&mappings, (struct mappings_extent){12 * PAGE, 0}, add_visited, pages);
    ck_assert(pages[0] == 22 && pages[1] == 22);
    mappings_fini(&mappings);
}
END_TEST

START_TEST(mappings_count_a_part_of_a_page_whole)
{
    struct mappings mappings;

    init(&mappings, PAGE);
    map(&mappings, 16 * PAGE, 1);
    ck_assert_uint_eq(mappings.bytes, PAGE);
    map(&mappings, 32 * PAGE, PAGE + 1);
    ck_assert_uint_eq(mappings.bytes, 3 * PAGE);
    ck_assert_uint_eq(mappings.maps, 2);
    mappings_fini(&mappings);
}
END_TEST

/* The part of ten pages at page 100 that munmap removes. */
static const struct {
    uint64_t page;
    uint64_t count;
    uint64_t left;
} unmap_cases[] = {
    {100, 10, 0}, {100, 3, 7}, {107, 3, 7},  {103, 3, 7},   {90, 12, 8},
    {105, 90, 5}, {0, 500, 0}, {90, 10, 10}, {110, 10, 10},
};

START_TEST(mappings_lose_what_is_unmapped_and_no_more)
{
    struct mappings mappings;

    init(&mappings, PAGE);
    map(&mappings, 100 * PAGE, 10 * PAGE);
    unmap(&mappings, unmap_cases[_i].page * PAGE, unmap_cases[_i].count * PAGE);
    ck_assert_uint_eq(mappings.bytes, unmap_cases[_i].left * PAGE);
    ck_assert_uint_eq(mappings.unmaps, 1);
    ck_assert_uint_eq(mappings.peak_bytes, 10 * PAGE);
    ck_assert_uint_eq(mappings.peak_ticks, 1);
    mappings_fini(&mappings);
}
END_TEST

START_TEST(mappings_replace_what_a_fixed_address_covers)
{
    struct mappings mappings;

    init(&mappings, PAGE);
    map(&mappings, 100 * PAGE, 4 * PAGE);
    map(&mappings, 110 * PAGE, 4 * PAGE);
    map(&mappings, 102 * PAGE, 10 * PAGE);
    ck_assert_uint_eq(mappings.bytes, 14 * PAGE);
    unmap(&mappings, 100 * PAGE, 14 * PAGE);
    ck_assert_uint_eq(mappings.bytes, 0);
    mappings_fini(&mappings);
}
END_TEST

static const struct {
    struct mappings_extent from;
    struct mappings_extent to;
    uint64_t pages;
    uint64_t moved_pages; /* part at the site of mremap */
} remap_cases[] = {
    {{100 * PAGE, 4 * PAGE}, {100 * PAGE, 9 * PAGE}, 9, 9}, /* grows */
    {{100 * PAGE, 4 * PAGE}, {200 * PAGE, 4 * PAGE}, 4, 4}, /* moves */
    {{100 * PAGE, 4 * PAGE}, {100 * PAGE, PAGE}, 1, 1},     /* shrinks */
    {{100 * PAGE, 0}, {200 * PAGE, 4 * PAGE}, 8, 4},        /* a second view of shared memory */
    {{101 * PAGE, 2 * PAGE}, {300 * PAGE, 5 * PAGE}, 7, 5}, /* a part moves and grows */
    {{400 * PAGE, 4 * PAGE}, {500 * PAGE, 4 * PAGE}, 4, 0}, /* memory that mmap did not give */
    {{400 * PAGE, 0}, {500 * PAGE, 4 * PAGE}, 4, 0},
};

START_TEST(mappings_follow_what_mremap_does)
{
    struct mappings mappings;

    init(&mappings, PAGE);
    map(&mappings, 100 * PAGE, 4 * PAGE);
    remap(&mappings, remap_cases[_i].from, remap_cases[_i].to);
    uint64_t moved = remap_cases[_i].moved_pages;
    ck_assert_uint_eq(mappings.bytes, remap_cases[_i].pages * PAGE);
    ck_assert_uint_eq(mappings.maps, 1);
    ck_assert_uint_eq(site_of(&mappings, 0)->live_bytes, mappings.bytes - moved * PAGE);
    ck_assert_uint_eq(site_of(&mappings, 1)->live_bytes, moved * PAGE);
    ck_assert_uint_eq(site_of(&mappings, 1)->calls, moved > 0);
    mappings_fini(&mappings);
}
END_TEST

/* Memory that is known, partly known, and unknown. */
static const struct {
    struct mappings_extent gone;
    uint64_t moving; /* pages, as the next */
    uint64_t left;   /* after three pages were placed elsewhere */
} move_cases[] = {
    {{100 * PAGE, 4 * PAGE}, 4, 3},
    {{102 * PAGE, 4 * PAGE}, 2, 5},
    {{400 * PAGE, 4 * PAGE}, 0, 4},
};

START_TEST(mappings_count_what_moves_until_it_has_come)
{
    const struct mappings_origin origin = {0, 9, MAPPINGS_MEMORY};
    const struct mappings_extent to = {600 * PAGE, 3 * PAGE};
    struct mappings mappings;
    struct mappings_moving moving;

    init(&mappings, PAGE);
    map(&mappings, 100 * PAGE, 4 * PAGE);
    mappings_begin_move(&mappings, move_cases[_i].gone, &moving);
    ck_assert_uint_eq(moving.bytes, move_cases[_i].moving * PAGE);
    ck_assert_uint_eq(mappings.bytes, 4 * PAGE);
    mappings_end_move(&mappings, to, &moving, &origin);
    ck_assert_uint_eq(mappings.bytes, move_cases[_i].left * PAGE);
    mappings_fini(&mappings);
}
END_TEST

static void check_kinds(const uint64_t bytes[MAPPINGS_KINDS], uint64_t memory, uint64_t file,
                        uint64_t reserved)
{
    ck_assert_uint_eq(bytes[MAPPINGS_MEMORY], memory * PAGE);
    ck_assert_uint_eq(bytes[MAPPINGS_FILE], file * PAGE);
    ck_assert_uint_eq(bytes[MAPPINGS_RESERVED], reserved * PAGE);
}

/* Memory is taken out of a reserved range, and a part of a file moves elsewhere. */
START_TEST(mappings_tell_files_and_reserved_addresses_apart)
{
    const struct mappings_extent gone = {308 * PAGE, 4 * PAGE}, to = {600 * PAGE, 8 * PAGE};
    const struct mappings_origin origin = {1, 9, MAPPINGS_MEMORY};
    struct mappings_moving moving;
    struct mappings mappings;

    init(&mappings, PAGE);
    map_kind(&mappings, MAPPINGS_RESERVED, 100, 64);
    map_kind(&mappings, MAPPINGS_FILE, 300, 12);
    map_kind(&mappings, MAPPINGS_MEMORY, 110, 4);
    check_kinds(mappings.kind_bytes, 4, 12, 60);
    mappings_begin_move(&mappings, gone, &moving);
    check_kinds(mappings.kind_bytes, 4, 12, 60);
    mappings_end_move(&mappings, to, &moving, &origin);
    check_kinds(mappings.kind_bytes, 4, 16, 60);
    check_kinds(site_of(&mappings, 1)->kind_bytes, 0, 8, 0);
    remap(&mappings, (struct mappings_extent){300 * PAGE, 8 * PAGE},
          (struct mappings_extent){700 * PAGE, 2 * PAGE});
    unmap(&mappings, 100 * PAGE, 64 * PAGE);
    check_kinds(mappings.kind_bytes, 0, 10, 0);
    check_kinds(mappings.peak_kind_bytes, 4, 16, 60);
    ck_assert_uint_eq(mappings.peak_bytes, 80 * PAGE);
    mappings_fini(&mappings);
}
END_TEST

/* With addresses and lengths that no system gives. */
static const struct {
    uint64_t address;
    uint64_t length;
} bad_cases[] = {
    {PAGE, UINT64_MAX}, {UINT64_MAX, UINT64_MAX},
    {UINT64_MAX, 1},    {UINT64_MAX - PAGE, PAGE},
    {PAGE, 0},          {0, 0},
};

START_TEST(mappings_survive_extents_of_no_sense)
{
    struct mappings mappings;
    const struct mappings_extent extent = {bad_cases[_i].address, bad_cases[_i].length};

    init(&mappings, PAGE);
    map(&mappings, 5 * PAGE, PAGE);
    map(&mappings, extent.address, extent.length);
    remap(&mappings, extent, extent);
    remap(&mappings, (struct mappings_extent){5 * PAGE, PAGE}, extent);
    unmap(&mappings, extent.address, extent.length);
    unmap(&mappings, 0, UINT64_MAX - PAGE);
    mappings_fini(&mappings);
}
END_TEST

START_TEST(mappings_do_without_a_page_size_that_is_none)
{
    struct mappings mappings;

    init(&mappings, _i == 0 ? 0 : 3000);
    map(&mappings, 1000, 10);
    ck_assert_uint_eq(mappings.bytes, 10);
    mappings_fini(&mappings);
}
END_TEST

/* ---- sites ------------------------------------------------------------- */

START_TEST(mappings_tell_what_is_left_of_each_site)
{
    struct mappings mappings;

    init(&mappings, PAGE);
    map_at(&mappings, 0, 100 * PAGE, 10 * PAGE);
    map_at(&mappings, 1, 104 * PAGE, 2 * PAGE);
    unmap(&mappings, 109 * PAGE, 5 * PAGE);
    mappings_finish(&mappings);
    ck_assert_uint_eq(site_of(&mappings, 0)->calls, 1);
    ck_assert_uint_eq(site_of(&mappings, 0)->bytes, 10 * PAGE);
    ck_assert_uint_eq(site_of(&mappings, 0)->live_ranges, 2);
    ck_assert_uint_eq(site_of(&mappings, 0)->live_bytes, 7 * PAGE);
    ck_assert_uint_eq(site_of(&mappings, 1)->live_ranges, 1);
    ck_assert_uint_eq(site_of(&mappings, 1)->live_bytes, 2 * PAGE);
    mappings_fini(&mappings);
}
END_TEST

START_TEST(mappings_tell_what_each_site_had_at_the_peak)
{
    struct mappings mappings;

    init(&mappings, PAGE);
    map_at(&mappings, 0, 100 * PAGE, 4 * PAGE);
    map_at(&mappings, 1, 200 * PAGE, 3 * PAGE); /* the peak */
    unmap(&mappings, 100 * PAGE, 4 * PAGE);
    map_at(&mappings, 1, 300 * PAGE, 2 * PAGE);
    mappings_finish(&mappings);
    ck_assert_uint_eq(site_of(&mappings, 0)->peak_bytes, 4 * PAGE);
    ck_assert_uint_eq(site_of(&mappings, 0)->peak_ranges, 1);
    ck_assert_uint_eq(site_of(&mappings, 1)->peak_bytes, 3 * PAGE);
    ck_assert_uint_eq(site_of(&mappings, 1)->live_bytes, 5 * PAGE);
    mappings_fini(&mappings);
}
END_TEST

/* Marks are at 0, 64 and 128 stretches; then the stretches double, and the first, third and
 * following marks remain. */
START_TEST(mappings_tell_what_each_site_had_at_the_marks)
{
    static const uint64_t expected_pages[] = {0, 3, 7, 7};
    struct mappings mappings;

    init(&mappings, PAGE);
    mappings_pass_marks(&mappings, 1, 1024);
    map(&mappings, 100 * PAGE, PAGE);
    mappings_pass_marks(&mappings, 2, 1024);
    map(&mappings, 200 * PAGE, 2 * PAGE);
    mappings_pass_marks(&mappings, 3, 1024);
    map(&mappings, 300 * PAGE, 4 * PAGE);
    mappings_pass_marks(&mappings, 4, 2048);
    ck_assert_uint_eq(mappings.marks.count, 4);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_uint_eq(marks_at(&mappings.marks, i, 0), expected_pages[i] * PAGE);
    mappings_fini(&mappings);
}
END_TEST

START_TEST(mappings_of_a_late_site_were_none_before)
{
    struct mappings mappings;

    mappings_init(&mappings, PAGE);
    mappings_pass_marks(&mappings, 5, 1024);
    mappings_add_site(&mappings);
    map(&mappings, 100 * PAGE, PAGE);
    mappings_pass_marks(&mappings, 6, 1024);
    ck_assert_uint_eq(marks_at(&mappings.marks, 4, 0), 0);
    ck_assert_uint_eq(marks_at(&mappings.marks, 5, 0), PAGE);
    mappings_fini(&mappings);
}
END_TEST

/* ---- against a model --------------------------------------------------- */

enum { PAGES = 400, STEPS = 20000, LONGEST = 30 };

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return *state >> 33;
}

/* Pages have the number of their site, from 1 on. */
static uint64_t count_pages(const char pages[PAGES], int site)
{
    uint64_t count = 0;

    for (size_t i = 0; i < PAGES; i++)
        count += site == 0 ? pages[i] != 0 : pages[i] == site;
    return count;
}

START_TEST(mappings_agree_with_a_simple_model_of_pages)
{
    char pages[PAGES] = {0}, peak[PAGES] = {0};
    struct mappings mappings;
    uint64_t state = (uint64_t)_i + 1;

    init(&mappings, PAGE);
    for (int i = 0; i < STEPS; i++) {
        uint64_t count = 1 + next_random(&state) % LONGEST;
        uint64_t page = next_random(&state) % (PAGES - LONGEST);
        int site = (int)(next_random(&state) % 4) - 1; /* none in half of the steps */

        if (site > 0)
            map_at(&mappings, (uint32_t)site - 1, page * PAGE, count * PAGE);
        else
            unmap(&mappings, page * PAGE, count * PAGE);
        memset(pages + page, site > 0 ? site : 0, count);
        if (count_pages(pages, 0) > count_pages(peak, 0))
            memcpy(peak, pages, sizeof peak);
        for (int j = 0; j < SITES; j++)
            ck_assert_uint_eq(site_of(&mappings, (size_t)j)->live_bytes,
                              count_pages(pages, j + 1) * PAGE);
        ck_assert_uint_eq(mappings.bytes, count_pages(pages, 0) * PAGE);
    }
    mappings_finish(&mappings);
    ck_assert_uint_eq(mappings.peak_bytes, count_pages(peak, 0) * PAGE);
    for (int j = 0; j < SITES; j++)
        ck_assert_uint_eq(site_of(&mappings, (size_t)j)->peak_bytes,
                          count_pages(peak, j + 1) * PAGE);
    mappings_fini(&mappings);
}
END_TEST

int check_mappings(void)
{
    Suite *suite = suite_create("mappings");
    TCase *tests = tcase_create("mappings");

    tcase_add_test(tests, parts_of_an_extent_are_visited_by_site);
    tcase_add_test(tests, mappings_count_a_part_of_a_page_whole);
    tcase_add_loop_test(tests, mappings_lose_what_is_unmapped_and_no_more, 0,
                        sizeof unmap_cases / sizeof *unmap_cases);
    tcase_add_test(tests, mappings_replace_what_a_fixed_address_covers);
    tcase_add_loop_test(tests, mappings_follow_what_mremap_does, 0,
                        sizeof remap_cases / sizeof *remap_cases);
    tcase_add_test(tests, mappings_tell_files_and_reserved_addresses_apart);
    tcase_add_loop_test(tests, mappings_count_what_moves_until_it_has_come, 0,
                        sizeof move_cases / sizeof *move_cases);
    tcase_add_loop_test(tests, mappings_survive_extents_of_no_sense, 0,
                        sizeof bad_cases / sizeof *bad_cases);
    tcase_add_loop_test(tests, mappings_do_without_a_page_size_that_is_none, 0, 2);
    tcase_add_test(tests, mappings_tell_what_is_left_of_each_site);
    tcase_add_test(tests, mappings_tell_what_each_site_had_at_the_peak);
    tcase_add_test(tests, mappings_tell_what_each_site_had_at_the_marks);
    tcase_add_test(tests, mappings_of_a_late_site_were_none_before);
    tcase_add_loop_test(tests, mappings_agree_with_a_simple_model_of_pages, 0, 3);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
