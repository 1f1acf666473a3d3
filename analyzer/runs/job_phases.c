/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The phases of the processes of a job, the one with the longest steady phase first.
 */
#include "runs/job_phases.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "document/table.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "runs/process_words.h"
#include "runs/texts.h"
#include "steps/phase_sums.h"
#include "steps/phases.h"

struct phases_row {
    char *process; /* owned */
    uint32_t pid;
    uint64_t length_ns[PHASES];
    double cpu_ns;     /* in the steady phase; NAN */
    double waiting_ns; /* likewise, of the thread that has the phases */
};

enum { PROCESS, PID, START, STEADY, CPU, BUSY, WAITING, END };

static const struct column columns[] = {
    [PROCESS] = {"process", "process", "the program", UNIT_TEXT, 0},
    [PID] = {"pid", "pid", "process id", UNIT_NUMBER, 1},
    [START] = {"start_ns", "start-up", "until the first request, task or step; with its warm-up",
               UNIT_NS, 0},
    [STEADY] = {"steady_ns", "steady", "wall time from the first to the last", UNIT_NS, 0},
    [CPU] = {"cpu_ns", "processor", "processor time in it", UNIT_NS, 2},
    [BUSY] = {"busy", "computing", "this, of its wall time; above 100 % with several threads",
              UNIT_FRACTION, 0},
    [WAITING] = {"waiting", "waiting", "of its wall time, the thread with the steps, in long calls",
                 UNIT_FRACTION, 0},
    [END] = {"end_ns", "after it", "until the process ended", UNIT_NS, 0},
};

static const struct table_schema schema = {"phases", "Steady phases", columns,
                                           sizeof columns / sizeof *columns, NULL};

void job_phases_init(struct job_phases *phases)
{
    array_init(&phases->rows, sizeof(struct phases_row));
}

void job_phases_fini(struct job_phases *phases)
{
    for (size_t i = 0; i < phases->rows.count; i++)
        free(((struct phases_row *)array_at(&phases->rows, i))->process);
    array_fini(&phases->rows);
}

static char *copy_words(const struct session *session)
{
    struct text words;
    char *copy = NULL;

    text_init(&words);
    process_words_append(&words, &session->process);
    copy = memory_copy(words.bytes);
    text_fini(&words);
    return copy;
}

static void take(struct job_phases *phases, const struct session *session, const struct phases *of)
{
    struct phases_row *row = array_add(&phases->rows);
    struct phase_sum sums[PHASES];

    phase_sums_find(sums, session, of);
    row->process = copy_words(session);
    row->pid = session->process.pid;
    row->cpu_ns = sums[PHASE_MAIN].cpu_ns;
    row->waiting_ns = sums[PHASE_MAIN].waiting_ns;
    for (enum phase phase = 0; phase < PHASES; phase++)
        row->length_ns[phase] = phase_length_ns(of, phase);
}

void job_phases_take(struct job_phases *phases, const struct session *session)
{
    struct phases of;
    bool are;

    phases_find(&of, session, session_find_frames, &are);
    if (!are || (of.steps == 0 && !phases_have_service(&of)))
        return;
    take(phases, session, &of);
}

static void add_row(struct table *table, const struct phases_row *row)
{
    struct value *values = table_add_row(table);

    value_set_unsigned(&values[PID], row->pid);
    value_set_unsigned(&values[START],
                       row->length_ns[PHASE_START] + row->length_ns[PHASE_WARM_UP]);
    value_set_unsigned(&values[STEADY], row->length_ns[PHASE_MAIN]);
    value_set_rounded(&values[CPU], row->cpu_ns);
    value_set_ratio(&values[BUSY], row->cpu_ns, (double)row->length_ns[PHASE_MAIN]);
    value_set_ratio(&values[WAITING], row->waiting_ns, (double)row->length_ns[PHASE_MAIN]);
    value_set_unsigned(&values[END], row->length_ns[PHASE_END]);
    value_set_text(&values[PROCESS], row->process);
}

static int compare_rows(const void *left, const void *right)
{
    uint64_t one = ((const struct phases_row *)left)->length_ns[PHASE_MAIN];
    uint64_t other = ((const struct phases_row *)right)->length_ns[PHASE_MAIN];

    return (one < other) - (one > other);
}

void job_phases_add(const struct job_phases *phases, struct document *document,
                    enum section_place place, size_t most)
{
    size_t count = phases->rows.count;
    struct table *table;

    if (place == SECTION_IN_TEXT && count == 0)
        return;
    table = document_start_table(document, "phases", place, &schema);
    if (count > 0)
        qsort(phases->rows.items, count, sizeof(struct phases_row), compare_rows);
    for (size_t i = 0; i < count && i < most; i++)
        add_row(table, array_at(&phases->rows, i));
    if (count > 0)
        table_say(table, job_steady_text);
    if (count > most)
        table_say(table, job_more_phases_text, said_count(count - most));
}
