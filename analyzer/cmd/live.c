/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof live: a running process, or the processes of a job, as one screen that goes on.
 */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "cmd/cmd.h"
#include "cmd/live_page.h"
#include "cmd/newest.h"
#include "live/live.h"
#include "live/live_find.h"
#include "live/live_report.h"
#include "live/live_screen.h"
#include "live/live_terminal.h"
#include "options/help.h"
#include "options/parse.h"
#include "options/readers.h"
#include "reader/copy.h"

enum { LIVE_FRAMES_MOST = 100000000, MS_NS = 1000000, WIDTH_LEAST = 20 };

static const uint64_t second_ns = 1000000000, every_least_ns = 100000000;

struct live_options {
    uint64_t every_ns;
    unsigned count; /* frames as text; 0: one, or a screen */
    bool is_once;
    const char *serve;
    struct cmd_options output; /* only renderer, file and colour */
    bool is_help;
};

static const struct option_row rows[] = {
#define OPTION(field, ...) OPTION_ROW(struct live_options, field, __VA_ARGS__),
#include "cmd/live_options.def"
#undef OPTION
};

static const char help[] =
    "Show a running process: rates over the last second and the last minute, what each thread is "
    "in, and alerts. A DIRECTORY has one row a process.";

static enum status parse(struct live_options *options, int argc, char **argv,
                         struct diagnostic *diagnostic)
{
    const struct option_set set = {rows, sizeof rows / sizeof *rows, options};
    const struct options_asked asked = {"live", &set, 1, false};
    enum status status;

    *options = (struct live_options){.every_ns = second_ns, .output = {.colour = TERMINAL_AUTO}};
    status = render_find("text", &options->output.renderer, diagnostic);
    if (!status)
        status = options_parse(&asked, argc, argv, diagnostic);
    if (status || options->is_help)
        return status;
    if (options->every_ns < every_least_ns)
        return diagnostic_set(diagnostic, STATUS_USAGE, "live --every: expected 100ms or more");
    if (argc - optind > 1)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "live: expected one PID, TRACE or DIRECTORY, found %d words",
                              argc - optind);
    return STATUS_OK;
}

/* ---- traces ---------------------------------------------------------------------------- */

struct watched {
    struct live *lives;
    size_t count;
};

static void close_all(struct watched *watched)
{
    for (size_t i = 0; i < watched->count; i++)
        live_close(&watched->lives[i]);
    free(watched->lives);
}

static bool is_pid(const char *word)
{
    return word[0] != '\0' && strspn(word, "0123456789") == strlen(word) && strlen(word) < 10 &&
           access(word, F_OK) != 0;
}

static enum status open_one(struct watched *watched, const char *path,
                            struct diagnostic *diagnostic)
{
    enum status status = live_open(&watched->lives[watched->count], path, diagnostic);

    watched->count += status == STATUS_OK;
    return status;
}

/* A trace that cannot be read is left out of a folder, with a line that says why. */
static enum status open_folder(struct watched *watched, const char *folder,
                               struct diagnostic *diagnostic)
{
    struct text_list traces;
    enum status status;

    text_list_init_owned(&traces);
    status = newest_list_all(folder, &traces, diagnostic);
    watched->lives = memory_get_zeros(text_list_count(&traces) + 1, sizeof *watched->lives);
    for (size_t i = 0; !status && i < text_list_count(&traces); i++)
        if (open_one(watched, text_list_at(&traces, i), diagnostic))
            cmd_leave_out(diagnostic);
    text_list_fini(&traces);
    if (!status && watched->count == 0)
        status =
            diagnostic_set(diagnostic, STATUS_IO, "live: %s has no trace that can be read", folder);
    return status;
}

static enum status open_trace(struct watched *watched, const char *word,
                              struct diagnostic *diagnostic)
{
    char room[PATH_MAX];
    const char *path = word;
    enum status status = STATUS_OK;

    watched->lives = memory_get_zeros(1, sizeof *watched->lives);
    if (!word) {
        status = cmd_choose_trace(&path, room, NULL, diagnostic);
    } else if (is_pid(word)) {
        status = live_find_trace((pid_t)atol(word), room, diagnostic);
        path = room;
    }
    return status ? status : open_one(watched, path, diagnostic);
}

