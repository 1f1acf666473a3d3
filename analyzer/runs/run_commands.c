/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands of devices as rows: the calls, the bytes and the time on devices of all commands of one
 * name.  Builds are work of the host, and have no row.
 */
#include "runs/run_commands.h"

#include "base/pool.h"
#include "base/text_index.h"
#include "devices/queue_tracks.h"
#include "model/session.h"
#include "model/session_unknown.h"
#include "runs/run.h"
#include "runs/run_places.h"

/* The commands of one name. */
struct sum {
    const char *name;
    uint64_t calls;
    uint64_t bytes;
    uint64_t timed;
    uint64_t failed;
    double run_ns;
    uint64_t site; /* the place that asked for most of them */
    uint64_t site_calls;
    struct array samples; /* double, nanoseconds of each */
};

struct sums {
    const struct session *session;
    struct array list; /* of struct sum */
    long *numbers;     /* by the session's sums: index in the list, or -1 */
    unsigned *cold;    /* by the session's sums: first commands that are left out yet */
};

static void add(struct sum *sum, const struct session_command_sum *of)
{
    sum->calls += of->calls;
    sum->bytes += of->bytes;
    sum->timed += of->timed;
    sum->failed += of->failed;
    sum->run_ns += (double)of->run_ns;
    if (of->calls <= sum->site_calls)
        return;
    sum->site = of->site;
    sum->site_calls = of->calls;
}

static void add_sums(struct sums *sums)
{
    const struct session_devices *devices = &sums->session->devices;
    struct text_index names = {NULL};
    struct text key;

    text_init(&key);
    for (size_t i = 0; i < devices->sums.count; i++) {
        const struct session_command_sum *of = session_command_sum_at(devices, i);

        sums->numbers[i] = -1;
        if (of->kind == TRACE_COMMAND_BUILD || of->calls == 0)
            continue;
        text_clear(&key);
        text_append(&key, command_name(of));
        sums->numbers[i] = text_index_add(&names, &key);
        if ((size_t)sums->numbers[i] == sums->list.count) {
            struct sum *sum = array_add(&sums->list);

            *sum = (struct sum){.name = command_name(of)};
            array_init(&sum->samples, sizeof(double));
        }
        add(array_at(&sums->list, (size_t)sums->numbers[i]), of);
    }
    text_fini(&key);
    text_index_fini(&names);
}

static void add_samples(const struct sums *sums)
{
    const struct session_devices *devices = &sums->session->devices;

    for (size_t i = 0; i < devices->commands.count; i++) {
        const struct session_command *command = session_command_at(devices, i);
        long number = sums->numbers[command->sum];
        struct sum *sum = number >= 0 ? array_at(&sums->list, (size_t)number) : NULL;

        if (!sum || command->start_ns == SESSION_UNKNOWN)
            continue;
        if (sums->cold[command->sum] > 0)
            sums->cold[command->sum]--;
        else
            *(double *)array_add(&sum->samples) = (double)(command->end_ns - command->start_ns);
    }
}

/* A total of some commands is no total. */
static void add_row(const struct run_places *places, struct sum *sum)
{
    struct run_row *row = run_add_row(places->run, RUN_COMMAND, sum->name, "");

    row->values[RUN_CALLS] = (double)sum->calls;
    if (sum->bytes > 0)
        row->values[RUN_BYTES] = (double)sum->bytes;
    if (sum->timed > 0 && sum->timed + sum->failed >= sum->calls)
        row->values[RUN_TOTAL] = sum->run_ns;
    run_row_set_calls(row, &sum->samples);
    if (sum->samples.count == 0 && sum->timed > 0)
        row->values[RUN_CALL] = sum->run_ns / (double)sum->timed;
    if (sum->site != 0)
        run_place_op(places, row, sum->site);
}

void run_add_commands(const struct run_places *places, unsigned warmup)
{
    const struct session *session = places->session;
    struct sums sums = {.session = session};

    sums.numbers = pool_get_zeros(session->devices.sums.count + 1, sizeof *sums.numbers);
    sums.cold = pool_get_zeros(session->devices.sums.count + 1, sizeof *sums.cold);
    for (size_t i = 0; i < session->devices.sums.count; i++)
        sums.cold[i] = warmup;
    array_init(&sums.list, sizeof(struct sum));
    add_sums(&sums);
    add_samples(&sums);
    for (size_t i = 0; i < sums.list.count; i++) {
        struct sum *sum = array_at(&sums.list, i);

        add_row(places, sum);
        array_fini(&sum->samples);
    }
    array_fini(&sums.list);
}
