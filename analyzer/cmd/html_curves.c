/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the results of a benchmark to its page.
 */
#include "cmd/html_curves.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "bench/report_file.h"
#include "cmd/bench_parts.h"
#include "cmd/destination.h"
#include "cmd/newest.h"
#include "cmd/page_file.h"
#include "runs/baseline.h"

#define RESULTS_MARK ".json"

static bool is_there(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool has_traces(const char *folder)
{
    struct text_list traces;
    struct diagnostic diagnostic;
    bool has;

    text_list_init(&traces);
    has = !newest_list_all(folder, &traces, &diagnostic);
    text_list_fini(&traces);
    return has;
}

/* Returns: whether there is just one. */
static bool find_results(const char *folder, char path[PATH_MAX])
{
    char candidate[PATH_MAX];
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    size_t found = 0;

    while (entries && (entry = readdir(entries))) {
        if (!text_ends_with(entry->d_name, strlen(entry->d_name), RESULTS_MARK) ||
            snprintf(candidate, sizeof candidate, "%s/%s", folder, entry->d_name) >= PATH_MAX ||
            !report_file_is_at(candidate))
            continue;
        memcpy(path, candidate, sizeof candidate);
        found++;
    }
    if (entries)
        closedir(entries);
    return found == 1;
}

static bool find_in_folder(const char *folder, char path[PATH_MAX])
{
    if (snprintf(path, PATH_MAX, "%s/%s", folder, BENCH_KEPT) < PATH_MAX && is_there(path))
        return true;
    return !has_traces(folder) && find_results(folder, path);
}

bool html_curves_find(const struct cmd_options *options, char path[PATH_MAX])
{
    const char *named = options->trace_count == 1 ? options->traces[0] : NULL;

    if (!named)
        return false;
    if (newest_is_folder(named))
        return find_in_folder(named, path);
    return baseline_is_at(named) && snprintf(path, PATH_MAX, "%s", named) < PATH_MAX;
}

/* "runs/sweep.json" becomes sweep.html in the working directory, and "runs/" runs.html. */
static void choose_name(char name[PATH_MAX], const char *named)
{
    size_t length = strlen(named), start;

    while (length > 0 && named[length - 1] == '/')
        length--;
    for (start = length; start > 0 && named[start - 1] != '/'; start--)
        ;
    if (text_ends_with(named, length, RESULTS_MARK))
        length -= strlen(RESULTS_MARK);
    if (length == start || named[start] == '.' || length - start > NAME_MAX - sizeof ".html")
        snprintf(name, PATH_MAX, "bench.html");
    else
        snprintf(name, PATH_MAX, "%.*s.html", (int)(length - start), named + start);
}

enum status html_curves(const char *path, const struct cmd_options *options,
                        struct diagnostic *diagnostic)
{
    const char *output = options->output;
    struct report_file file;
    char name[PATH_MAX];
    enum status status;

    choose_name(name, options->traces[0]);
    if (!output)
        output = name;
    destination_note_input(path);
    status = destination_check(output, options->may_overwrite, diagnostic);
    if (status)
        return status;
    status = report_file_open(&file, path, diagnostic);
    if (!status)
        status = page_file_write(file.document, file.title, output, options->may_overwrite,
                                 diagnostic);
    report_file_close(&file);
    return status;
}