static enum status open_all(struct watched *watched, const char *word,
                            struct diagnostic *diagnostic)
{
    *watched = (struct watched){0};
    if (word && newest_is_folder(word))
        return open_folder(watched, word, diagnostic);
    return open_trace(watched, word, diagnostic);
}

/* Returns: whether one of them could be read. */
static bool read_all(struct watched *watched)
{
    bool is_read = false;

    for (size_t i = 0; i < watched->count; i++)
        is_read |= live_read(&watched->lives[i]);
    return is_read;
}

static bool has_ended(const struct watched *watched)
{
    for (size_t i = 0; i < watched->count; i++)
        if (watched->lives[i].state == LIVE_RUNS)
            return false;
    return true;
}

static void rest(uint64_t ns)
{
    struct timespec left = {(time_t)(ns / second_ns), (long)(ns % second_ns)};

    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

/* ---- frames as text -------------------------------------------------------------------- */

static void draw(struct text_list *lines, const struct watched *watched,
                 const struct live_screen *screen)
{
    text_list_init_owned(lines);
    if (watched->count == 1)
        live_screen_draw(lines, watched->lives, screen);
    else
        live_screen_draw_job(lines, watched->lives, watched->count, screen);
}

static enum status print(const struct watched *watched, const struct live_options *options,
                         struct diagnostic *diagnostic)
{
    struct live_screen screen = {.every_s = (double)options->every_ns / 1e9,
                                 .width = terminal_width(stdout),
                                 .unicode = terminal_has_unicode(TERMINAL_AUTO)};
    struct text_list lines;
    struct text text;
    enum status status;

    text_init(&text);
    draw(&lines, watched, &screen);
    for (size_t i = 0; i < text_list_count(&lines); i++)
        text_appendf(&text, "%s\n", text_list_at(&lines, i));
    status = cmd_write_text(text.bytes, &options->output, diagnostic);
    text_list_fini(&lines);
    text_fini(&text);
    return status;
}

static enum status show_frame(const struct watched *watched, const struct live_options *options,
                              struct diagnostic *diagnostic)
{
    struct document document;

    if (!options->output.renderer->is_for_programs &&
        strcmp(options->output.renderer->name, "text") == 0)
        return print(watched, options, diagnostic);
    live_report_build(&document, watched->lives, watched->count);
    return cmd_finish_document(&document, &options->output, diagnostic);
}

/* Rates need two frames, unless nothing happens any more. */
static enum status show_frames(struct watched *watched, const struct live_options *options,
                               struct diagnostic *diagnostic)
{
    unsigned count = options->count > 0 ? options->count : 1;
    enum status status = STATUS_OK;

    if (!read_all(watched))
        return diagnostic_set(diagnostic, STATUS_IO, "live: the trace cannot be read");
    for (unsigned i = 0; i < count && !status; i++) {
        if (!has_ended(watched))
            rest(options->every_ns);
        read_all(watched);
        status = show_frame(watched, options, diagnostic);
    }
    return status;
}

/* ---- the screen ------------------------------------------------------------------------ */

static enum status write_copy(const char *path, const char *copy_path,
                              struct diagnostic *diagnostic)
{
    FILE *out = fopen(copy_path, "wxe");
    struct reader reader;
    enum status status;

    if (!out)
        return diagnostic_set(diagnostic, STATUS_IO, "%s", strerror(errno));
    status = reader_open(&reader, path, diagnostic);
    if (!status) {
        struct copy copy = {.descriptor = fileno(out), .path = copy_path};

        status = copy_pack(&copy, &reader, diagnostic);
        reader_close(&reader);
    }
    fclose(out);
    if (status)
        unlink(copy_path);
    return status;
}

/* Copy the trace, up to its present end, to a file beside it: prog.4711.snapshot-1.tprof. */
static void keep_snapshot(struct text *message, const struct watched *watched)
{
    static unsigned number;
    const char *path = watched->lives[0].file.path;
    size_t size = text_ends_with(path, strlen(path), ".tprof") ? strlen(path) - 6 : strlen(path);
    struct diagnostic diagnostic;
    struct text copy;

    text_init(&copy);
    do {
        text_clear(&copy);
        text_append_bytes(&copy, path, size);
        text_appendf(&copy, ".snapshot-%u.tprof", ++number);
    } while (access(copy.bytes, F_OK) == 0);
    text_clear(message);
    if (write_copy(path, copy.bytes, &diagnostic))
        live_screen_append_copy(message, copy.bytes, diagnostic.text);
    else
        live_screen_append_copy(message, copy.bytes, NULL);
    text_fini(&copy);
}

/* Returns: whether the user wants to go on. */
static bool press(int key, struct live_screen *screen, struct text *message,
                  const struct watched *watched)
{
    if (key == LIVE_KEY_NONE || key == LIVE_KEY_RESIZED)
        return true;
    if (screen->shows_help) {
        screen->shows_help = false;
        return key != LIVE_KEY_GONE;
    }
    text_clear(message);
    switch (key) {
    case 'q':
    case LIVE_KEY_GONE: return false;
    case 'p': screen->is_paused = !screen->is_paused; break;
    case 's': keep_snapshot(message, watched); break;
    case 't': screen->view = LIVE_VIEW_TIME; break;
    case 'm': screen->view = LIVE_VIEW_MEMORY; break;
    case 'w': screen->view = LIVE_VIEW_WAITS; break;
    case 'r': screen->view = LIVE_VIEW_REQUESTS; break;
    case '?':
    case 'h': screen->shows_help = true; break;
    default: break;
    }
    return true;
}

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * second_ns + (uint64_t)now.tv_nsec;
}

