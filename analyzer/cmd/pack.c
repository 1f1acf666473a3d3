/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof pack: a smaller copy of each trace, or the trace restored from such a copy; a folder means
 * all its traces.  A copy appears whole or not at all.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/units.h"
#include "base/whole_file.h"
#include "cmd/cmd.h"
#include "cmd/destination.h"
#include "cmd/newest.h"
#include "cmd/pack_symbols.h"
#include "launch/status_line.h"
#include "launch/stop.h"
#include "options/help.h"
#include "options/parse.h"
#include "options/readers.h"
#include "reader/copy.h"
#include "render/display.h"

#define PACKED_MARK ".packed"
#define TRACE_MARK ".tprof"

struct pack_options {
    const char *trace;  /* or a folder of traces; NULL: several were given */
    const char *output; /* NULL: named after the trace */
    const char *root;   /* root of the system where the trace was recorded, or NULL */
    bool may_overwrite;
    bool is_unpacking;
    bool has_symbols;
    bool is_packed; /* the trace, already: symbols are added to it */
    bool is_help;
};

static const struct option_row rows[] = {
#define OPTION(field, ...) OPTION_ROW(struct pack_options, field, __VA_ARGS__),
#include "cmd/pack_options.def"
#undef OPTION
};

static void print_help(void)
{
    const struct option_set set = {rows, sizeof rows / sizeof *rows, NULL};

    help_print_usage("pack", "[OPTIONS] TRACE|DIRECTORY...",
                     "Write a smaller copy of each TRACE.  Every command reads the copy like the "
                     "original.  For a DIRECTORY, copy each trace in it that has no copy.");
    help_print_options(&set, "pack");
}

/* Checks that the request makes sense; `count` traces were given. */
static enum status check(struct pack_options *options, int count, struct diagnostic *diagnostic)
{
    if (options->root && !options->has_symbols)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "pack: --sysroot says where the files for --symbols are");
    if (options->is_unpacking && options->has_symbols)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "pack: --symbols adds to a packed copy; --unpack makes none");
    if (count == 0)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "pack: no trace or directory was given: "
                              "tprof pack [OPTIONS] TRACE|DIRECTORY...");
    if (options->output && count > 1)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "pack: -o names one copy, and %d traces were given: without it they "
                              "get names of their own",
                              count);
    return STATUS_OK;
}

static enum status parse(struct pack_options *options, int argc, char **argv,
                         struct diagnostic *diagnostic)
{
    const struct option_set set = {rows, sizeof rows / sizeof *rows, options};
    const struct options_asked asked = {"pack", &set, 1, false};
    enum status status;

    *options = (struct pack_options){0};
    status = options_parse(&asked, argc, argv, diagnostic);
    return status || options->is_help ? status : check(options, argc - optind, diagnostic);
}

/* NAME.tprof and NAME.packed.tprof belong together, and so do NAME and
 * NAME.packed. */
static bool choose_name(const struct pack_options *options, char name[PATH_MAX])
{
    const char *trace = options->trace;
    size_t length = strlen(trace);
    const char *end = text_ends_with(trace, length, TRACE_MARK) ? TRACE_MARK : "";
    const char *mark = options->is_unpacking ? ".unpacked" : PACKED_MARK;

    length -= strlen(end);
    if (options->is_unpacking && text_ends_with(trace, length, PACKED_MARK)) {
        length -= strlen(PACKED_MARK);
        mark = "";
    }
    return snprintf(name, PATH_MAX, "%.*s%s%s", (int)length, trace, mark, end) < PATH_MAX;
}

/* The extended copy of a packed trace replaces it: it contains everything of the old file. */
static void replace_trace(struct pack_options *options)
{
    options->output = options->trace;
    options->may_overwrite = true;
}

static enum status find_output(struct pack_options *options, char name[PATH_MAX],
                               struct diagnostic *diagnostic)
{
    if (!options->output && options->is_packed && options->has_symbols) {
        replace_trace(options);
        return STATUS_OK;
    }
    if (!options->output && !choose_name(options, name))
        return diagnostic_set(diagnostic, STATUS_USAGE, "%s: the name is too long", options->trace);
    if (!options->output)
        options->output = name;
    destination_note_input(options->trace);
    return destination_check_file(options->output, options->may_overwrite, diagnostic);
}

static enum status fail_to_write(const char *path, struct diagnostic *diagnostic)
{
    return diagnostic_set(diagnostic, STATUS_IO, "cannot write %s: %s", path, strerror(errno));
}

/* The copy keeps the trace's read and write permissions. */
static enum status create(struct whole_file *file, const struct pack_options *options,
                          const struct stat *trace, struct diagnostic *diagnostic)
{
    struct stat like = *trace;

    like.st_mode &= S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
    if (!whole_file_open(file, options->output, options->may_overwrite, &like))
        return fail_to_write(options->output, diagnostic);
    stop_removes(file->temporary);
    return STATUS_OK;
}

