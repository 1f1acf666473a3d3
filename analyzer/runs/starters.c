/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processes of a job that spend most of their time in imports of Python.  Each interpreter imports
 * all modules again, so processes for little work repeat the start-up.  Advice needs processes that
 * follow one another, or workers that could be copies of a process that has imported.
 */
#include "runs/starters.h"

#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "cpu/cpu_row.h"
#include "cpu/cpu_time.h"
#include "cpu/python_split.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "runs/process_words.h"
#include "runs/texts.h"

static const double mostly = 0.5;      /* of the process's processor time */
static const double least_share = 0.3; /* of that of all processes */
static const size_t least_count = 4;

/* Ask whether Python or joblib started a process by an interpreter of its own. */
static bool is_worker(const struct session_process *process)
{
    struct text words;
    bool is;

    text_init(&words);
    process_words_append(&words, process);
    is = strstr(words.bytes, "multiprocessing.spawn") ||
         strstr(words.bytes, "multiprocessing.forkserver") || strstr(words.bytes, ".loky.");
    text_fini(&words);
    return is;
}

static void add(struct starters_kind *kind, const struct session_process *process,
                const struct starters_kind *times)
{
    uint64_t end_ns = process->realtime_start_ns + process->wall_ns;

    if (kind->count == 0 || end_ns < kind->first_end_ns)
        kind->first_end_ns = end_ns;
    if (process->realtime_start_ns > kind->last_start_ns)
        kind->last_start_ns = process->realtime_start_ns;
    kind->count++;
    kind->import_ns += times->import_ns;
    kind->cpu_ns += times->cpu_ns;
}

void starters_take(struct starters *starters, const struct cpu_time *time)
{
    const struct session_process *process = &time->session->process;
    struct starters_kind times = {.cpu_ns = time->cpu_ns};
    struct python_split split;

    starters->read++;
    starters->cpu_ns += time->cpu_ns;
    if (!python_split_init(&split, time) || split.import_ns < mostly * time->cpu_ns)
        return;
    times.import_ns = split.import_ns;
    add(is_worker(process) ? &starters->workers : &starters->programs, process, &times);
}

void starters_take_session(struct starters *starters, const struct session *session)
{
    static const struct cpu_time_options options = {CPU_BY_FUNCTION, 0.95, session_find_frames};
    struct cpu_time time;
    struct pool pool;

    pool_enter(&pool);
    cpu_time_init(&time, session, &options);
    if (!time.unknown && isfinite(time.cpu_ns))
        starters_take(starters, &time);
    pool_leave(&pool);
}

static bool is_much(const struct starters *starters, const struct starters_kind *kind)
{
    return kind->count >= least_count && kind->import_ns >= least_share * starters->cpu_ns;
}

static bool is_repeated(const struct starters_kind *kind)
{
    return kind->last_start_ns > kind->first_end_ns;
}

void starters_say(struct text *text, const struct starters *starters)
{
    const struct starters_kind *workers = &starters->workers, *programs = &starters->programs;
    const struct starters_kind *most = is_much(starters, workers) ? workers : programs;

    if (!is_much(starters, most) || (most == programs && !is_repeated(programs)))
        return;
    say(text, most == programs ? starters_programs_text : starters_workers_text,
        said_count(starters->read), said_count(most->count),
        said_share(most->import_ns / most->cpu_ns));
    if (most == workers)
        say(text, is_repeated(workers) ? starters_repeated_text : starters_once_text);
}
