/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Properties of the process: a key and its value.
 */
#include "model/facts_parts.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "model/session.h"
#include "model/session_process.h"

static void set_number(struct facts *facts, struct facts_payload value, uint64_t *number)
{
    const char *text = facts_keep(facts, value);
    char *end;

    errno = 0;
    unsigned long long read = strtoull(text, &end, 10);
    if (end == text || errno != 0) {
        facts_skip(facts);
        return;
    }
    *number = read;
}

static void set_text(struct facts *facts, struct facts_payload value, const char **text)
{
    *text = facts_keep(facts, value);
}

/* Adds the texts that zero bytes divide. */
static void add_texts(struct facts *facts, struct facts_payload value, struct text_list *list)
{
    while (value.size > 0) {
        const char *text = facts_keep(facts, value);

        text_list_add(list, text);
        size_t size = strlen(text);
        size += size < value.size; /* the zero byte */
        value.bytes += size;
        value.size -= size;
    }
}

enum facts_property_type { FACTS_TEXT, FACTS_TEXTS, FACTS_NUMBER };

/* Which field of the session's process each property goes to. */
static const struct facts_property {
    const char *key;
    size_t offset;
    enum facts_property_type type;
} facts_properties[] = {
    {"command", offsetof(struct session_process, command), FACTS_TEXTS},
    {"program", offsetof(struct session_process, program), FACTS_TEXT},
    {"host", offsetof(struct session_process, host), FACTS_TEXT},
    {"kernel", offsetof(struct session_process, kernel), FACTS_TEXT},
    {"cpu", offsetof(struct session_process, cpu), FACTS_TEXT},
    {"cpu_count", offsetof(struct session_process, cpu_count), FACTS_NUMBER},
    {"memory_limit", offsetof(struct session_process, memory_limit_bytes), FACTS_NUMBER},
    {"memory_total", offsetof(struct session_process, memory_total_bytes), FACTS_NUMBER},
    {"unread", offsetof(struct session_process, unread), FACTS_TEXTS},
    {"objects_left_out", offsetof(struct session_process, objects_left_out), FACTS_NUMBER},
    {"hooks_left_out", offsetof(struct session_process, hooks_left_out), FACTS_NUMBER},
    {"namespace_objects", offsetof(struct session_process, namespace_objects), FACTS_NUMBER},
    {"deep_unseen", offsetof(struct session_process, deep_unseen), FACTS_NUMBER},
    {"labels_refused", offsetof(struct session_process, labels_refused), FACTS_NUMBER},
    {"range_tables_refused", offsetof(struct session_process, range_tables_refused), FACTS_NUMBER},
    {"spans_refused", offsetof(struct session_process, spans_refused), FACTS_NUMBER},
    {"device_times", offsetof(struct session_process, device_times), FACTS_NUMBER},
    {"device_times_unmatched", offsetof(struct session_process, device_times_unmatched),
     FACTS_NUMBER},
    {"device_times_left_out", offsetof(struct session_process, device_times_left_out),
     FACTS_NUMBER},
    {"device_readings", offsetof(struct session_process, device_readings), FACTS_NUMBER},
    {"device_unread", offsetof(struct session_process, device_unread), FACTS_TEXTS},
    {"python_unread", offsetof(struct session_process, python_unread), FACTS_NUMBER},
    {"python_objects", offsetof(struct session_process, python_objects), FACTS_NUMBER},
    {"codes_refused", offsetof(struct session_process, codes_refused), FACTS_NUMBER},
    {"imported", offsetof(struct session_process, imported), FACTS_TEXT},
    {"thread", offsetof(struct session_process, thread_names), FACTS_TEXTS},
    {"directory", offsetof(struct session_process, directory), FACTS_TEXT},
    {"environment", offsetof(struct session_process, environment), FACTS_TEXTS},
    {"option", offsetof(struct session_process, options), FACTS_TEXTS},
    {"allocator", offsetof(struct session_process, allocator), FACTS_TEXT},
    {"malloc_owner", offsetof(struct session_process, malloc_owner), FACTS_TEXT},
    {"shm_left", offsetof(struct session_process, shm_left), FACTS_TEXT},
    {"threads_at_end", offsetof(struct session_process, threads_at_end), FACTS_NUMBER},
    {"snapshot_obstacle", offsetof(struct session_process, snapshot_obstacle), FACTS_TEXT},
#define CONDITION(id, key, title, help)                                                            \
    {key, offsetof(struct session_process, conditions[TRACE_CONDITION_##id]), FACTS_TEXT},
#include "spec/conditions.def"
#undef CONDITION
};

static void set_property(struct facts *facts, const struct facts_property *property,
                         struct facts_payload value)
{
    void *field = (char *)&facts->session->process + property->offset;

    switch (property->type) {
    case FACTS_TEXT: set_text(facts, value, field); return;
    case FACTS_TEXTS: add_texts(facts, value, field); return;
    case FACTS_NUMBER: set_number(facts, value, field); return;
    }
}

/* An unknown key is no mistake: a later tprof may write more. */
enum status facts_read_property(struct facts *facts, struct facts_payload payload)
{
    size_t length = strnlen(payload.bytes, payload.size);

    if (length == payload.size) {
        facts_skip(facts);
        return STATUS_OK;
    }
    struct facts_payload value = {payload.bytes + length + 1, payload.size - length - 1};
    for (size_t i = 0; i < sizeof facts_properties / sizeof *facts_properties; i++)
        if (strcmp(payload.bytes, facts_properties[i].key) == 0) {
            set_property(facts, &facts_properties[i], value);
            return STATUS_OK;
        }
    return STATUS_OK;
}
