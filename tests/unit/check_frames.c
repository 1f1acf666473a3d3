/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of reading Python's frames: other memory is not read as a frame.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "platform/own_stack.h"
#include "python/frames.h"
#include "suite.h"

/* As CPython 3.11's: a state leads to a cframe, and this to a frame and to the cframe before. */
static struct {
    uintptr_t cframe;
} thread, other;

struct cframe {
    uintptr_t frame;
    uintptr_t previous;
};

static void *own_thread(void)
{
    return &thread;
}

static void *other_thread(void)
{
    return &other;
}

static void init(void)
{
    python = (struct python){.own_thread = own_thread, .current_thread = own_thread};
    python.layout.has_cframe = true;
    atomic_store(&python_mode, PYTHON_IS_ON);
}

/* A cframe is linked before it is filled in: it contains whatever was on the stack. */
static uintptr_t find_beyond(uintptr_t previous)
{
    struct cframe cframe = {.frame = 3, .previous = previous};
    struct python_view view = {.asks = true};

    thread.cframe = (uintptr_t)&cframe;
    return python_find_frame(&view);
}

START_TEST(a_cframe_that_is_not_filled_leads_nowhere)
{
    void *gone = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    init();
    ck_assert_ptr_ne(gone, MAP_FAILED);
    ck_assert_uint_eq(find_beyond(0), 0);
    ck_assert_uint_eq(find_beyond(9), 0);
    ck_assert_uint_eq(find_beyond((uintptr_t)gone), 0);
    ck_assert_uint_eq(find_beyond(UINTPTR_MAX - 3), 0);
    munmap(gone, 4096);
}
END_TEST

/* In 3.11 the current state is that of whichever thread has the lock. */
START_TEST(a_current_state_is_ours_where_its_loop_is_on_our_stack)
{
    struct cframe main_one = {.frame = 64}, beside = {.frame = 128};
    struct python_view view = {.asks = false};

    init();
    python.current_thread = other_thread;
    python.is_any_current = true;
    thread.cframe = (uintptr_t)&main_one;
    other.cframe = (uintptr_t)&beside;
    own_stack_set((uintptr_t)&beside, (uintptr_t)(&beside + 1), (uintptr_t)&beside);
    ck_assert_uint_eq(python_find_frame(&view), 128);
    ck_assert(python_is_own((uintptr_t)&other));
    own_stack_set(0, 0, 0);
    ck_assert(!python_is_own((uintptr_t)&other));
    ck_assert_uint_eq(python_find_frame(&view), 64);
}
END_TEST

START_TEST(a_state_is_ours_when_it_was_asked_for)
{
    init();
    find_beyond(0);
    ck_assert(python_is_own((uintptr_t)&thread));
    ck_assert(!python_is_own(0));
}
END_TEST

START_TEST(the_first_page_is_never_read)
{
    struct python_view view = {.asks = true};

    ck_assert(!python_may_read(&view, 9, 8));
    ck_assert(!python_may_read(&view, 4095, 8));
    ck_assert(python_may_read(&view, (uintptr_t)&view, sizeof view));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("frames");
    TCase *tests = tcase_create("frames");

    tcase_add_test(tests, a_cframe_that_is_not_filled_leads_nowhere);
    tcase_add_test(tests, a_current_state_is_ours_where_its_loop_is_on_our_stack);
    tcase_add_test(tests, a_state_is_ours_when_it_was_asked_for);
    tcase_add_test(tests, the_first_page_is_never_read);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
