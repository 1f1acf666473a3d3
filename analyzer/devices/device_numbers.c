/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums of the readings of devices, and their words.
 */
#include "devices/device_numbers.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "devices/texts.h"
#include "model/session.h"
#include "model/session_process.h"

static const struct number_row {
    const char *key, *unit, *help;
} numbers[TRACE_DEVICE_NUMBERS] = {
#define DEVICE_NUMBER(number, key, unit, help) {key, unit, help},
#include "spec/device_numbers.def"
#undef DEVICE_NUMBER
};

static const struct throttle {
    uint64_t bit;
    bool is_slowed;
    const char *words;
} throttles[] = {
#define THROTTLE(bit, is_slowed, words) {bit, is_slowed, words},
#include "devices/throttles.def"
#undef THROTTLE
};

static const struct device_state {
    const char *key, *words;
} states[] = {
#define DEVICE_READINGS(state, key, words) {key, words},
#include "spec/device_readings.def"
#undef DEVICE_READINGS
};

enum {
#define DEVICE_READINGS(state, key, words) STATE_##state,
#include "spec/device_readings.def"
#undef DEVICE_READINGS
};

static const struct device_status {
    long status;
    const char *words;
} statuses[] = {
#define DEVICE_STATUS(status, words) {status, words},
#include "devices/device_statuses.def"
#undef DEVICE_STATUS
};

/* ---- sums ----------------------------------------------------------------- */

static void add(struct device_number_sum *sum, const struct session_device_number *reading)
{
    if (sum->count == 0)
        sum->least = sum->highest = reading->value;
    if (reading->value < sum->least)
        sum->least = reading->value;
    if (reading->value > sum->highest)
        sum->highest = reading->value;
    sum->count++;
    sum->last = reading->value;
    sum->most = reading->most;
    sum->bits |= reading->value;
}

void device_number_sum(struct device_number_sum *sum, const struct session *session,
                       uint32_t device, enum trace_device_number number)
{
    const struct session_device_number *reading = session->devices.numbers.items;
    double product = 0, ns = 0;
    uint64_t before_ns = 0;

    *sum = (struct device_number_sum){0};
    for (size_t i = 0; i < session->devices.numbers.count; i++) {
        if (reading[i].device != device || reading[i].number != number)
            continue;
        if (sum->count > 0 && reading[i].time_ns > before_ns) {
            product += (double)reading[i].value * (double)(reading[i].time_ns - before_ns);
            ns += (double)(reading[i].time_ns - before_ns);
        }
        before_ns = reading[i].time_ns;
        add(sum, &reading[i]);
    }
    sum->mean = ns > 0 ? product / ns : (double)sum->last;
}

bool device_has_numbers(const struct session *session, uint32_t device)
{
    const struct session_device_number *reading = session->devices.numbers.items;

    for (size_t i = 0; i < session->devices.numbers.count; i++)
        if (reading[i].device == device)
            return true;
    return false;
}

/* ---- words ---------------------------------------------------------------- */

const char *device_number_key(enum trace_device_number number)
{
    return numbers[number].key;
}

const char *device_number_unit(enum trace_device_number number)
{
    return numbers[number].unit;
}

const char *device_number_help(enum trace_device_number number)
{
    return numbers[number].help;
}

/* Returns: those of the reasons that are a lack of power or of cooling. */
static uint64_t slowing(uint64_t reasons)
{
    uint64_t slowing = 0;

    for (size_t i = 0; i < sizeof throttles / sizeof *throttles; i++)
        if (throttles[i].is_slowed)
            slowing |= reasons & throttles[i].bit;
    return slowing;
}

bool device_is_slowed(uint64_t reasons)
{
    return slowing(reasons) != 0;
}

static void append_throttles(struct text *text, uint64_t reasons)
{
    const char *comma = "";

    for (size_t i = 0; i < sizeof throttles / sizeof *throttles; i++) {
        if (!(reasons & throttles[i].bit))
            continue;
        text_appendf(text, "%s%s", comma, throttles[i].words);
        comma = ", ";
    }
    if (*comma == '\0')
        text_append(text, reasons == 0 ? "nothing" : "another reason");
}

void device_number_append(struct text *text, enum trace_device_number number, double value)
{
    char buffer[UNITS_SIZE];

    switch (number) {
    case TRACE_DEVICE_UTILISATION:
    case TRACE_DEVICE_MEMORY_UTILISATION:
        text_append(text, units_format_percent(buffer, value / 100));
        return;
    case TRACE_DEVICE_MEMORY_USED:
    case TRACE_DEVICE_MEMORY_USED_OWN: text_append(text, units_format_bytes(buffer, value)); return;
    case TRACE_DEVICE_TEMPERATURE: text_appendf(text, "%.0f °C", value); return;
    case TRACE_DEVICE_POWER: text_appendf(text, "%.0f W", value / 1000); return;
    case TRACE_DEVICE_CLOCK:
    case TRACE_DEVICE_MEMORY_CLOCK: text_appendf(text, "%.0f MHz", value); return;
    case TRACE_DEVICE_THROTTLE: append_throttles(text, (uint64_t)value); return;
    case TRACE_DEVICE_NUMBERS: return;
    }
}

