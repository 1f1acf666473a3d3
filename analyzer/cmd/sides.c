/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the runs of sides.
 */
#include "cmd/sides.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/units.h"
#include "cmd/destination.h"
#include "cmd/newest.h"
#include "compare/figure.h"
#include "model/session.h"
#include "model/session_open.h"
#include "runs/baseline.h"
#include "runs/run_session.h"

const char sides_separator[] = "(--)";

void sides_mark_separators(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--") == 0)
            argv[i] = (char *)(uintptr_t)sides_separator;
}

enum status sides_read_test(const struct option_value *value, struct diagnostic *diagnostic)
{
    const char *text = value->text;

    if (strcmp(text, "rank") != 0 && strcmp(text, "welch") != 0)
        return diagnostic_set(diagnostic, STATUS_USAGE, "--test %.40s: expected rank or welch",
                              text);
    *(enum figure_test *)value->field = text[0] == 'r' ? FIGURE_BY_RANK : FIGURE_BY_MEAN;
    return STATUS_OK;
}

void sides_init(struct sides *sides)
{
    array_init(&sides->all, sizeof(struct run_side));
    text_list_init(&sides->labels);
}

void sides_fini(struct sides *sides)
{
    for (size_t i = 0; i < sides->all.count; i++)
        run_side_fini(array_at(&sides->all, i));
    array_fini(&sides->all);
    text_list_fini(&sides->labels);
}

static enum status read_trace(struct run_side *side, const char *path,
                              const struct cmd_options *options, struct diagnostic *diagnostic)
{
    struct analysis_options analysis = options->analysis;
    struct session session;
    struct run *run;
    enum status status = cmd_open_session(&session, path, options, diagnostic);

    if (status)
        return status;
    if (!options->has_warmup)
        analysis_take_warmup(&analysis, &session);
    run = array_add(&side->runs);
    run_of_session(run, &session, &analysis);
    session_close(&session);
    return status;
}

enum status sides_add_trace(struct sides *sides, const char *path,
                            const struct cmd_options *options, struct diagnostic *diagnostic)
{
    struct run_side *side = array_add(&sides->all);

    run_side_init(side, "");
    return read_trace(side, path, options, diagnostic);
}

static const char *name_of(const struct run *run)
{
    return run->path ? run->path : run->label;
}

/* Runs that are one run would agree to the last digit, and look certain. */
static enum status refuse_repeated(const struct run_side *side, size_t known,
                                   struct diagnostic *diagnostic)
{
    for (size_t i = known; i < side->runs.count; i++)
        for (size_t j = 0; j < i; j++) {
            const struct run *run = array_at(&side->runs, i), *before = array_at(&side->runs, j);

            if (run_is_same(run, before))
                return diagnostic_set(diagnostic, STATUS_USAGE,
                                      "%.300s is the run of %.300s once more (process %u): a run "
                                      "of a side counts once",
                                      name_of(run), name_of(before), (unsigned)run->pid);
        }
    return STATUS_OK;
}

static enum status read_any(struct run_side *side, bool *is_minimal, const char *path,
                            const struct cmd_options *options, struct diagnostic *diagnostic)
{
    destination_note_input(path);
    return baseline_is_at(path) ? baseline_read(side, is_minimal, path, diagnostic)
                                : read_trace(side, path, options, diagnostic);
}

static enum status read_file(struct run_side *side, bool *is_minimal, const char *path,
                             const struct cmd_options *options, struct diagnostic *diagnostic)
{
    size_t known = side->runs.count;
    enum status status = read_any(side, is_minimal, path, options, diagnostic);

    return status ? status : refuse_repeated(side, known, diagnostic);
}

static bool is_there(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0;
}

static enum status read_pattern(struct run_side *side, bool *is_minimal, const char *pattern,
                                const struct cmd_options *options, struct diagnostic *diagnostic)
{
    glob_t found = {0};
    enum status status = STATUS_OK;

    if (glob(pattern, 0, NULL, &found) != 0)
        status = diagnostic_set(diagnostic, STATUS_IO,
                                "%.300s: there is no such file; tprof run -- COMMAND makes a "
                                "trace, tprof baseline -o FILE TRACE... a baseline",
                                pattern);
    for (size_t i = 0; i < found.gl_pathc && !status; i++)
        status = read_file(side, is_minimal, found.gl_pathv[i], options, diagnostic);
    globfree(&found);
    return status;
}

