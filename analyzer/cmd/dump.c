/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof dump: every record as a line.  Times are ticks since the start of recording.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "cmd/cmd.h"
#include "cmd/cut.h"
#include "cmd/destination.h"
#include "model/session_losses.h"
#include "model/session_unknown.h"
#include "reader/merge.h"

static const char *const kind_names[] = {
#define EVENT(kind, name, words, help) name,
#include "spec/events.def"
#undef EVENT
};

static const char *const type_names[] = {
#define EXTENDED(type, name, words, help) name,
#include "spec/extended.def"
#undef EXTENDED
};

static const unsigned type_words[] = {
#define EXTENDED(type, name, words, help) words,
#include "spec/extended.def"
#undef EXTENDED
};

static void print_payload(FILE *out, const struct reader_event *event)
{
    fprintf(out, " %s", type_names[event->type]);
    for (unsigned i = 0; i < type_words[event->type]; i++)
        fprintf(out, " %" PRIu64, event->words[i]);
}

/* The fields of its word. */
static void print_sample(FILE *out, const struct reader_event *event)
{
    uint64_t word = event->words[0];
    uint64_t cell = word >> TRACE_CHAIN_BITS;

    fprintf(out, " %s periods=%" PRIu32 " stack=%" PRIu64 " cell=%" PRIu64 " flags=%" PRIu64,
            type_names[event->type], event->cell, word & ((UINT64_C(1) << TRACE_CHAIN_BITS) - 1),
            cell & ((UINT64_C(1) << TRACE_CELL_BITS) - 1), cell >> TRACE_CELL_BITS);
}

/* How many calls a drawn one represents. */
static void print_calls(FILE *out, const struct reader_event *event)
{
    if (event->doublings > 0)
        fprintf(out, " calls=%" PRIu64, UINT64_C(1) << event->doublings);
}

static void print_details(FILE *out, const struct reader_event *event)
{
    switch (event->kind) {
    case TRACE_EVENT_MALLOC:
    case TRACE_EVENT_CALLOC:
    case TRACE_EVENT_REALLOC:
    case TRACE_EVENT_ALIGNED:
        fprintf(out, " address=0x%" PRIx64 " size=%" PRIu64 " stack=%" PRIu32, event->address,
                event->size, event->cell);
        if (event->distance > 0)
            fprintf(out, " drawn=%" PRIu32 " excess=%" PRIu32, event->distance, event->excess);
        return;
    case TRACE_EVENT_FREE:
    case TRACE_EVENT_RELEASE:
    case TRACE_EVENT_RESTORE: fprintf(out, " address=0x%" PRIx64, event->address); return;
    case TRACE_EVENT_KERNEL:
        fprintf(out, " slot=%" PRIu32 " ticks=%" PRIu64, event->cell, event->duration);
        print_calls(out, event);
        return;
    case TRACE_EVENT_ENTER: fprintf(out, " node=%" PRIu32, event->cell); return;
    case TRACE_EVENT_LEAVE:
        fprintf(out, " node=%" PRIu32 " ticks=%" PRIu64, event->cell, event->duration);
        print_calls(out, event);
        return;
    case TRACE_EVENT_EXTENDED:
        if (event->type == TRACE_EXTENDED_SAMPLE)
            print_sample(out, event);
        else
            print_payload(out, event);
        return;
    case TRACE_EVENT_DRAWN: /* shown as the event's own kind */
    case TRACE_EVENT_NONE:
    case TRACE_EVENT_TIME:
    case TRACE_EVENT_KINDS: return;
    }
}

static enum status print_events(FILE *out, const struct reader *reader,
                                struct diagnostic *diagnostic)
{
    const struct reader_event *event;
    struct merge merge;

    merge_open(&merge, reader);
    while ((event = merge_next(&merge)) && !ferror(out)) {
        fprintf(out, "%" PRIu64 " lane=%" PRIu32 " %s", event->ticks - reader->header.start.ticks,
                merge_lane(&merge, event->source), kind_names[event->kind]);
        print_details(out, event);
        fputc('\n', out);
    }
    merge_close(&merge);
    return render_finish(out, diagnostic);
}

static enum status dump(const struct reader *reader, const struct cmd_options *options,
                        struct diagnostic *diagnostic)
{
    FILE *out;
    enum status status =
        destination_open(&out, options->output, options->may_overwrite, diagnostic);

    if (status)
        return status;
    status = print_events(out, reader, diagnostic);
    return destination_close(out, status, options->output, diagnostic);
}

static void tell_cut(const struct reader *reader)
{
    const struct session_cut cut = {reader->is_truncated, reader->size, reader->header.size,
                                    SESSION_UNKNOWN};

    cut_note(reader->path, &cut);
    cut_tell(NULL);
}

enum status cmd_dump(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct cmd_options options;
    struct reader reader;
    char room[PATH_MAX];
    enum status status = cmd_parse(&options, NULL, argc, argv, &outcome->diagnostic);

    if (!status && options.is_help) {
        cmd_print_help("dump", "[TRACE]", "The records of a trace as text, in the order of time.",
                       NULL);
        return STATUS_OK;
    }
    if (!status)
        status = cmd_choose_trace(&options.trace, room, options.trace, &outcome->diagnostic);
    if (!status)
        status = reader_open(&reader, options.trace, &outcome->diagnostic);
    if (status)
        return status;
    destination_note_input(options.trace);
    status = dump(&reader, &options, &outcome->diagnostic);
    if (!status)
        tell_cut(&reader);
    reader_close(&reader);
    return status;
}
