/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Taking a reading when the interval has passed.
 *
 * Decision: doc/decisions/readings-without-a-timer.
 */
#include "sampler/reading.h"

#include <stdatomic.h>

#include "platform/clock.h"
#include "record/budget.h"
#include "record/extended.h"
#include "record/process.h"
#include "record/resident.h"
#include "record/surroundings.h"
#include "record/usage.h"

uint64_t reading_look_up(struct lane *lane, uint64_t now)
{
    uint64_t now_ns = clock_monotonic();
    uint64_t due_ns = atomic_load(&process->next_reading_ns);
    struct usage usage;

    uint64_t interval_ns = budget_interval_ns();

    if (interval_ns == 0)
        return UINT64_MAX;
    if (now_ns < due_ns)
        return now + clock_ticks_of(due_ns - now_ns);
    /* Of the threads that come now, one wins the reading. */
    if (atomic_compare_exchange_strong(&process->next_reading_ns, &due_ns,
                                       now_ns + interval_ns)) {
        usage = usage_read(lane->thread);
        extended_write(lane, now, TRACE_EXTENDED_READING, (const uint64_t *)&usage.reading,
                       sizeof usage.reading / sizeof(uint64_t));
        usage_write_beside(lane, &usage);
        surroundings_publish(now, &usage.reading);
        surroundings_write(lane);
        resident_write(lane, &usage.reading, RESIDENT_BY_INTERVAL);
        budget_note_reading(clock_read() - now);
    }
    return now + clock_ticks_of(interval_ns);
}
