/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shim's own memory: its resident part is known at any size; and its addresses.
 */
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platform/memory.h"
#include "platform/range.h"
#include "suite.h"

enum { MAPPINGS = 20000, THREADS = 4, ROUNDS = 20000 };

/* At most, for the tables of the mappings, whose pages are touched here and there. */
enum { TABLES_SIZE = 2 << 20 };

static size_t page;

static void *map_touched(size_t pages)
{
    char *memory = memory_map(pages * page);

    ck_assert_ptr_nonnull(memory);
    memset(memory, 1, pages * page);
    return memory;
}

START_TEST(memory_is_told_however_many_mappings_there_are)
{
    static void *mappings[MAPPINGS];
    const uint64_t size = MAPPINGS / 2 * 3 * page;
    uint64_t before = memory_resident(), with;

    for (size_t i = 0; i < MAPPINGS; i++)
        mappings[i] = map_touched(1 + i % 2);
    with = memory_resident();
    ck_assert_uint_ge(with, before + size);
    ck_assert_uint_le(with, before + size + TABLES_SIZE);
    for (size_t i = 0; i < MAPPINGS; i++)
        memory_unmap(mappings[i], (1 + i % 2) * page);
    ck_assert_uint_le(memory_resident(), before + TABLES_SIZE);
}
END_TEST

START_TEST(memory_that_is_not_touched_is_not_resident)
{
    uint64_t before = memory_resident();
    void *memory = memory_map(1000 * page);

    ck_assert_uint_eq(memory_resident(), before);
    memory_unmap(memory, 1000 * page);
}
END_TEST

START_TEST(a_mapping_is_found_by_any_piece_of_it)
{
    char *memory = memory_map(10 * page);
    const uintptr_t start = (uintptr_t)memory;

    ck_assert_uint_eq(memory_find(start, 1).start, start);
    ck_assert_uint_eq(memory_find(start + 10 * page - 1, 1).start, start);
    ck_assert_uint_eq(memory_find(start - page, 20 * page).start, start);
    ck_assert_uint_eq(memory_find(start, 1).size, 10 * page);
    ck_assert_uint_eq(memory_find(start + 10 * page, page).size, 0);
    memory_unmap(memory, 10 * page);
    ck_assert_uint_eq(memory_find(start, 10 * page).size, 0);
}
END_TEST

START_TEST(addresses_are_not_given_again_at_once)
{
    char *first = memory_map(page), *second;

    memory_unmap(first, page);
    second = memory_map(page);
    ck_assert_ptr_ne(first, second);
    memory_unmap(second, page);
}
END_TEST

/* The program's memory is at the next mapping's address, at first unnoticed; then it is noticed. */
START_TEST(where_the_program_maps_nothing_of_ours_is_mapped)
{
    char *first = memory_map(page);
    char *theirs = mmap(first + page, page, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    char *second = memory_map(page), *third;

    ck_assert_ptr_eq(theirs, first + page);
    *theirs = 1;
    ck_assert_uint_ge((uintptr_t)second - (uintptr_t)theirs, 1 << 20);
    ck_assert(range_reaches((uintptr_t)theirs, page));
    range_note_foreign((uintptr_t)second, page);
    third = memory_map(page);
    ck_assert_uint_ge((uintptr_t)third - (uintptr_t)second, 1 << 20);
    ck_assert_int_eq(*theirs, 1);
}
END_TEST

START_TEST(what_the_kernel_places_is_out_of_the_range)
{
    for (int i = 0; i < 100; i++) {
        void *memory = mmap(NULL, page << i % 10, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        ck_assert(!range_reaches((uintptr_t)memory, page));
    }
}
END_TEST

static void *map_and_unmap(void *unused)
{
    for (int i = 0; i < ROUNDS; i++)
        memory_unmap(map_touched(1), page);
    return unused;
}

START_TEST(memory_of_threads_that_map_at_once_adds_up)
{
    uint64_t before = memory_resident();
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, map_and_unmap, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_uint_eq(memory_resident(), before);
}
END_TEST

/* Two pieces of one page, each of its own lines of the cache. */
START_TEST(kept_pieces_lie_side_by_side)
{
    char *first = memory_keep(1), *second = memory_keep(1);

    ck_assert_int_eq(second - first, 64);
    ck_assert_uint_eq((uintptr_t)first % 64, 0);
    ck_assert_uint_eq(memory_find((uintptr_t)first, 1).start,
                      memory_find((uintptr_t)second, 1).start);
}
END_TEST

/* More than one mapping holds. */
START_TEST(kept_pieces_do_not_overlap)
{
    enum { PIECES = 100, SIZE = 300000 };
    static char *pieces[PIECES];

    for (int i = 0; i < PIECES; i++) {
        pieces[i] = memory_keep(SIZE);
        ck_assert_ptr_nonnull(pieces[i]);
        for (size_t at = 0; at < SIZE; at += page)
            ck_assert_int_eq(pieces[i][at], 0);
        memset(pieces[i], i + 1, SIZE);
    }
    for (int i = 0; i < PIECES; i++)
        for (size_t at = 0; at < SIZE; at++)
            if (pieces[i][at] != i + 1)
                ck_abort_msg("piece %d was changed", i);
}
END_TEST

START_TEST(a_large_piece_has_a_mapping_of_its_own)
{
    const size_t size = 32 << 20;
    char *piece = memory_keep(size);

    ck_assert_uint_eq(memory_find((uintptr_t)piece, 1).start, (uintptr_t)piece);
    ck_assert_uint_eq(memory_find((uintptr_t)piece, 1).size, size);
}
END_TEST

/* The child's piece is zeroed, and its next one is behind those of the parent. */
START_TEST(a_fork_wipes_kept_pieces_that_are_to_be_wiped)
{
    char *stays = memory_keep(1), *goes = memory_keep_wiped(1);
    int status;

    *stays = *goes = 1;
    if (fork() == 0)
        _exit(*stays == 1 && *goes == 0 && (char *)memory_keep_wiped(1) > goes ? 0 : 1);
    ck_assert_int_ne(wait(&status), -1);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(*goes, 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("own_memory");
    TCase *tests = tcase_create("own_memory");

    page = (size_t)sysconf(_SC_PAGESIZE);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, memory_is_told_however_many_mappings_there_are);
    tcase_add_test(tests, memory_that_is_not_touched_is_not_resident);
    tcase_add_test(tests, memory_of_threads_that_map_at_once_adds_up);
    tcase_add_test(tests, a_mapping_is_found_by_any_piece_of_it);
    tcase_add_test(tests, addresses_are_not_given_again_at_once);
    tcase_add_test(tests, where_the_program_maps_nothing_of_ours_is_mapped);
    tcase_add_test(tests, what_the_kernel_places_is_out_of_the_range);
    tcase_add_test(tests, kept_pieces_lie_side_by_side);
    tcase_add_test(tests, kept_pieces_do_not_overlap);
    tcase_add_test(tests, a_large_piece_has_a_mapping_of_its_own);
    tcase_add_test(tests, a_fork_wipes_kept_pieces_that_are_to_be_wiped);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
