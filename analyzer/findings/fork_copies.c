/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FORK-COPIES: a forked child shares its parent's memory until one of them writes to it.  Each page
 * that is written is copied, so children that change much of it need as much memory again.  CPython
 * writes the reference count of each object that it reads.
 *
 * The evidence is memory of the heap and of mappings that the child shared when it began, and that
 * is its own later while nothing was given back.  Where the kinds of memory were read only once,
 * memory from before the fork that is no longer shared was copied.  A page also becomes its own
 * when all others that shared it have ended, so the child must have had as many page faults.
 *
 * Source: fork(2); proc(5), smaps; Python documentation, gc.freeze.
 */
#include "findings/fork_copies.h"

#include <math.h>
#include <string.h>

#include "analysis/runtimes.h"
#include "base/text.h"
#include "findings/context.h"
#include "findings/texts.h"
#include "heap/resident.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_resident.h"
#include "model/session_unknown.h"

static const double least_bytes = 16e6;
static const double least_share = 0.25;  /* of the shared memory */
static const double least_faults = 0.5;  /* of the pages that were copied */
static const double most_returned = 0.1; /* of the resident memory */

/* Memory that parent and child may share without a file. */
static double shared_of(const struct session_resident *resident)
{
    return (double)resident->parts[TRACE_RESIDENT_BREAK].shared_bytes +
           (double)resident->parts[TRACE_RESIDENT_ARENAS].shared_bytes +
           (double)resident->parts[TRACE_RESIDENT_AREAS].shared_bytes;
}

/* The moment of a child with least shared memory, after the first. */
static const struct session_resident *find_least(const struct session *session)
{
    const struct session_resident *resident = session->residents.items, *least = NULL;

    for (size_t i = 1; i < session->residents.count; i++)
        if ((double)resident[i].bytes >= (1 - most_returned) * (double)resident[0].bytes &&
            (!least || shared_of(&resident[i]) < shared_of(least)))
            least = &resident[i];
    return least;
}

/* `own_bytes`: memory whose pages came by other faults. */
static bool has_faults(const struct session *session, double copied, double own_bytes)
{
    double page = session->process.page_bytes > 0 ? (double)session->process.page_bytes : 4096;

    return session->process.last.minor_faults == SESSION_UNKNOWN ||
           (double)session->process.last.minor_faults - own_bytes / page >=
               least_faults * copied / page;
}

static bool is_python(const struct session *session)
{
    const char *language = runtimes_find_language(session);

    return language && strcmp(language, "Python") == 0;
}

/* Shared memory that became the process's own. */
static double find_parted(const struct session *session)
{
    const struct session_resident *first = session->residents.items, *least = find_least(session);
    double copied = least ? shared_of(first) - shared_of(least) : 0;

    return copied >= least_share * shared_of(first) ? copied : 0;
}

/* Memory that the child obtained itself. */
static double sum_obtained(const struct resident_split *split)
{
    static const enum resident_part parts[] = {RESIDENT_HEAP, RESIDENT_OVERHEAD, RESIDENT_KEPT,
                                               RESIDENT_MAPPED, RESIDENT_STACKS};
    double bytes = 0;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        bytes += (double)split->parts[parts[i]];
    return bytes;
}

/* Memory from before the fork, less all that is shared: some of this is the child's own.  When the
 * parent has ended, its pages are the child's without a copy, and without a fault. */
static double find_owned(const struct session *session)
{
    const struct session_resident *only = session->residents.items;
    struct resident_split split;
    double copied;

    resident_split(&split, session, 0);
    copied = (double)split.parts[RESIDENT_INHERITED] - shared_of(only);
    return copied >= least_share * (copied + shared_of(only)) &&
                   has_faults(session, copied, sum_obtained(&split))
               ? copied
               : 0;
}

double fork_copies_find(const struct session *session)
{
    double copied;

    if (!session->process.is_forked || session->residents.count == 0)
        return 0;
    copied = session->residents.count > 1 ? find_parted(session) : find_owned(session);
    return copied >= least_bytes && has_faults(session, copied, 0) ? copied : 0;
}

static void say_evidence(struct finding *finding, const struct session *session, double copied)
{
    const struct session_resident *first = session->residents.items, *least = find_least(session);

    if (least)
        say(&finding->evidence, fork_copies_shared_text, said_bytes(shared_of(first)),
            said_time((double)first->time_ns), said_bytes(shared_of(least)),
            said_time((double)least->time_ns));
    else
        say(&finding->evidence, fork_copies_owned_text, said_time((double)first->time_ns),
            said_bytes(copied), said_bytes(shared_of(first)));
}

static void add(struct findings *findings, const struct session *session, double copied)
{
    struct finding *finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);

    say(&finding->title, fork_copies_title_text, said_bytes(copied));
    say_evidence(finding, session, copied);
    say(&finding->action, is_python(session) ? fork_copies_python_text : fork_copies_action_text);
    finding_add_number(finding, "copied_bytes", copied);
}

void rule_fork_copies(const struct findings_context *context, struct findings *findings)
{
    const struct session *session = context->session;
    double copied = fork_copies_find(session);

    if (!session->process.is_forked)
        findings_pass(findings, fork_copies_none_text);
    else if (copied > 0)
        add(findings, session, copied);
    else
        findings_pass(findings, fork_copies_passed_text);
}
