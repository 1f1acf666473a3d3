/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Metrics that the program reports: the last value of each.
 */
#include "base/memory.h"
#include "model/events_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "model/session_process.h"

struct events_metric {
    const char *name; /* stored once: its address is the key */
    size_t index;
    UT_hash_handle hh;
};

void events_free_metrics(struct events *events)
{
    struct events_metric *metric;
    struct events_metric *next;

    HASH_ITER(hh, events->metrics, metric, next)
    {
        HASH_DEL(events->metrics, metric);
        free(metric);
    }
}

static struct events_metric *add_metric(struct events *events, const char *name)
{
    struct session_metric *metric = array_add(&events->session->metrics);
    struct events_metric *entry = memory_get_zeros(1, sizeof *entry);

    metric->name = name;
    entry->name = name;
    entry->index = events->session->metrics.count - 1;
    HASH_ADD_PTR(events->metrics, name, entry);
    return entry;
}

void events_on_metric(struct events *events, const struct reader_event *event)
{
    const char *name = facts_string(events->from.facts, event->words[0]);
    struct events_metric *entry;

    HASH_FIND_PTR(events->metrics, &name, entry);
    if (!entry)
        entry = add_metric(events, name);
    struct session_metric *metric = array_at(&events->session->metrics, entry->index);
    memcpy(&metric->value, &event->words[1], sizeof metric->value);
    metric->count++;
}
