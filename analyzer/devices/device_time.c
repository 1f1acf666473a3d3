/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time that passed, by device.
 *
 * Each moment has one owner: the devices that ran then, in equal parts, or else the host.  So self
 * shares sum to 100 %, and a device's busy share tells how much of the time it was used.
 */
#include "devices/device_time.h"

#include "base/pool.h"
#include "devices/gaps.h"
#include "devices/stretch.h"
#include "devices/texts.h"
#include "model/busy.h"
#include "model/session.h"
#include "model/session_unknown.h"

enum column_index {
    SELF_SHARE,
    SHARE,
    SELF,
    TOTAL,
    IDLE,
    COMMANDS,
    COPIED,
    CALLS,
    KIND,
    CAUSE,
    NAME
};

static const struct column columns[] = {
    [SELF_SHARE] = {"share", "self", "of the time that passed; devices that ran at once divide it",
                    UNIT_FRACTION, 0},
    [SHARE] = {"total_share", "total",
               "of the time that passed: the device ran a command, or the "
               "host did that",
               UNIT_FRACTION, 0},
    [SELF] = {"self_ns", "self time", "as self", UNIT_NS, 5},
    [TOTAL] = {"total_ns", "total time", "as total: of a device, its busy time", UNIT_NS, 1},
    [IDLE] = {"idle_ns", "idle", "no command of the device ran", UNIT_NS, 2},
    [COMMANDS] = {"commands", "commands", "that the device ran, or was asked for without times",
                  UNIT_COUNT, 1},
    [COPIED] = {"copied_bytes", "copied", "by commands that copy", UNIT_BYTES, 2},
    [CALLS] = {"host_ns", "in calls", "the host's calls that asked for the commands, over threads",
               UNIT_NS, 4},
    [KIND] = {"kind", "kind", "device, or host", UNIT_TEXT, 3},
    [CAUSE] = {"cause", NULL, "what the host did while no device ran, as the gaps of tprof devices",
               UNIT_TEXT, 0},
    [NAME] = {"name", "name", "the device, or what the host did while no device ran", UNIT_PLACE,
              0},
};

static const struct table_schema schema = {"time", "Time by device", columns,
                                           sizeof columns / sizeof *columns, "share"};

/* What a device was asked for in the time that passed. */
struct asked {
    uint64_t commands;
    uint64_t copied_bytes;
    uint64_t host_ns;
};

/* Commands without times count where they were asked for. */
static bool is_inside(const struct busy *passed, const struct session_command *command)
{
    if (command->start_ns == SESSION_UNKNOWN)
        return command->call_start_ns >= passed->from_ns && command->call_start_ns < passed->to_ns;
    return command->end_ns >= passed->from_ns && command->start_ns <= passed->to_ns;
}

static void add_command(struct asked *asked, const struct busy *passed,
                        const struct session_command *command,
                        const struct session_command_sum *sum)
{
    asked->host_ns += busy_clip(passed, command->call_start_ns, command->call_end_ns);
    if (!busy_is_work(sum->kind) || !is_inside(passed, command))
        return;
    asked->commands++;
    if (session_command_copies(sum->kind))
        asked->copied_bytes += command->bytes;
}

static struct asked *find_asked(const struct session *session, const struct busy *passed)
{
    const struct session_devices *devices = &session->devices;
    struct asked *asked = pool_get_zeros(devices->devices.count + 1, sizeof *asked);

    for (size_t i = 0; i < devices->commands.count; i++) {
        const struct session_command *command = session_command_at(devices, i);
        const struct session_command_sum *sum = session_command_sum_at(devices, command->sum);

        if (sum->queue != SESSION_NONE)
            add_command(&asked[session_queue_at(devices, sum->queue)->device], passed, command,
                        sum);
    }
    return asked;
}

static double length_ns(const struct busy *passed)
{
    return (double)(passed->to_ns - passed->from_ns);
}

static void set_shares(struct value *cells, const struct busy *passed, double self_ns,
                       double total_ns)
{
    value_set_ratio(&cells[SELF_SHARE], self_ns, length_ns(passed));
    value_set_ratio(&cells[SHARE], total_ns, length_ns(passed));
    value_set_rounded(&cells[SELF], self_ns);
    value_set_rounded(&cells[TOTAL], total_ns);
}

/* Without times of its commands a device's shares are unknown; one without commands was idle. */
static void set_busy(struct value *cells, const struct busy *busy, double self_ns)
{
    if (!busy->is_timed && busy->untimed > 0)
        return;
    set_shares(cells, busy, self_ns, busy->busy_ns);
    value_set_rounded(&cells[IDLE], length_ns(busy) - busy->busy_ns);
}

static void set_asked(struct value *cells, const struct asked *asked)
{
    value_set_unsigned(&cells[COMMANDS], asked->commands);
    value_set_unsigned(&cells[COPIED], asked->copied_bytes);
    value_set_unsigned(&cells[CALLS], asked->host_ns);
}

/* If no device has times, none has a share. */
static void add_devices(struct table *table, const struct session *session,
                        const struct busy *passed)
{
    const struct session_devices *devices = &session->devices;
    const struct asked *asked = find_asked(session, passed);
    double *parts_ns = pool_get_zeros(devices->devices.count + 1, sizeof *parts_ns);

    busy_divide(parts_ns, passed, session);
    for (uint32_t i = 0; i < devices->devices.count; i++) {
        struct value *cells = table_add_row(table);
        struct busy busy = *passed;

        busy_measure(&busy, session, i);
        if (passed->is_timed)
            set_busy(cells, &busy, parts_ns[i]);
        array_fini(&busy.gaps);
        set_asked(cells, &asked[i]);
        value_set_text(&cells[KIND], "device");
        value_set_text(&cells[NAME], session_device_at(devices, i)->name);
    }
}

static void add_host(struct table *table, const struct session *session, const struct busy *all)
{
    struct gap_sum sums[GAP_CAUSES];

    gaps_sum(sums, session, all);
    for (enum gap_cause i = 0; i < GAP_CAUSES; i++) {
        struct value *cells;

        if (sums[i].ns <= 0)
            continue;
        cells = table_add_row(table);
        set_shares(cells, all, sums[i].ns, sums[i].ns);
        value_set_text(&cells[KIND], "host");
        value_set_text(&cells[CAUSE], gap_cause_key(i));
        value_set_text(&cells[NAME], gap_cause_words(i));
    }
}

static void say_shares(struct table *table, const struct busy *all)
{
    double idle_ns = length_ns(all) - all->busy_ns;

    if (!all->is_timed) {
        table_say(table, device_time_unknown_text);
        return;
    }
    table_say(table, all->is_steady ? device_time_steady_text : device_time_run_text,
              said_time(length_ns(all)));
    table_say(table, device_time_self_text);
    table_say(table, device_time_host_text, said_time(idle_ns),
              said_share(idle_ns / length_ns(all)));
    if (all->untimed > 0)
        table_say(table, devices_untimed_text, said_count(all->untimed));
}

void device_time_build(const struct session *session, const struct analysis_options *options,
                       struct table *table)
{
    struct busy all;

    table_init(table, &schema);
    if (session->devices.devices.count == 0) {
        table_say(table, devices_none_text);
        return;
    }
    stretch_find_passed(&all, session, options->find_frames);
    busy_measure(&all, session, SESSION_NONE);
    add_devices(table, session, &all);
    if (all.is_timed)
        add_host(table, session, &all);
    say_shares(table, &all);
    session_say_untimed(&table->notes, session);
    table_sort(table, SELF_SHARE, true);
    array_fini(&all.gaps);
}