/* The copy gets the time of the trace, so that the newest file in a folder is that of the last
 * run. */
static enum status finish(struct whole_file *file, const struct pack_options *options,
                          const struct stat *trace, struct diagnostic *diagnostic)
{
    const struct timespec times[] = {trace->st_atim, trace->st_mtim};
    bool is_there;

    (void)!futimens(file->descriptor, times);
    is_there = whole_file_finish(file);
    stop_removes(NULL);
    return is_there ? STATUS_OK : fail_to_write(options->output, diagnostic);
}

static void discard(struct whole_file *file)
{
    whole_file_discard(file);
    stop_removes(NULL);
}

static void show_progress(uint64_t done, uint64_t whole)
{
    static uint64_t shown = UINT64_MAX;
    uint64_t percent = whole > 0 ? done * 100 / whole : 100;

    struct text line;

    if (percent == shown)
        return;
    shown = percent;
    text_init(&line);
    text_appendf(&line, "%3u %%", (unsigned)percent);
    status_line_show(&line);
    text_fini(&line);
}

/* In the manner of main: a name must not steer the terminal. */
static void report_sizes(const struct copy *copy, const struct pack_options *options, uint64_t size)
{
    char before[UNITS_SIZE];
    char after[UNITS_SIZE];
    struct text name;

    text_init(&name);
    display_append_safe(&name, options->trace, false);
    fprintf(stderr, "%s: %s -> %s", name.bytes, units_format_bytes(before, (double)size),
            units_format_bytes(after, (double)copy->size));
    text_fini(&name);
    if (copy->events > 0)
        fprintf(stderr, ", %.1f bytes an event", (double)copy->size / (double)copy->events);
    if (copy->torn_chunks > 0)
        fprintf(stderr, ", parts that could not be read: %llu",
                (unsigned long long)copy->torn_chunks);
    fputc('\n', stderr);
}

static enum status check_form(const struct pack_options *options, struct diagnostic *diagnostic)
{
    if (options->is_unpacking && !options->is_packed)
        return diagnostic_set(diagnostic, STATUS_USAGE, "%s is not packed", options->trace);
    if (options->is_packed && !options->is_unpacking && !options->has_symbols)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "%s is packed already; --symbols would add to it", options->trace);
    return STATUS_OK;
}

static enum status write_copy(const struct pack_options *options, struct copy *copy,
                              const struct reader *reader, struct diagnostic *diagnostic)
{
    if (options->is_unpacking)
        return copy_unpack(copy, reader, diagnostic);
    return options->is_packed ? copy_change_symbols(copy, reader, diagnostic)
                              : copy_pack(copy, reader, diagnostic);
}

static enum status make_copy(const struct pack_options *options, const struct reader *reader,
                             const struct text *symbols, struct diagnostic *diagnostic)
{
    struct copy copy = {.path = options->output, .symbols = symbols, .on_progress = show_progress};
    struct whole_file file;
    struct stat trace;
    enum status status;

    if (fstat(reader->descriptor, &trace) != 0)
        return diagnostic_set(diagnostic, STATUS_IO, "%s: %s", options->trace, strerror(errno));
    status = create(&file, options, &trace, diagnostic);
    if (status)
        return status;
    copy.descriptor = file.descriptor;
    status = write_copy(options, &copy, reader, diagnostic);
    status_line_erase();
    if (!status)
        status = finish(&file, options, &trace, diagnostic);
    else
        discard(&file);
    if (!status)
        report_sizes(&copy, options, (uint64_t)trace.st_size);
    return status;
}

static enum status pack(const struct pack_options *options, const struct reader *reader,
                        struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;
    struct text symbols;

    text_init(&symbols);
    if (options->has_symbols)
        status = pack_symbols_gather(options->trace, options->root, &symbols, diagnostic);
    if (!status)
        status = make_copy(options, reader, &symbols, diagnostic);
    text_fini(&symbols);
    return status;
}

static enum status pack_one(struct pack_options *options, struct diagnostic *diagnostic)
{
    struct reader reader;
    char name[PATH_MAX];
    enum status status = reader_open(&reader, options->trace, diagnostic);

    if (status)
        return status;
    options->is_packed = reader.header.packed_size > 0;
    status = check_form(options, diagnostic);
    if (!status)
        status = find_output(options, name, diagnostic);
    if (!status)
        status = pack(options, &reader, diagnostic);
    reader_close(&reader);
    return status;
}

/* Results of several traces. */
struct batch {
    size_t made;
    size_t left; /* unchanged: nothing to do */
    size_t failed;
};

