/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof watch: the traces of a folder, for monitoring.
 */
#include "watch/watch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/newest.h"
#include "options/help.h"
#include "options/parse.h"
#include "options/readers.h"

static const uint64_t second_ns = 1000000000;

struct watch_options {
    struct watch_request request;
    bool is_once;
    bool is_help;
};

static const struct option_row rows[] = {
#define OPTION(field, ...) OPTION_ROW(struct watch_options, field, __VA_ARGS__),
#include "cmd/watch_options.def"
#undef OPTION
};

static const char help[] =
    "Follow all traces of a DIRECTORY, of programs that run and that ended: a pprof profile of "
    "each "
    "window of time, alerts in alerts.jsonl, and metrics of all processes in tprof.prom.";

/* Returns: why a folder cannot be used, as errno; 0: it can. */
static int find_obstacle(const char *folder, int needed)
{
    struct stat facts;

    if (stat(folder, &facts) != 0)
        return errno;
    if (!S_ISDIR(facts.st_mode))
        return ENOTDIR;
    return access(folder, needed) != 0 ? errno : 0;
}

static enum status check_folder(const char *folder, int needed, struct diagnostic *diagnostic)
{
    int error = find_obstacle(folder, needed);

    return error == 0
               ? STATUS_OK
               : diagnostic_set(diagnostic, STATUS_IO, "watch: cannot use the directory %.300s: %s",
                                folder, strerror(error));
}

static enum status check(struct watch_options *options, const char *folder,
                         struct diagnostic *diagnostic)
{
    enum status status = check_folder(folder, R_OK | X_OK, diagnostic);

    if (!options->request.folder)
        options->request.folder = folder;
    return status ? status : check_folder(options->request.folder, W_OK | X_OK, diagnostic);
}

static enum status parse(struct watch_options *options, int argc, char **argv,
                         struct diagnostic *diagnostic)
{
    const struct option_set set = {rows, sizeof rows / sizeof *rows, options};
    const struct options_asked asked = {"watch", &set, 1, false};
    enum status status;

    *options = (struct watch_options){.request = {.every_ns = 60 * second_ns}};
    status = options_parse(&asked, argc, argv, diagnostic);
    if (status || options->is_help)
        return status;
    if (options->request.every_ns < second_ns)
        return diagnostic_set(diagnostic, STATUS_USAGE, "watch --every: expected 1s or more");
    if (argc - optind != 1)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "watch: expected one DIRECTORY, found %d words", argc - optind);
    return check(options, argv[optind], diagnostic);
}

/* ---- signals --------------------------------------------------------------------------- */

/* The signals that end a watch are blocked and asked for, so none comes between two files. */
static sigset_t endings;
static bool is_ended;

/* Wait for a signal.  The next one after it ends the program at once. */
static void wait_for(uint64_t ns)
{
    const struct timespec time = {(time_t)(ns / second_ns), (long)(ns % second_ns)};
    int signal;

    do
        signal = sigtimedwait(&endings, NULL, &time);
    while (signal < 0 && errno == EINTR);
    if (signal < 0)
        return;
    is_ended = true;
    sigprocmask(SIG_UNBLOCK, &endings, NULL);
}

static bool has_ended(void)
{
    if (!is_ended)
        wait_for(0);
    return is_ended;
}

static void block_endings(void)
{
    sigemptyset(&endings);
    sigaddset(&endings, SIGINT);
    sigaddset(&endings, SIGTERM);
    sigprocmask(SIG_BLOCK, &endings, NULL);
}

/* ---- the command ----------------------------------------------------------------------- */

static void announce(const char *line)
{
    puts(line);
    fflush(stdout);
}

static void look(struct watch *watch, const char *folder, bool is_last)
{
    struct text_list paths;

    text_list_init(&paths);
    newest_list_present(folder, &paths);
    watch_look(watch, &paths, is_last);
    text_list_fini(&paths);
}

/* Returns: how long until the window that goes on ends. */
static uint64_t time_left_ns(uint64_t every_ns)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return every_ns - ((uint64_t)now.tv_sec * second_ns + (uint64_t)now.tv_nsec) % every_ns;
}

static void run(const struct watch_options *options, const char *folder)
{
    bool was_last = options->is_once;
    struct watch watch;

    block_endings();
    watch_init(&watch, &options->request);
    look(&watch, folder, false);
    while (!was_last) {
        if (!has_ended())
            wait_for(time_left_ns(options->request.every_ns));
        was_last = is_ended;
        look(&watch, folder, was_last);
    }
    watch_fini(&watch);
}

static void print_help(void)
{
    const struct option_set set = {rows, sizeof rows / sizeof *rows, NULL};

    help_print_usage("watch", "[OPTIONS] DIRECTORY", help);
    help_print_options(&set, "watch");
}

enum status cmd_watch(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct watch_options options;
    enum status status = parse(&options, argc, argv, &outcome->diagnostic);

    if (!status && options.is_help) {
        print_help();
        return render_finish(stdout, &outcome->diagnostic);
    }
    if (status)
        return status;
    options.request.unicode = terminal_has_unicode(TERMINAL_AUTO);
    options.request.complain = cmd_tell;
    options.request.announce = announce;
    options.request.is_stopped = has_ended;
    run(&options, argv[optind]);
    return render_finish(stdout, &outcome->diagnostic);
}
