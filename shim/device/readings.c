/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes the readings of devices.
 */
#include "device/readings.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "device/state.h"
#include "platform/clock.h"
#include "record/extended.h"
#include "record/facts.h"
#include "record/lane.h"
#include "record/process.h"
#include "spec/device_latest.h"

static const char *const keys[TRACE_DEVICE_NUMBERS] = {
#define DEVICE_NUMBER(number, key, unit, help) key,
#include "spec/device_numbers.def"
#undef DEVICE_NUMBER
};

/* A number that the first reading of a device did not have. */
static struct missing {
    uint8_t device;
    uint8_t number;
    uint16_t status;
} missing[DEVICES_MAX * TRACE_DEVICE_NUMBERS];

static atomic_uint missing_count; /* of complete rows */
static bool is_noted[DEVICES_MAX + 1];

_Static_assert(DEVICES_MAX < UINT8_MAX, "a device has a byte");

static void note_missing(uint32_t device, const struct device_readings *readings)
{
    unsigned count = atomic_load_explicit(&missing_count, memory_order_relaxed);

    is_noted[device] = true;
    for (unsigned i = 0; i < TRACE_DEVICE_NUMBERS; i++)
        if (readings->statuses[i] != 0)
            missing[count++] = (struct missing){(uint8_t)device, (uint8_t)i, readings->statuses[i]};
    atomic_store_explicit(&missing_count, count, memory_order_release);
    facts_flush_now();
}

/* ---- for those who watch --------------------------------------------------------- */

static char *latest[DEVICES_MAX + 1]; /* values in the trace; NULL: not there yet */

static void format(char line[DEVICE_LATEST_SIZE + 1], uint32_t device,
                   const struct device_readings *readings, uint64_t now)
{
    uint64_t fields[DEVICE_LATEST_FIELDS];

    fields[DEVICE_LATEST_BEGUN] = fields[DEVICE_LATEST_DONE] = now;
    fields[DEVICE_LATEST_DEVICE] = device;
    for (unsigned i = 0; i < TRACE_DEVICE_NUMBERS; i++) {
        fields[DEVICE_LATEST_VALUES + i] =
            readings->statuses[i] == 0 ? readings->values[i] : UINT64_MAX;
        fields[DEVICE_LATEST_MOST + i] = readings->most[i];
    }
    for (unsigned i = 0; i < DEVICE_LATEST_FIELDS; i++)
        snprintf(line + i * DEVICE_LATEST_WIDTH, DEVICE_LATEST_WIDTH + 1, "%020llu ",
                 (unsigned long long)fields[i]);
}

static void add_latest(uint32_t device, const char *line)
{
    static const char key[] = DEVICE_LATEST_KEY;
    char *fact = NULL;

    lock_take(&process->lock);
    if (process->file.is_kept && !process->file.is_cut)
        fact = facts_write(TRACE_FACT_PROPERTY, key, sizeof key, line, DEVICE_LATEST_SIZE);
    lock_release(&process->lock);
    latest[device] = fact ? fact + sizeof key : NULL;
}

/* One thread at a time.  A reader that meets two different ticks leaves the rest. */
static void tell_latest(uint32_t device, const struct device_readings *readings, uint64_t now)
{
    char line[DEVICE_LATEST_SIZE + 1];
    char *to = latest[device];

    format(line, device, readings, now);
    if (!to) {
        add_latest(device, line);
        return;
    }
    memcpy(to, line, DEVICE_LATEST_WIDTH);
    atomic_thread_fence(memory_order_seq_cst);
    memcpy(to + DEVICE_LATEST_WIDTH, line + DEVICE_LATEST_WIDTH,
           DEVICE_LATEST_SIZE - 2 * DEVICE_LATEST_WIDTH);
    atomic_thread_fence(memory_order_seq_cst);
    memcpy(to + DEVICE_LATEST_SIZE - DEVICE_LATEST_WIDTH,
           line + DEVICE_LATEST_SIZE - DEVICE_LATEST_WIDTH, DEVICE_LATEST_WIDTH);
}

/* All have the time of the last one. */
void readings_write(uint32_t device, const struct device_readings *readings)
{
    struct lane *lane = lane_enter();
    uint64_t now = clock_read();

    if (!lane)
        return;
    for (unsigned i = 0; i < TRACE_DEVICE_NUMBERS; i++) {
        const uint64_t words[3] = {device | (uint64_t)i << 32, readings->values[i],
                                   readings->most[i]};

        if (readings->statuses[i] == 0)
            extended_write(lane, now, TRACE_EXTENDED_DEVICE_NUMBER, words, 3);
    }
    if (!is_noted[device])
        note_missing(device, readings);
    tell_latest(device, readings, now);
    lane_leave(lane);
}

/* "DEVICE KEY STATUS" */
static bool write_missing(unsigned index)
{
    const struct missing *row = &missing[index];
    char line[64];

    snprintf(line, sizeof line, "%u %s %u", (unsigned)row->device, keys[row->number],
             (unsigned)row->status);
    return facts_write_text("device_unread", line);
}

bool readings_write_facts(unsigned *written)
{
    return facts_write_list(written, atomic_load_explicit(&missing_count, memory_order_acquire),
                            write_missing);
}
