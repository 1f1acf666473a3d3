/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of asking which memory can be read.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "platform/readable.h"
#include "suite.h"

static size_t page_size;

static char *map(int protection)
{
    char *pages = mmap(NULL, 3 * page_size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    ck_assert_ptr_ne(pages, MAP_FAILED);
    return pages;
}

static uintptr_t address_of(const char *pages, size_t offset)
{
    return (uintptr_t)pages + offset;
}

static bool ask_lately(uintptr_t address, size_t size)
{
    struct readable_search search = readable_begin();

    return readable_lately(&search, address, size);
}

static void setup(void)
{
    page_size = (size_t)sysconf(_SC_PAGESIZE);
}

START_TEST(bytes_can_be_read_where_all_their_pages_can)
{
    char *pages = map(PROT_READ | PROT_WRITE);

    ck_assert_int_eq(mprotect(pages + page_size, page_size, PROT_NONE), 0);
    pages[0] = pages[2 * page_size] = 1;
    errno = ERANGE;
    ck_assert(readable(address_of(pages, 0), page_size));
    ck_assert(!readable(address_of(pages, 0), page_size + 1));
    ck_assert(readable_at_once(address_of(pages, page_size - 1), 1));
    ck_assert(!readable_at_once(address_of(pages, page_size - 1), 2));
    ck_assert(!readable_at_once(address_of(pages, 0), 3 * page_size));
    ck_assert(ask_lately(address_of(pages, 2 * page_size), page_size));
    ck_assert(!ask_lately(address_of(pages, page_size - 1), 2));
    ck_assert_int_eq(errno, ERANGE);
    munmap(pages, 3 * page_size);
    ck_assert(!readable(address_of(pages, 0), 1));
    ck_assert(!readable_at_once(address_of(pages, 0), 1));
}
END_TEST

/* The server that should deliver it may never answer. */
START_TEST(a_page_that_is_not_in_memory_cannot_be_read_at_once)
{
    char *pages = map(PROT_READ | PROT_WRITE);

    pages[0] = 1;
    ck_assert(readable_at_once(address_of(pages, 0), page_size));
    ck_assert(!readable_at_once(address_of(pages, page_size), 1));
    pages[page_size] = 1;
    ck_assert(readable_at_once(address_of(pages, 0), 2 * page_size));
    munmap(pages, 3 * page_size);
}
END_TEST

START_TEST(a_permission_that_is_taken_away_is_noticed_at_once)
{
    char *pages = map(PROT_READ | PROT_WRITE);

    pages[0] = 1;
    ck_assert(readable_at_once(address_of(pages, 0), 1));
    ck_assert_int_eq(mprotect(pages, page_size, PROT_NONE), 0);
    ck_assert(!readable_at_once(address_of(pages, 0), 1));
    munmap(pages, 3 * page_size);
}
END_TEST

START_TEST(it_is_noticed_in_tables_after_some_milliseconds)
{
    char *pages = map(PROT_READ | PROT_WRITE);

    ck_assert(ask_lately(address_of(pages, 0), 1));
    ck_assert_int_eq(mprotect(pages, page_size, PROT_NONE), 0);
    usleep(10000);
    ck_assert(!ask_lately(address_of(pages, 0), 1));
    munmap(pages, 3 * page_size);
}
END_TEST

START_TEST(what_wraps_is_no_range)
{
    ck_assert(!readable(UINTPTR_MAX - 3, 8));
    ck_assert(!readable_at_once(UINTPTR_MAX - 3, 8));
    ck_assert(!ask_lately(UINTPTR_MAX - 3, 8));
    ck_assert(!readable_at_once(0, 8));
    ck_assert(!ask_lately(0, 8));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("readable");
    TCase *tests = tcase_create("readable");

    suite_add_tcase(suite, tests);
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, bytes_can_be_read_where_all_their_pages_can);
    tcase_add_test(tests, a_page_that_is_not_in_memory_cannot_be_read_at_once);
    tcase_add_test(tests, a_permission_that_is_taken_away_is_noticed_at_once);
    tcase_add_test(tests, it_is_noticed_in_tables_after_some_milliseconds);
    tcase_add_test(tests, what_wraps_is_no_range);
    return suite_run(suite);
}