/* A copy is out of date if its trace has grown since, or is that of a later process. */
static bool is_copy(const struct trace_header *copy, const struct trace_header *header)
{
    return copy->pid == header->pid && copy->realtime_start_ns == header->realtime_start_ns &&
           copy->ending == header->ending && copy->waited == header->waited &&
           (copy->packed_size > 0) != (header->packed_size > 0);
}

static bool has_copy(const struct pack_options *options, const struct trace_header *header)
{
    struct trace_header copy;
    char name[PATH_MAX];

    return choose_name(options, name) && reader_peek(name, &copy) && is_copy(&copy, header);
}

/* Symbols are added to the packed copy, which is in the folder, too. */
static bool is_done(const struct pack_options *options)
{
    struct trace_header header;
    bool is_packed;

    if (!reader_peek(options->trace, &header))
        return false;
    is_packed = header.packed_size > 0;
    if (options->has_symbols && is_packed)
        return false;
    return is_packed != options->is_unpacking ||
           ((options->has_symbols || !options->may_overwrite) && has_copy(options, &header));
}

/* A problem with one trace is reported, and the other traces are still packed. */
static void leave_out(struct batch *batch, enum status status, struct diagnostic *diagnostic)
{
    if (!status)
        return;
    cmd_leave_out(diagnostic);
    batch->failed++;
}

static void next(struct batch *batch, const struct pack_options *options, const char *trace,
                 struct diagnostic *diagnostic)
{
    struct pack_options own = *options;
    enum status status;

    own.trace = trace;
    if (is_done(&own)) {
        batch->left++;
        return;
    }
    status = pack_one(&own, diagnostic);
    batch->made += status == STATUS_OK;
    leave_out(batch, status, diagnostic);
}

/* The last line is the diagnostic if a trace failed. */
static enum status conclude(const struct batch *batch, const struct pack_options *options,
                            struct diagnostic *diagnostic)
{
    const char *verb = options->is_unpacking ? "unpacked" : "packed";
    struct text line;

    text_init(&line);
    if (options->trace)
        text_appendf(&line, "%.300s: ", options->trace);
    text_appendf(&line, "%zu trace%s %s", batch->made, units_choose(batch->made, "", "s"), verb);
    if (batch->left > 0)
        text_appendf(&line, ", %zu %s %s already or %s a copy that is", batch->left,
                     units_choose(batch->left, "is", "are"), verb,
                     units_choose(batch->left, "has", "have"));
    if (batch->failed > 0)
        text_appendf(&line, ", %zu could not be", batch->failed);
    if (batch->failed > 0)
        diagnostic_set(diagnostic, STATUS_IO, "%s", line.bytes);
    else
        cmd_tell(line.bytes);
    text_fini(&line);
    return batch->failed > 0 ? STATUS_IO : STATUS_OK;
}

static void list(struct batch *batch, const struct pack_options *options,
                 const struct text_list *traces, struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < text_list_count(traces); i++)
        next(batch, options, text_list_at(traces, i), diagnostic);
}

/* Errors: STATUS_IO when the folder has no trace; failed traces are counted. */
static enum status inside(struct batch *batch, const struct pack_options *options,
                          const char *folder, struct diagnostic *diagnostic)
{
    struct text_list traces;
    enum status status;

    text_list_init(&traces);
    status = newest_list_all(folder, &traces, diagnostic);
    if (!status)
        list(batch, options, &traces, diagnostic);
    text_list_fini(&traces);
    return status;
}

static enum status pack_all(const struct pack_options *options, struct diagnostic *diagnostic)
{
    struct batch batch = {0};
    enum status status;

    if (options->output)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "pack: -o names one copy, and %.300s is a directory: its traces get "
                              "names of their own",
                              options->trace);
    status = inside(&batch, options, options->trace, diagnostic);
    return status ? status : conclude(&batch, options, diagnostic);
}

/* `paths` ends with NULL. */
static enum status several(const struct pack_options *options, char **paths,
                           struct diagnostic *diagnostic)
{
    struct batch batch = {0};

    for (; *paths; paths++)
        if (newest_is_folder(*paths))
            leave_out(&batch, inside(&batch, options, *paths, diagnostic), diagnostic);
        else
            next(&batch, options, *paths, diagnostic);
    return conclude(&batch, options, diagnostic);
}

enum status cmd_pack(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct pack_options options;
    enum status status = parse(&options, argc, argv, &outcome->diagnostic);

    if (status)
        return status;
    if (options.is_help) {
        print_help();
        return STATUS_OK;
    }
    if (argc - optind > 1)
        return several(&options, argv + optind, &outcome->diagnostic);
    options.trace = argv[optind];
    return newest_is_folder(options.trace) ? pack_all(&options, &outcome->diagnostic)
                                           : pack_one(&options, &outcome->diagnostic);
}
