/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Devices on the first screen: how busy, what they ran, why they were idle, and their memory.
 */
#include "base/text.h"
#include "devices/block_rows.h"
#include "devices/command_rows.h"
#include "devices/device_numbers.h"
#include "devices/gaps.h"
#include "devices/stretch.h"
#include "model/busy.h"
#include "model/session.h"
#include "screen/first_parts.h"
#include "screen/texts.h"

enum { COMMANDS_SHOWN = 3 };

static void add_line(struct text_list *lines, struct text *line)
{
    text_list_take(lines, line);
}

/* What the driver says, also where no command has times. */
static void add_readings(struct text_list *lines, const struct session *session, uint32_t index)
{
    struct text line, parts;

    text_init(&line);
    text_init(&parts);
    device_numbers_append(&parts, session, index);
    if (parts.size > 0)
        say(&line, first_device_readings_text,
            said_words(session_device_at(&session->devices, index)->name), said_words(parts.bytes));
    text_fini(&parts);
    add_line(lines, &line);
}

/* The largest part of the idle time. */
static void append_idle(struct text *line, const struct session *session, const struct busy *busy)
{
    struct gap_sum sums[GAP_CAUSES];
    enum gap_cause most = GAP_LAUNCH;
    double span_ns = (double)(busy->to_ns - busy->from_ns);

    gaps_sum(sums, session, busy);
    for (enum gap_cause i = 0; i < GAP_CAUSES; i++)
        if (sums[i].ns > sums[most].ns)
            most = i;
    if (sums[most].ns > 0)
        say(line, first_device_idle_text, said_time(span_ns - busy->busy_ns),
            said_share(sums[most].ns / (span_ns - busy->busy_ns)),
            said_words(gap_cause_words(most)));
}

static void add_device(struct text_list *lines, const struct session *session, uint32_t index,
                       const struct busy *busy)
{
    double span_ns = (double)(busy->to_ns - busy->from_ns);
    uint64_t time_ns, peak = block_rows_peak(session, index, &time_ns);
    struct text line;

    text_init(&line);
    say(&line, first_device_text, said_words(session_device_at(&session->devices, index)->name),
        said_share(busy->busy_ns / span_ns), said_time(span_ns), said_count(busy->commands));
    if (peak > 0)
        say(&line, first_device_memory_text, said_bytes((double)peak));
    add_line(lines, &line);
    text_init(&line);
    append_idle(&line, session, busy);
    add_line(lines, &line);
}

static const struct command_row *find_next(const struct array *rows, double below_ns)
{
    const struct command_row *next = NULL;

    for (size_t i = 0; i < rows->count; i++) {
        const struct command_row *row = array_at(rows, i);

        if (row->run_ns < below_ns && row->device && (!next || row->run_ns > next->run_ns))
            next = row;
    }
    return next;
}

/* The commands with most of the time on devices. */
static void add_commands(struct text_list *lines, const struct session *session,
                         const struct analysis_options *options)
{
    const struct command_row *row;
    double below_ns = 1e300, all_ns = 0;
    struct array rows;
    struct text line;

    command_rows_fill(&rows, session, options);
    for (size_t i = 0; i < rows.count; i++) {
        row = array_at(&rows, i);
        all_ns += row->device ? row->run_ns : 0;
    }
    for (int i = 0; i < COMMANDS_SHOWN && (row = find_next(&rows, below_ns)); i++) {
        if (!(row->run_ns > 0))
            break;
        text_init(&line);
        say(&line, first_command_text, said_words(row->name), said_time(row->run_ns),
            said_share(row->run_ns / all_ns), said_count(row->calls));
        if (row->place)
            say(&line, first_command_place_text, said_words(row->place));
        add_line(lines, &line);
        below_ns = row->run_ns;
    }
    array_fini(&rows);
}

/* The devices that ran commands in the judged time. */
static void add_judged(struct text_list *lines, const struct session *session, struct busy *busy)
{
    for (uint32_t i = 0; i < session->devices.devices.count; i++) {
        busy_measure(busy, session, i);
        if (busy->commands > 0)
            add_device(lines, session, i, busy);
        array_fini(&busy->gaps);
    }
}

void first_add_devices(struct document *document, const struct report_sums *sums,
                       const struct analysis_options *options)
{
    const struct session *session = sums->session;
    struct analysis_options by_name = *options;
    struct text_list *lines;
    struct text heading;
    struct busy busy;
    bool is_judged = stretch_find_judged(&busy, session, options->find_frames);

    if (!is_judged && session->devices.numbers.count == 0)
        return;
    by_name.by = ANALYSIS_BY_DEFAULT;
    lines = document_add_lines(document, NULL);
    if (is_judged)
        add_judged(lines, session, &busy);
    for (uint32_t i = 0; i < session->devices.devices.count; i++)
        add_readings(lines, session, i);
    if (is_judged)
        add_commands(lines, session, &by_name);
    text_init(&heading);
    say(&heading, first_devices_text);
    document_head(document, &heading, "tprof devices");
}
