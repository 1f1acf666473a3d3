/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Metrics that the program tells: the last value of each.
 */
#include "model/events_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "model/session_process.h"

struct events_metric {
    const char *name; /* kept once: its address is the key */
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
    struct events_metric *entry = metric ? calloc(1, sizeof *entry) : NULL;

    if (!entry)
        return NULL;
    metric->name = name;
    entry->name = name;
    entry->index = events->session->metrics.count - 1;
    HASH_ADD_PTR(events->metrics, name, entry);
    if (hash_was_added(&entry->hh))
        return entry;
    free(entry);
    return NULL;
}

enum status events_on_metric(struct events *events, const struct reader_event *event)
{
    const char *name = facts_string(events->from.facts, event->words[0]);
    struct events_metric *entry;

    HASH_FIND_PTR(events->metrics, &name, entry);
    if (!entry)
        entry = add_metric(events, name);
    if (!entry)
        return STATUS_OUT_OF_MEMORY;
    struct session_metric *metric = array_at(&events->session->metrics, entry->index);
    memcpy(&metric->value, &event->words[1], sizeof metric->value);
    metric->count++;
    return STATUS_OK;
}
