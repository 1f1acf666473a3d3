/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The conditions of TPROF_KEEP, such as request>2s,heap>90%,step>3x,signal.
 */
#include "record/settings_parts.h"

#include <string.h>

enum { CONDITION_SIZE = 48, HUNDREDTHS = 100, TIMES_MOST = 1000000 };

static const char *const words[] = {
#define INCIDENT_CAUSE(cause, word, example, help) word,
#include "spec/incident_causes.def"
#undef INCIDENT_CAUSE
};

/* "3x", "2.5x", in hundredths. */
static bool read_times(const char *text, uint64_t *value)
{
    text = settings_read_decimal(text, HUNDREDTHS, TIMES_MOST, value);
    return text && strcmp(text, "x") == 0 && *value > HUNDREDTHS;
}

static bool read_heap(const char *text)
{
    size_t size = strlen(text);

    if (size > 0 && text[size - 1] == '%')
        return settings_read_millionths(text, &settings.keep_share_ppm);
    return settings_read_size(text, &settings.keep[TRACE_INCIDENT_HEAP]);
}

/* `limit`: behind the comparison; NULL: there is none. */
static bool read_limit(enum trace_incident_cause cause, const char *limit)
{
    uint64_t *value = &settings.keep[cause];

    switch (cause) {
    case TRACE_INCIDENT_REQUEST: return limit && settings_read_duration(limit, value) && *value > 0;
    case TRACE_INCIDENT_HEAP:
        return limit && read_heap(limit) && (*value > 0 || settings.keep_share_ppm > 0);
    case TRACE_INCIDENT_STEP: return limit && read_times(limit, value);
    case TRACE_INCIDENT_SIGNAL:
    case TRACE_INCIDENT_SNAPSHOT: return !limit;
    case TRACE_INCIDENT_CAUSES: break;
    }
    return false;
}

/* Each cause has one condition. */
static bool read_condition(char *text)
{
    char *limit = strchr(text, '>');

    if (limit)
        *limit++ = '\0';
    for (int i = 0; i < TRACE_INCIDENT_CAUSES; i++)
        if (strcmp(text, words[i]) == 0) {
            bool is_first = !settings.keeps[i];

            settings.keeps[i] = true;
            return is_first && read_limit((enum trace_incident_cause)i, limit);
        }
    return false;
}

static bool read_conditions(const char *text)
{
    char condition[CONDITION_SIZE];

    for (;;) {
        size_t size = strcspn(text, ",");

        if (size >= sizeof condition)
            return false;
        memcpy(condition, text, size);
        condition[size] = '\0';
        if (!read_condition(condition))
            return false;
        if (text[size] == '\0')
            return true;
        text += size + 1;
    }
}

static void forget(void)
{
    memset(settings.keep, 0, sizeof settings.keep);
    memset(settings.keeps, 0, sizeof settings.keeps);
    settings.keep_share_ppm = 0;
}

void settings_read_keep(void)
{
    const char *text = settings.text[SETTING_KEEP];

    forget();
    if (text[0] == '\0' || read_conditions(text))
        return;
    forget();
    settings_note_mistake(SETTING_KEEP,
                          "conditions such as request>2s,heap>90%,step>3x,signal,snapshot");
}

void settings_check_keep(void)
{
    if (settings.keeps[TRACE_INCIDENT_SIGNAL] && settings.snapshot_signal == 0)
        settings_note_mistake(SETTING_KEEP, "TPROF_SNAPSHOT_SIGNAL beside signal");
    else if (settings.keeps[TRACE_INCIDENT_REQUEST] && settings.requests == SETTINGS_REQUESTS_OFF)
        settings_note_mistake(SETTING_KEEP, "no TPROF_REQUESTS=off beside request");
    else
        return;
    forget();
}