static void forget(struct run_side *side, size_t known)
{
    for (size_t i = known; i < side->runs.count; i++)
        run_fini(array_at(&side->runs, i));
    array_truncate(&side->runs, known);
}

/* The user did not name this file: a problem with it is reported, and the other files count. */
static void read_found(struct run_side *side, bool *is_minimal, const char *path,
                       const struct cmd_options *options, struct diagnostic *diagnostic)
{
    size_t known = side->runs.count;
    enum status status = read_file(side, is_minimal, path, options, diagnostic);

    if (!status)
        return;
    cmd_leave_out(diagnostic);
    forget(side, known);
}

static enum status read_folder(struct run_side *side, bool *is_minimal, const char *folder,
                               const struct cmd_options *options, struct diagnostic *diagnostic)
{
    size_t known = side->runs.count;
    struct text_list paths;
    enum status status;

    text_list_init(&paths);
    status = newest_list_all(folder, &paths, diagnostic);
    for (size_t i = 0; i < text_list_count(&paths) && !status; i++)
        read_found(side, is_minimal, text_list_at(&paths, i), options, diagnostic);
    text_list_fini(&paths);
    if (!status && side->runs.count == known)
        status =
            diagnostic_set(diagnostic, STATUS_IO, "%.300s: no trace in it can be read", folder);
    return status;
}

enum status sides_read(struct run_side *side, bool *is_minimal, const char *argument,
                       const struct cmd_options *options, struct diagnostic *diagnostic)
{
    if (newest_is_folder(argument))
        return read_folder(side, is_minimal, argument, options, diagnostic);
    return is_there(argument) ? read_file(side, is_minimal, argument, options, diagnostic)
                              : read_pattern(side, is_minimal, argument, options, diagnostic);
}

enum status sides_check_ends(const struct run_side *side, const char *command,
                             struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < side->runs.count; i++) {
        const struct run *run = array_at(&side->runs, i);

        if (run->is_cut)
            return diagnostic_set(diagnostic, STATUS_NOT_ENOUGH_DATA,
                                  "%s cannot tell: %.300s has no end; it is damaged, still being "
                                  "written, or its program was killed, or left without passing "
                                  "through exit, outside tprof run",
                                  command, name_of(run));
    }
    return STATUS_OK;
}

static bool has_separators(const struct cmd_options *options)
{
    for (size_t i = 0; i < options->trace_count; i++)
        if (options->traces[i] == sides_separator)
            return true;
    return false;
}

static void add_side(struct sides *sides)
{
    struct run_side *side = array_add(&sides->all);

    run_side_init(side, "");
}

static enum status read_into_last(struct sides *sides, const char *argument,
                                  const struct cmd_options *options, struct diagnostic *diagnostic)
{
    bool is_minimal = false;
    enum status status = sides_read(array_at(&sides->all, sides->all.count - 1), &is_minimal,
                                    argument, options, diagnostic);

    if (!status && is_minimal)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "%.300s has one number an operation: tprof gate --baseline compares "
                              "with it",
                              argument);
    return status;
}

static enum status check_sides(const struct sides *sides, struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < sides->all.count; i++)
        if (((const struct run_side *)array_at(&sides->all, i))->runs.count == 0)
            return diagnostic_set(diagnostic, STATUS_USAGE, "side %zu has no trace", i + 1);
    return STATUS_OK;
}

enum status sides_read_all(struct sides *sides, const struct cmd_options *options,
                           struct diagnostic *diagnostic)
{
    bool is_grouped = has_separators(options);
    enum status status = STATUS_OK;

    for (size_t i = 0; i < options->trace_count && !status; i++) {
        bool is_separator = options->traces[i] == sides_separator;

        if (i == 0 || is_separator || !is_grouped) {
            add_side(sides);
            status = STATUS_OK;
        }
        if (!status && !is_separator)
            status = read_into_last(sides, options->traces[i], options, diagnostic);
    }
    return status ? status : check_sides(sides, diagnostic);
}