static void show(const struct watched *watched, struct live_screen *screen,
                 const struct text *message)
{
    struct text_list lines;

    live_terminal_size(&screen->width, &screen->height);
    screen->width = screen->width < WIDTH_LEAST ? WIDTH_LEAST : screen->width;
    screen->message = message->size > 0 ? message->bytes : NULL;
    draw(&lines, watched, screen);
    live_terminal_show(&lines);
    text_list_fini(&lines);
}

/* Keys are answered at once, by the last frame. */
static void run_screen(struct watched *watched, const struct live_options *options)
{
    struct live_screen screen = {.every_s = (double)options->every_ns / 1e9,
                                 .shows_keys = true,
                                 .unicode = terminal_has_unicode(TERMINAL_AUTO)};
    uint64_t next_ns = now_ns() + options->every_ns;
    struct text message;
    bool goes_on = true;

    text_init(&message);
    while (goes_on) {
        uint64_t time_ns = now_ns();

        show(watched, &screen, &message);
        goes_on = press(
            live_terminal_wait(next_ns > time_ns ? (int)((next_ns - time_ns) / MS_NS) + 1 : 0),
            &screen, &message, watched);
        if (now_ns() < next_ns)
            continue;
        next_ns += options->every_ns;
        if (next_ns < now_ns())
            next_ns = now_ns() + options->every_ns;
        if (!screen.is_paused)
            read_all(watched);
    }
    text_fini(&message);
}

static enum status run_terminal(struct watched *watched, const struct live_options *options,
                                struct diagnostic *diagnostic)
{
    if (!read_all(watched))
        return diagnostic_set(diagnostic, STATUS_IO, "live: the trace cannot be read");
    live_terminal_open(terminal_has_colour(stdout, options->output.colour));
    run_screen(watched, options);
    live_terminal_close();
    return STATUS_OK;
}

/* ---- the command ----------------------------------------------------------------------- */

static bool wants_screen(const struct live_options *options)
{
    return !options->is_once && options->count == 0 && !options->output.output &&
           strcmp(options->output.renderer->name, "text") == 0 && live_terminal_is_there();
}

static enum status watch(struct watched *watched, const struct live_options *options,
                         struct diagnostic *diagnostic)
{
    if (options->serve)
        return live_page_serve(watched->lives, watched->count, options->serve, options->every_ns,
                               diagnostic);
    return wants_screen(options) ? run_terminal(watched, options, diagnostic)
                                 : show_frames(watched, options, diagnostic);
}

static void print_help(void)
{
    const struct option_set set = {rows, sizeof rows / sizeof *rows, NULL};

    help_print_usage("live", "[OPTIONS] [PID|TRACE|DIRECTORY]", help);
    help_print_options(&set, "live");
}

enum status cmd_live(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct live_options options;
    struct watched watched;
    enum status status = parse(&options, argc, argv, &outcome->diagnostic);

    if (!status && options.is_help) {
        print_help();
        return render_finish(stdout, &outcome->diagnostic);
    }
    if (status)
        return status;
    status = open_all(&watched, optind < argc ? argv[optind] : NULL, &outcome->diagnostic);
    if (!status)
        status = watch(&watched, &options, &outcome->diagnostic);
    close_all(&watched);
    return status;
}
