/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The devices of a run as quantities of the whole, each summed over the devices.
 */
#include "runs/run_devices.h"

#include "devices/block_rows.h"
#include "model/busy.h"
#include "model/session.h"
#include "model/session_unknown.h"
#include "runs/run.h"

/* What all devices were asked for. */
struct asked {
    uint64_t commands; /* without those that failed, which have no times */
    uint64_t copied_bytes;
};

static struct asked sum_asked(const struct session_devices *devices)
{
    struct asked asked = {0};

    for (size_t i = 0; i < devices->sums.count; i++) {
        const struct session_command_sum *sum = session_command_sum_at(devices, i);

        if (sum->queue == SESSION_NONE || !busy_is_work(sum->kind))
            continue;
        asked.commands += sum->calls - sum->failed;
        if (session_command_copies(sum->kind))
            asked.copied_bytes += sum->bytes;
    }
    return asked;
}

/* The busy time of some commands is no busy time. */
static void set_busy(struct run_row *row, const struct session *session, uint64_t commands)
{
    uint64_t timed = 0;
    double busy_ns = 0;
    struct busy busy;

    busy_take_all(&busy);
    for (uint32_t i = 0; i < session->devices.devices.count; i++) {
        busy_measure(&busy, session, i);
        array_fini(&busy.gaps);
        busy_ns += busy.busy_ns;
        timed += busy.commands;
    }
    if (timed == commands)
        row->values[RUN_DEVICE_BUSY] = busy_ns;
}

static void set_peak(struct run_row *row, const struct session *session)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < session->devices.devices.count; i++)
        bytes += block_rows_most(session, i);
    if (bytes > 0)
        row->values[RUN_DEVICE_PEAK] = (double)bytes;
}

void run_set_devices(struct run_row *row, const struct session *session)
{
    const struct asked asked = sum_asked(&session->devices);

    set_peak(row, session);
    if (asked.commands == 0)
        return;
    row->values[RUN_DEVICE_COPIED] = (double)asked.copied_bytes;
    set_busy(row, session, asked.commands);
}
