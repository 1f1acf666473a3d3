/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keeping errno and the vector registers on slow sides.
 */
#include "record/slow.h"

#include <errno.h>

#include "platform/aside.h"
#include "platform/calls.h"
#include "platform/clock.h"
#include "record/process.h"

/* No system call is made in a sandbox. */
static uint64_t read_cpu_ns(void)
{
    return process_is_sandboxed() ? 0 : calls_clock(CLOCK_THREAD_CPUTIME_ID) + aside_cpu_ns;
}

/* On a full machine a thread may lose its processor in the middle: this made up 8 s of the count in
 * a run of 18 s.  In a time that is as short as the reading itself, there is little to lose. */
static uint64_t ticks_since(const struct slow *slow)
{
    enum { SHORT_NS = 10000 };
    uint64_t passed = clock_read() - slow->start;
    bool is_short = passed < clock_ticks_of(SHORT_NS);
    uint64_t cpu_ns = slow->cpu_ns != 0 && !is_short ? read_cpu_ns() : 0;
    uint64_t ran = cpu_ns > slow->cpu_ns ? clock_ticks_of(cpu_ns - slow->cpu_ns) : passed;

    return ran < passed ? ran : passed;
}

void slow_begin_unread(struct slow *slow)
{
    vectors_save(&slow->vectors);
    slow->saved_errno = errno;
    slow->cpu_ns = 0;
    slow->start = clock_read();
}

void slow_begin(struct slow *slow)
{
    slow_begin_unread(slow);
    slow->cpu_ns = read_cpu_ns();
}

void slow_end(const struct slow *slow)
{
    process_add_slow_ticks(ticks_since(slow));
    errno = slow->saved_errno;
    vectors_restore(&slow->vectors);
}
