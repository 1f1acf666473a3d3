/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of reading Python's frames: what is no frame is not read.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "python/frames.h"
#include "python/runtime.h"
#include "suite.h"

/* What the frames end with; nothing here does. */
void python_end(enum trace_python_off reason)
{
    ck_abort_msg("ended for reason %d", (int)reason);
}

/* As CPython 3.11's: a state leads to a cframe, and this to a frame and to the cframe before. */
static struct {
    uintptr_t cframe;
    uintptr_t thread;
} thread;

struct cframe {
    uintptr_t frame;
    uintptr_t previous;
};

static void *own_thread(void)
{
    return &thread;
}

static void init(void)
{
    python = (struct python){.own_thread = own_thread, .current_thread = own_thread};
    python.layout.has_cframe = true;
    python.layout.thread_id = sizeof thread.cframe;
    thread.thread = (uintptr_t)pthread_self();
    atomic_store(&python_mode, PYTHON_IS_ON);
}

/* A cframe is linked before it is filled: whatever stood on the stack stands in it. */
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

START_TEST(a_state_that_another_thread_has_now_is_not_ours)
{
    init();
    find_beyond(0);
    ck_assert(python_is_own((uintptr_t)&thread));
    ck_assert(!python_is_own(0));
    thread.thread++;
    ck_assert(!python_is_own((uintptr_t)&thread));
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
    tcase_add_test(tests, a_state_that_another_thread_has_now_is_not_ours);
    tcase_add_test(tests, the_first_page_is_never_read);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
