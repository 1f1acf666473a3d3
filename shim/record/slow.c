/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keeping errno and the vector registers on slow sides.
 */
#include "record/slow.h"

#include <errno.h>

#include "platform/clock.h"
#include "record/process.h"

void slow_begin(struct slow *slow)
{
    vectors_save(&slow->vectors);
    slow->saved_errno = errno;
    slow->start = clock_read();
}

void slow_end(const struct slow *slow)
{
    process_add_slow_ticks(clock_read() - slow->start);
    errno = slow->saved_errno;
    vectors_restore(&slow->vectors);
}