/* The common start of several files' stems, without digits at its end. */
static size_t common_size(const char *stem, size_t size, const struct run_side *side)
{
    for (size_t i = 1; i < side->runs.count; i++) {
        const struct run *run = array_at(&side->runs, i);
        const char *other = run->path ? text_base_name(run->path) : stem;
        size_t same = 0;

        while (same < size && other[same] == stem[same])
            same++;
        size = same;
    }
    if (stem[size] != '\0' && stem[size] != '.')
        while (size > 0 && strchr("0123456789-_.", stem[size - 1]))
            size--;
    return size;
}

/* Files with the same name have different folders. */
static void append_folder(struct text *label, const char *path)
{
    const char *slash = strrchr(path, '/'), *start = slash;

    while (start && start > path && start[-1] != '/')
        start--;
    if (slash)
        text_append_bytes(label, start, (size_t)(slash - start));
}

static void append_label(struct text *label, const struct run_side *side, bool by_folder)
{
    const struct run *first = array_at(&side->runs, 0);
    const char *stem = first->path ? text_base_name(first->path) : "";

    text_clear(label);
    if (by_folder && first->path)
        append_folder(label, first->path);
    else
        text_append_bytes(label, stem, common_size(stem, strcspn(stem, "."), side));
}

static void add_label(struct sides *sides, const char *text, size_t size)
{
    struct text label;

    text_init(&label);
    text_append_bytes(&label, text, size);
    text_list_add(&sides->labels, label.bytes);
    text_fini(&label);
}

static bool are_labels_distinct(const struct text_list *labels)
{
    for (size_t i = 0; i < text_list_count(labels); i++)
        for (size_t j = 0; j <= i; j++)
            if (text_list_at(labels, i)[0] == '\0' ||
                (j < i && strcmp(text_list_at(labels, i), text_list_at(labels, j)) == 0))
                return false;
    return true;
}

static void label_by(struct sides *sides, bool by_folder)
{
    struct text label;

    text_list_fini(&sides->labels);
    text_list_init(&sides->labels);
    text_init(&label);
    for (size_t i = 0; i < sides->all.count; i++) {
        append_label(&label, array_at(&sides->all, i), by_folder);
        add_label(sides, label.bytes, label.size);
    }
    text_fini(&label);
}

static void label_by_place(struct sides *sides)
{
    text_list_fini(&sides->labels);
    text_list_init(&sides->labels);
    for (size_t i = 0; i < sides->all.count; i++) {
        if (sides->all.count == 2)
            text_list_add(&sides->labels, i == 0 ? "base" : "new");
        else
            text_list_addf(&sides->labels, "v%zu", i);
    }
}

/* Labels are the names of the files, or of their folders, or numbers, whichever differ. */
static void label_after_files(struct sides *sides)
{
    label_by(sides, false);

    if (!are_labels_distinct(&sides->labels))
        label_by(sides, true);
    if (!are_labels_distinct(&sides->labels))
        label_by_place(sides);
}

static void label_as_asked(struct sides *sides, const char *labels)
{
    while (labels) {
        size_t size = strcspn(labels, ",");

        add_label(sides, labels, size);
        labels = labels[size] == ',' ? labels + size + 1 : NULL;
    }
}

enum status sides_label(struct sides *sides, const char *labels, struct diagnostic *diagnostic)
{
    if (labels)
        label_as_asked(sides, labels);
    else
        label_after_files(sides);

    if (text_list_count(&sides->labels) != sides->all.count)
        return diagnostic_set(
            diagnostic, STATUS_USAGE, "--labels %.100s: %zu label%s for %zu side%s", labels,
            text_list_count(&sides->labels), units_choose(text_list_count(&sides->labels), "", "s"),
            sides->all.count, units_choose(sides->all.count, "", "s"));
    for (size_t i = 0; i < sides->all.count; i++)
        ((struct run_side *)array_at(&sides->all, i))->label = text_list_at(&sides->labels, i);
    return STATUS_OK;
}
