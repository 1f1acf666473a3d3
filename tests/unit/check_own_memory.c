/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shim's own memory: what of it is resident is told, however much there is.
 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "platform/memory.h"
#include "suite.h"

enum { MAPPINGS = 20000, THREADS = 4, ROUNDS = 20000 };

/* At most, of the tables that hold the mappings, whose pages are touched here and there. */
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

int main(void)
{
    Suite *suite = suite_create("own_memory");
    TCase *tests = tcase_create("own_memory");

    page = (size_t)sysconf(_SC_PAGESIZE);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, memory_is_told_however_many_mappings_there_are);
    tcase_add_test(tests, memory_that_is_not_touched_is_not_resident);
    tcase_add_test(tests, memory_of_threads_that_map_at_once_adds_up);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
