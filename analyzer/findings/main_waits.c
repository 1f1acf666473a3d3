/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The main thread's waiting for other threads, split like their time.
 */
#include "findings/main_waits.h"

#include <math.h>
#include <string.h>

#include "findings/context.h"
#include "findings/own_place.h"
#include "model/session.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "waits/answers.h"
#include "waits/wait_split.h"

static void append_line(struct text *text, const void *of, uint32_t chain)
{
    const struct main_waits *waits = of;

    own_place_append(text, waits->places, waits->session, chain);
}

/* Another thread ends the wait by its own end, or wakes this one. */
static bool is_for_thread(const struct session_wait *wait)
{
    return wait->class == TRACE_WAIT_CLASS_JOIN ||
           (wait->class == TRACE_WAIT_CLASS_IDLE && wait->address != 0);
}

/* A thread without work does nothing that others wait for. */
static bool is_at_work(const struct session_wait *wait)
{
    return wait->class != TRACE_WAIT_CLASS_IDLE;
}

static double sum(const struct session *session, bool of_main,
                  bool (*is_meant)(const struct session_wait *wait))
{
    uint32_t main_thread = wait_main_thread(session);
    double ns = 0;

    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);

        if ((wait->thread == main_thread) == of_main && is_meant(wait))
            ns += (double)wait->waiting_ns;
    }
    return ns;
}

static double known(uint64_t ns)
{
    return ns == SESSION_UNKNOWN ? 0 : (double)ns;
}

static double sum_others(const struct session *session)
{
    uint32_t main_thread = wait_main_thread(session);
    double ns = sum(session, false, is_at_work) + session->losses.early_waits_ns;

    for (uint32_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = session_thread_at(session, i);

        if (i != main_thread)
            ns += known(thread->cpu_ns) + known(thread->delay_ns);
    }
    return ns;
}

void main_waits_init(struct main_waits *waits, const struct findings_context *context)
{
    waits->session = context->session;
    waits->places = places_new(context->session, context->options.find_frames);
    waits->lines = (struct wait_lines){append_line, waits};
    waits->awaiting_ns = sum(context->session, true, is_for_thread);
    waits->others_ns = sum_others(context->session);
    wait_rows_init_by_line(&waits->rows, context->session, &waits->lines);
}

/* Others wait for it while they work. */
static bool is_work(const struct wait_row *row)
{
    static const char *const without[] = {"idle", "unhooked", "gil"};

    for (size_t i = 0; row->kind && i < sizeof without / sizeof *without; i++)
        if (strcmp(row->kind, without[i]) == 0)
            return false;
    return row->kind && !strstr(row->name, WAIT_SERVER_END);
}

/* The part of the main thread's waiting that stands for some of the others' time. */
static double split(const struct main_waits *waits, double ns, double whole_ns)
{
    return whole_ns > 0 ? ns * fmin(1, waits->awaiting_ns / whole_ns) : 0;
}

static double waiting_of_others(const struct wait_row *row)
{
    return fmax(0, row->waiting_ns - row->main_path_ns);
}

static double others_ns(const struct main_waits *waits, const struct wait_row *row)
{
    return is_work(row) ? split(waits, waiting_of_others(row), waits->others_ns) : 0;
}

double main_waits_ns(const struct main_waits *waits, const struct wait_row *row)
{
    return row->main_path_ns + others_ns(waits, row);
}

double main_waits_known_ns(const struct main_waits *waits, const struct wait_row *row)
{
    double ns = waiting_of_others(row);

    if (row->main_path_ns > 0 || is_work(row))
        return main_waits_ns(waits, row);
    return split(waits, ns, waits->others_ns + ns);
}

double main_waits_bound_ns(const struct main_waits *waits, const struct wait_row *row)
{
    return row->main_path_ns + fmin(waiting_of_others(row), waits->awaiting_ns);
}

bool main_waits_is_others(const struct main_waits *waits, const struct wait_row *row)
{
    return others_ns(waits, row) > row->main_path_ns ||
           (row->main_path_ns <= 0 && row->waiting_ns > 0);
}

uint32_t main_waits_chain(const struct main_waits *waits, const struct wait_row *row)
{
    return main_waits_is_others(waits, row) ? row->chain : row->main_chain;
}
