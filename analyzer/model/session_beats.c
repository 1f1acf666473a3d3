/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looking up beats.
 */
#include "model/session_beats.h"

#include "model/session.h"

static int compare_time(const void *item, const void *key)
{
    uint64_t time_ns = ((const struct session_beat *)item)->time_ns;
    uint64_t other = *(const uint64_t *)key;

    return (time_ns > other) - (time_ns < other);
}

size_t session_find_beat(const struct session *session, uint64_t time_ns)
{
    const struct session_beat *beat = session->beats.items;
    size_t index = array_first_from(&session->beats, &time_ns, compare_time);

    return index < session->beats.count && beat[index].time_ns == time_ns ? index : SIZE_MAX;
}