/* ---- reasons -------------------------------------------------------------- */

static const struct device_state *find_state(const struct session *session, uint32_t device)
{
    uint32_t api = session_device_at(&session->devices, device)->fact.api;
    uint64_t state =
        api == TRACE_DEVICE_API_HIP ? STATE_NO_INTERFACE : session->process.device_readings;

    if ((api != TRACE_DEVICE_API_CUDA && api != TRACE_DEVICE_API_HIP) ||
        device_has_numbers(session, device) || state >= sizeof states / sizeof *states)
        return NULL;
    return &states[state];
}

const char *device_unread_key(const struct session *session, uint32_t device)
{
    const struct device_state *state = find_state(session, device);

    return state ? state->key : NULL;
}

/* Devices are read, but this one was not: it came late, or the process is a forked child. */
static bool is_late(const struct device_state *state)
{
    return state == &states[STATE_HAD];
}

/* A fact "DEVICE KEY STATUS".  Returns: the status; -1 without one. */
static long find_status(const struct session *session, uint32_t device,
                        enum trace_device_number number)
{
    const struct text_list *unread = &session->process.device_unread;
    unsigned long id = (unsigned long)session_device_at(&session->devices, device)->fact.id;
    size_t size = strlen(numbers[number].key);

    for (size_t i = 0; i < text_list_count(unread); i++) {
        char *rest;

        if (strtoul(text_list_at(unread, i), &rest, 10) == id && *rest == ' ' &&
            strncmp(rest + 1, numbers[number].key, size) == 0 && rest[1 + size] == ' ')
            return strtol(rest + 1 + size, NULL, 10);
    }
    return -1;
}

static void append_status(struct text *text, long status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].status == status) {
            text_append(text, statuses[i].words);
            return;
        }
    if (status >= 0)
        say(text, devices_status_text, said_count((uint64_t)status));
    else
        say(text, devices_unread_text);
}

const char *device_unread_reason(const struct session *session, uint32_t device)
{
    const struct device_state *state = find_state(session, device);

    if (!state)
        return NULL;
    return is_late(state) ? devices_unread_text.words : state->words;
}

void device_number_append_reason(struct text *text, const struct session *session, uint32_t device,
                                 enum trace_device_number number)
{
    const struct device_state *state = find_state(session, device);
    long status = find_status(session, device, number);

    if (state && !is_late(state))
        text_append(text, state->words);
    else
        append_status(text, status);
}

/* ---- a line --------------------------------------------------------------- */

/* Start a part of the line.  Returns: whether the device has the number. */
static bool begin_part(struct text *text, struct device_number_sum *sum,
                       const struct session *session, uint32_t device,
                       enum trace_device_number number)
{
    device_number_sum(sum, session, device, number);
    if (sum->count > 0 && text->size > 0)
        text_append(text, ", ");
    return sum->count > 0;
}

static void append_memory(struct text *text, const struct device_number_sum *sum)
{
    if (sum->most > 0)
        say(text, devices_memory_of_text, said_bytes((double)sum->highest),
            said_bytes((double)sum->most));
    else
        say(text, devices_memory_text, said_bytes((double)sum->highest));
}

static void append_value(struct text *text, enum trace_device_number number, double value,
                         const char *words)
{
    device_number_append(text, number, value);
    text_appendf(text, " %s", words);
}

void device_numbers_append(struct text *text, const struct session *session, uint32_t device)
{
    struct device_number_sum sum;

    if (begin_part(text, &sum, session, device, TRACE_DEVICE_UTILISATION))
        append_value(text, TRACE_DEVICE_UTILISATION, sum.mean, devices_busy_text.words);
    if (begin_part(text, &sum, session, device, TRACE_DEVICE_MEMORY_USED))
        append_memory(text, &sum);
    if (begin_part(text, &sum, session, device, TRACE_DEVICE_TEMPERATURE))
        append_value(text, TRACE_DEVICE_TEMPERATURE, (double)sum.highest, devices_most_text.words);
    if (begin_part(text, &sum, session, device, TRACE_DEVICE_POWER))
        append_value(text, TRACE_DEVICE_POWER, sum.mean, devices_mean_text.words);
    device_number_sum(&sum, session, device, TRACE_DEVICE_THROTTLE);
    if (!device_is_slowed(sum.bits))
        return;
    text_append(text, text->size > 0 ? ", " : "");
    text_append(text, devices_slowed_text.words);
    append_throttles(text, slowing(sum.bits));
}
