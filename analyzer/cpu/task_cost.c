/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sample counts as handing over if code of these modules is on its chain inside the program's own
 * code, or alone.
 */
#include "cpu/task_cost.h"

#include <string.h>

#include "cpu/cpu_row.h"
#include "cpu/python_split.h"
#include "model/session.h"
#include "model/session_samples.h"
#include "places/places.h"

static bool has_file(const struct place *place, const char *part)
{
    return place->function->is_python && place->file && strstr(place->file, part);
}

static bool is_handing(const struct place *place)
{
    return has_file(place, "/multiprocessing/") ||
           has_file(place, "/concurrent/futures/process.py");
}

/* A worker's function that calls the task.  Everything below it is the task, as of joblib's
 * threads, or of a C function that a pool maps. */
static bool runs_task(const struct place *place)
{
    static const char *const names[] = {"worker", "mapstar",         "starmapstar",
                                        "run",    "_process_worker", "_process_chunk"};
    const char *dot;

    if (!is_handing(place) || !place->function->has_name)
        return false;
    dot = strrchr(place->function->name, '.');
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(dot ? dot + 1 : place->function->name, names[i]) == 0)
            return true;
    return false;
}

static bool is_loader(const struct place *place)
{
    return has_file(place, "/torch/utils/data/");
}

/* Access to an object of another process is no task: the catalog of costs has it. */
static bool is_manager(const struct place *place)
{
    return has_file(place, "/multiprocessing/managers.py");
}

/* Large data is copied by the pickler, to new pages each time. */
static bool is_copying(const struct cpu_time *time, size_t sample)
{
    static const char *const names[] = {"memcpy", "memmove", "page faults", "munmap"};
    const struct cpu_row *row = array_at(&time->rows, time->sample_row[sample]);

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(row->name, names[i]))
            return true;
    return false;
}

static bool is_handing_or_own(const struct place *place)
{
    return is_handing(place) || place_is_own_python(place);
}

struct task_cost task_cost_find(const struct cpu_time *time)
{
    const struct session *session = time->session;
    struct task_cost cost = {0};
    double most_ns = 0;

    for (size_t i = 0; i < session->samples.count && time->sample_self_ns; i++) {
        uint32_t call = session_sample_at(session, i)->call;
        const struct place *place = places_find_known(time->places, call, is_handing_or_own);
        const struct place *own;

        /* The import of these modules hands over nothing. */
        if (!place || !is_handing(place) || runs_task(place) ||
            python_split_is_import(time, call) || places_find_known(time->places, call, is_manager))
            continue;
        cost.ns += time->sample_self_ns[i];
        if (is_copying(time, i))
            cost.copied_ns += time->sample_self_ns[i];
        if (places_find_known(time->places, call, is_loader))
            cost.loader_ns += time->sample_self_ns[i];
        cost.samples += session_sample_at(session, i)->count;
        own = places_find_known(time->places, call, place_is_own_python);
        if (!own || time->sample_self_ns[i] <= most_ns)
            continue;
        most_ns = time->sample_self_ns[i];
        cost.most = own;
    }
    return cost;
}
